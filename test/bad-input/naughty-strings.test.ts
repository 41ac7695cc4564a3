// Naughty strings in every string of every body and in every parameter of a path or query: never a
// fault of the service, and what is stored is what was sent, or the request was refused.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildRoutes } from '../../src/app/routes.ts'
import { type TestAnswer, withApp } from '../harness.ts'
import { createRecords, fillPath, findSample, type RecordParams } from '../operation-samples.ts'
import { AGAIN, drawNumbers, forEachOf, PATIENT, ROUNDS, SEED } from './input-kit.ts'
import { NAUGHTY_STRINGS } from './naughty-strings.ts'
import { OPERATIONS, type Operation } from './operations.ts'
import { listStringPlaces, type StringPlace } from './string-places.ts'

let own: RecordParams = new Map()
const app = withApp({ environment: PATIENT }, async (opened) => {
  own = await createRecords(opened, 'default', opened.token)
})

// The stream has no end.
const LEFT_OUT = new Set(['openStream'])

const operations = OPERATIONS.filter(
  ({ path, operationId }) => path.startsWith('/beta/') && !LEFT_OUT.has(operationId),
)

// At each place a round sends strings of a third of the classes; the next round takes the next
// third.
const PARTS = 3

/** For one place: a string of each class whose turn it is; which one depends on the seed. */
function* drawTexts(place: string): Generator<string> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const draw = drawNumbers(`${SEED}:${round}:${place}`)
    const third = drawNumbers(`${SEED}:${place}`)(PARTS) + round
    for (const [at, texts] of Object.values(NAUGHTY_STRINGS).entries()) {
      const text = texts[draw(texts.length)]
      if (text !== undefined && (at + third) % PARTS === 0) yield text
    }
  }
}

function paramsOf({ operationId }: Operation): Readonly<Record<string, string>> {
  const sample = findSample({ operationId })
  // The resolver of a tenant that exists would be asked from then on.
  const record = sample.record === 'tenant' ? undefined : own.get(sample.record ?? 'instance')
  return { ...sample.params, ...record }
}

interface Naughty {
  readonly operation: Operation
  readonly place: string
  readonly path: string
  readonly json: unknown
  readonly text: string
  readonly read?: StringPlace['read']
}

/** A half of a character cannot be percent-encoded: its bytes are sent as UTF-8 would have them. */
function encode(text: string): string {
  return Array.from(text, (one) =>
    one.isWellFormed()
      ? encodeURIComponent(one)
      : `%ed%${(0x80 | ((one.charCodeAt(0) >> 6) & 0x3f)).toString(16)}%80`,
  ).join('')
}

/** The longest target that Node takes is 16 KiB with its headers. */
const TARGET_TEXT_MAX = 3_000

function* listParameterRequests(operation: Operation): Generator<Naughty> {
  const params = paramsOf(operation)
  const { json } = findSample(operation)
  for (const { name, in: where } of operation.parameters) {
    if (where !== 'path' && where !== 'query') continue
    const place = `${where} ${name}`
    for (const text of drawTexts(`${operation.operationId} ${place}`)) {
      const cut = text.slice(0, TARGET_TEXT_MAX)
      if (where === 'path' && cut === '') continue
      const path =
        where === 'query'
          ? `${fillPath(operation, params)}?${name}=${encode(cut)}`
          : operation.path.replaceAll(/\{(\w+)\}/g, (_, part: string) =>
              part === name ? encode(cut) : encodeURIComponent(params[part] ?? ''),
            )
      yield { operation, place, path, json, text: cut }
    }
  }
}

function* listBodyRequests(operation: Operation): Generator<Naughty> {
  if (operation.body === null) return
  const { json = {} } = findSample(operation)
  const path = fillPath(operation, paramsOf(operation))
  for (const { name: place, put, read } of listStringPlaces(operation.body)) {
    for (const text of drawTexts(`${operation.operationId} ${place}`)) {
      yield { operation, place, path, json: put(json, text), text, read }
    }
  }
}

async function sendNaughty({ operation, path, json }: Naughty): Promise<TestAnswer> {
  return await app.send(operation.method, path, {
    token: app.token,
    ...(json === undefined ? {} : { json }),
  })
}

const describe = ({ operation, place, text }: Naughty): string =>
  `${operation.operationId} ${place} ${JSON.stringify(text.slice(0, 60))}`

test('every route of the document is known to the program', () => {
  const known = new Set(buildRoutes(app.services).map(({ operationId }) => operationId))
  assert.ok(operations.length > 200)
  for (const { operationId } of operations) assert.ok(known.has(operationId), operationId)
})

