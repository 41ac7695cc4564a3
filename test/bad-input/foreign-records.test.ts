// A record of another tenant costs what a record costs that does not exist: the same statements,
// with as many rows each, of the same plans. What is counted is not time, so the test holds on
// any machine; CASEWORK_BAD_INPUT_MEDIANS=1 prints the median times as well.
//
// That both answers have the same bytes is held by src/app/refusals.test.ts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { SCOPES } from '../../src/vocabulary/scopes.ts'
import { withApp } from '../harness.ts'
import { createRecords, fillPath, findSample, type RecordParams } from '../operation-samples.ts'
import { PATIENT } from './input-kit.ts'
import { OPERATIONS, type Operation } from './operations.ts'

interface Sent {
  readonly text: string
  /** What the server said at its end, with the number of rows, such as `SELECT 1`. */
  ended: string
}

let sent: Sent[] | null = null
const underWay = new WeakMap<object, Sent>()

// Notes every statement of every connection, and its end. Only the driver sees all of them.
// oxlint-disable-next-line typescript/unbound-method -- it is called with its client
const { query } = Client.prototype
const handleEnd: unknown = Reflect.get(Client.prototype, '_handleCommandComplete')
assert.ok(typeof handleEnd === 'function')
Object.assign(Client.prototype, {
  query(this: Client, ...given: unknown[]): unknown {
    const [first] = given
    const text: unknown = typeof first === 'string' ? first : Reflect.get(Object(first), 'text')
    const note: Sent = { text: String(text), ended: '' }
    sent?.push(note)
    underWay.set(this, note)
    return Reflect.apply(query, this, given)
  },
  _handleCommandComplete(this: Client, message: { readonly text: string }): unknown {
    const note = underWay.get(this)
    if (note !== undefined) note.ended += `${message.text}; `
    return Reflect.apply(handleEnd, this, [message])
  },
})

let foreign: RecordParams = new Map()
let missing: RecordParams = new Map()
let token = ''
const app = withApp({ environment: PATIENT }, async (opened) => {
  await opened.createTenant('foreign')
  foreign = await createRecords(
    opened,
    'foreign',
    await opened.createToken({ tenantId: 'foreign' }),
  )
  // Whoever has one of these sees other tenants.
  const scopes = SCOPES.filter((scope) => scope !== 'ops:read' && scope !== 'instance:admin')
  token = await opened.createToken({ scopes })
  missing = new Map([...foreign].map(([kind, params]) => [kind, renameAll(params)]))
})

/** Names of the same form and length that no record has. */
function renameAll(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(params).map(([name, text]) => [
      name,
      name === 'version'
        ? text
        : text.replace(/[0-9a-z](?=[^0-9a-z]*$)/i, (one) => (one === '7' ? '8' : '7')),
    ]),
  )
}

/** Statements of the program's own: a poll twice a second, and one of each new connection. */
const POLLS = /_serial\b|pg_backend_pid/

interface Cost {
  readonly status: number
  readonly statements: readonly string[]
}

async function measure(
  operation: Operation,
  params: Readonly<Record<string, string>>,
): Promise<Cost> {
  const { json } = findSample(operation)
  sent = []
  const answer = await app.send(operation.method, fillPath(operation, params), {
    token,
    ...(json === undefined ? {} : { json }),
  })
  const noted = sent
  sent = null
  return {
    status: answer.status,
    statements: noted
      .filter(({ text }) => !POLLS.test(text))
      .map(({ text, ended }) => `${ended}${normalise(text)}`),
  }
}

/** Without what names the request or the record. */
function normalise(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 500)
}

const single = OPERATIONS.filter((operation) => {
  const { record } = findSample(operation)
  return record !== undefined && record !== 'instance' && record !== 'tenant'
})

test('the same statements with as many rows for a foreign record as for a missing one, on every route of one record', async (t) => {
  assert.ok(single.length > 60, `only ${single.length} operations`)
  const wrong: string[] = []
  let asked = 0
  for (const operation of single) {
    const { record = 'instance' } = findSample(operation)
    const theirs = foreign.get(record)
    const none = missing.get(record)
    assert.ok(theirs !== undefined && none !== undefined, operation.operationId)
    // The first request fills caches, and is not compared.
    await measure(operation, none)
    const ofMissing = await measure(operation, none)
    const ofForeign = await measure(operation, theirs)
    asked += ofForeign.statements.length
    if (JSON.stringify(ofForeign) !== JSON.stringify(ofMissing)) {
      wrong.push(
        `${operation.operationId}\n${tell('missing', ofMissing)}\n${tell('foreign', ofForeign)}`,
      )
    }
    if (process.env['CASEWORK_BAD_INPUT_MEDIANS'] !== undefined) {
      t.diagnostic(await compareMedians(operation, none, theirs))
    }
  }
  assert.deepEqual(wrong, [])
  assert.ok(asked > 60, `only ${asked} statements were seen`)
})

const tell = (what: string, { status, statements }: Cost): string =>
  `  ${what} ${status}: ${statements.join('\n    ')}`

const MEASURED = 41

const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[MEASURED >> 1] ?? 0

async function compareMedians(
  operation: Operation,
  none: Readonly<Record<string, string>>,
  theirs: Readonly<Record<string, string>>,
): Promise<string> {
  const times: Record<'none' | 'theirs', number[]> = { none: [], theirs: [] }
  for (let at = 0; at < MEASURED; at += 1) {
    for (const [name, params] of [
      ['none', none],
      ['theirs', theirs],
    ] as const) {
      const startedAtMs = performance.now()
      await measure(operation, params)
      times[name].push(performance.now() - startedAtMs)
    }
  }
  const [ofNone, ofTheirs] = [median(times.none), median(times.theirs)]
  return `${operation.operationId}: missing ${ofNone.toFixed(2)} ms, foreign ${ofTheirs.toFixed(2)} ms, ${((ofTheirs / ofNone - 1) * 100).toFixed(0)} %`
}
