// Texts and bytes as JSON bodies. A strict reader of RFC 8259 decides which of them are JSON: those
// are taken, the others are refused, and what is stored is the value that was sent.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { withApp } from '../harness.ts'
import { forEachOf, openWire, PATIENT, type Wire, type WireAnswer } from './input-kit.ts'
import { buildBytesCorpus, buildJsonCorpus, type JsonCase } from './json-corpus.ts'
import { readStrictly } from './strict-json.ts'

const CORPUS = buildJsonCorpus()

let wire: Wire
const app = withApp({ environment: PATIENT }, async (opened) => {
  wire = await openWire(opened)
})
after(() => wire.close())

const NO_JSON = /is not valid JSON|is not valid UTF-8|body is empty/

/** One place of a request that the text of a case stands at. */
interface Place {
  readonly name: string
  readonly path: string
  /** The whole body. `at` makes names of records, each used once. */
  readonly wrap: (text: string, at: number) => string
  /** The value of the case in what is stored; for a place that keeps any JSON. */
  readonly readBack?: (answer: WireAnswer, at: number) => Promise<unknown>
}

const read = async (path: string) => (await app.send('GET', path, { token: app.token })).json()

const PLACES: readonly Place[] = [
  // Taken by a raw handler before Fastify.
  { name: 'the whole quick check', path: '/beta/quick-check', wrap: (text) => text },
  {
    name: 'the quick check by Fastify',
    path: '/beta/quick-check?by=fastify',
    wrap: (text) => text,
  },
  { name: 'a whole service account', path: '/beta/admin/service-accounts', wrap: (text) => text },
  {
    name: 'a value within the details of an event',
    path: '/beta/casework/events',
    // Two events of one address at one time would be one event.
    wrap: (text, at) =>
      `{"event_date":"2026-04-01T00:00:00Z","event_type":"Spam","ip":"2001:db8::${at.toString(16)}","event_details":{"note":${text}}}`,
    readBack: async (answer) => {
      const { event_id: id } = JSON.parse(answer.text)
      return (await read(`/beta/casework/events/${id}`)).event_details['note']
    },
  },
  {
    name: 'a value within the metadata of a customer',
    path: '/beta/casework/customers',
    wrap: (text, at) => `{"id":"json-${at}","metadata":{"note":${text}}}`,
    readBack: async (_, at) => (await read(`/beta/casework/customers/json-${at}`)).metadata['note'],
  },
  {
    name: 'the name of a service account',
    path: '/beta/admin/service-accounts',
    wrap: (text, at) => `{"id":"json-${at}","name":${text}}`,
    readBack: async (_, at) => (await read(`/beta/admin/service-accounts/json-${at}`)).name,
  },
]

function send(path: string, body: Buffer): Promise<WireAnswer> {
  const headers = { authorization: `Bearer ${app.token}`, 'content-type': 'application/json' }
  return wire.send('POST', path, headers, body)
}

const isTaken = ({ status }: WireAnswer): boolean => status < 300

/** What is wrong with the answer to a body; null for nothing. */
function findFault(answer: WireAnswer, isJson: boolean): string | null {
  if (answer.status >= 500) return 'is a fault of the service'
  if (!isJson && answer.status !== 400) return 'is no JSON and was not refused'
  // A body that is JSON may be refused for what it says, never for being none.
  if (isJson && answer.status === 400 && NO_JSON.test(answer.text)) return 'is JSON and was refused'
  return null
}

test('the corpus has 318 texts, and the strict reader tells which are JSON', () => {
  assert.ok(CORPUS.length >= 318, `only ${CORPUS.length} texts`)
  for (const { kind, text } of CORPUS) {
    const isJson = readStrictly(Buffer.from(text)) !== null
    assert.equal(isJson, kind !== 'n', `${kind} ${JSON.stringify(text.slice(0, 100))}`)
  }
})

for (const place of PLACES) {
  test(`400 for what is no JSON, and what is JSON is taken or refused for its content: ${place.name}`, async () => {
    const wrong: string[] = []
    let taken = 0
    await forEachOf(CORPUS.entries(), async ([at, one]) => {
      const fault = await tryCase(place, one, at, () => (taken += 1))
      if (fault !== null) wrong.push(`${JSON.stringify(one.text.slice(0, 100))} ${fault}`)
    })
    assert.deepEqual(wrong, [])
    if (place.readBack !== undefined) assert.ok(taken > 30, `only ${taken} were taken`)
  })
}

async function tryCase(
  { path, wrap, readBack }: Place,
  { text }: JsonCase,
  at: number,
  noteTaken: () => void,
): Promise<string | null> {
  const body = Buffer.from(wrap(text, at))
  const strict = readStrictly(body)
  const answer = await send(path, body)
  const fault = findFault(answer, strict !== null)
  if (fault !== null) return `${fault}: ${answer.status} ${answer.text.slice(0, 200)}`
  if (readBack === undefined || !isTaken(answer)) return null
  noteTaken()
  const sent = readStrictly(Buffer.from(text))?.value
  const kept = await readBack(answer, at)
  // -0 and 0 are one number to JSON.
  return isDeepStrictEqual(plain(kept), plain(sent))
    ? null
    : `was kept as ${JSON.stringify(kept)?.slice(0, 100)}`
}

/** Without prototypes and without -0. A number beyond every double stays apart from null. */
function plain(value: unknown): unknown {
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return String(value)
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

test('400 for bytes that are no UTF-8, and only for these, in each of these places', async () => {
  const cases = buildBytesCorpus()
  assert.ok(cases.length >= 60, `only ${cases.length} cases`)
  const wrong: string[] = []
  for (const path of new Set(PLACES.map((place) => place.path))) {
    await forEachOf(cases, async ({ what, bytes }) => {
      const answer = await send(path, bytes)
      const fault = findFault(answer, readStrictly(bytes) !== null)
      if (fault !== null) wrong.push(`${path} ${what} ${fault}: ${answer.status}`)
    })
  }
  assert.deepEqual(wrong, [])
})