test('the list has 485 naughty strings, each once', () => {
  const all = Object.values(NAUGHTY_STRINGS).flat()
  assert.ok(new Set(all).size >= 485, `only ${new Set(all).size} strings`)
})

test(`below 500 for a string of each class in every parameter of a path and a query (${AGAIN})`, async () => {
  const faults: string[] = []
  let count = 0
  for (const operation of operations) {
    await forEachOf(listParameterRequests(operation), async (one) => {
      const { status, text } = await sendNaughty(one)
      count += 1
      if (status >= 500) faults.push(`${describe(one)}: ${status} ${text.slice(0, 200)}`)
    })
  }
  assert.deepEqual(faults, [])
  assert.ok(count > 2_000, `only ${count} requests were sent`)
})

// The places whose text is kept in another form than it was sent, each with its reason.
const SHOWN_OTHERWISE = new Set([
  // The template of the notice puts a greeting before it.
  'sendNotice /text',
  // Kept without the blanks around it.
  'createPlaybook /name',
  'importPlaybook /name',
  'renamePlaybook /name',
  // Kept in the one form that such values have.
  'createToken /networks/0',
  'changeResource /valid_from',
  // Kept as the keys of cases have it: in lower case.
  'createMuteRule /key/sender_email',
  // A repeat is answered with what the first request has stored.
  'putSuppressedAddress /note',
  'confirmMitigation /detail',
  'liftHold /reason',
])

test(`below 500 for a string of each class in every string of a body, and what is stored is what was sent (${AGAIN})`, async () => {
  const faults: string[] = []
  let count = 0
  let kept = 0
  // The requests of one collection come one after the other: its operations change one record, and
  // what one has stored is read back before the next.
  await forEachOf(groupByCollection(operations), async (group) => {
    for (const one of group.flatMap((operation) => [...listBodyRequests(operation)])) {
      const answer = await sendNaughty(await withVersion(one))
      count += 1
      if (answer.status >= 500) {
        faults.push(`${describe(one)}: ${answer.status} ${answer.text.slice(0, 200)}`)
      }
      const stored = answer.status < 300 ? await readStored(one, answer) : undefined
      if (stored === undefined) continue
      kept += 1
      if (
        stored !== one.text &&
        !SHOWN_OTHERWISE.has(`${one.operation.operationId} ${one.place}`)
      ) {
        faults.push(`${describe(one)} was stored as ${JSON.stringify(stored)?.slice(0, 60)}`)
      }
    }
  })
  assert.deepEqual(faults, [])
  assert.ok(count > 2_000, `only ${count} requests were sent`)
  assert.ok(kept > 100, `only ${kept} values were read back`)
})

/** Operations of the same collection: `/beta/sighting-rules` and all below it. */
function groupByCollection(all: readonly Operation[]): Iterable<readonly Operation[]> {
  return Map.groupBy(all, ({ path }) => path.split('/', 3).join('/')).values()
}

/** A change names the version that it changes, and each change makes a new one. */
async function withVersion(one: Naughty): Promise<Naughty> {
  const { json, operation, path } = one
  if (operation.method !== 'PATCH' || typeof Object(json).version !== 'number') return one
  const { version } = (await app.send('GET', path, { token: app.token })).json()
  return { ...one, json: { ...Object(json), version } }
}

/** The value at the same place of the record, by the GET of its path; undefined without one. */
async function readStored(
  { operation, path, read }: Naughty,
  answer: TestAnswer,
): Promise<unknown> {
  if (read === undefined || answer.text === '') return undefined
  const made = answer.json()
  const readPath = findReadPath(operation, path, made)
  if (readPath === null) return read(made.result ?? made)
  const got = await app.send('GET', readPath, { token: app.token })
  if (got.status !== 200) return undefined
  const record = got.json()
  return read(record.result ?? record)
}

function findReadPath(
  { path: template, method }: Operation,
  path: string,
  made: unknown,
): string | null {
  const pattern = template.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  if (method !== 'POST') return hasRead(new RegExp(`^${pattern}$`)) ? path : null
  const { id, event_id: eventId = id, name = eventId } = Object(made)
  if (!hasRead(new RegExp(`^${pattern}/\\{\\w+\\}$`)) || typeof (id ?? name) !== 'string') {
    return null
  }
  return `${path}/${encodeURIComponent(id ?? name)}`
}

function hasRead(wanted: RegExp): boolean {
  return OPERATIONS.some((one) => one.method === 'GET' && wanted.test(one.path))
}
