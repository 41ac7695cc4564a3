// Bodies and queries made from the schemas of the document: every answer to a valid one is as the
// document says, and an invalid one is refused and changes nothing.
//
// CASEWORK_BAD_INPUT_RUNS=2000 for a long round.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { type TestAnswer, withApp } from '../harness.ts'
import { createRecords, fillPath, findSample, type RecordParams } from '../operation-samples.ts'
import { AGAIN, digestTables, PATIENT, SEED } from './input-kit.ts'
import {
  explainAnswer,
  explainMisfit,
  OPERATIONS,
  type Operation,
  type Parameter,
  type Schema,
} from './operations.ts'
import { arbitraryOf, nearSample, spoil } from './schema-arbitrary.ts'

const RUNS = Number(process.env['CASEWORK_BAD_INPUT_RUNS'] ?? 6)

const TENANT = 'schemas'
let token = ''
let own: RecordParams = new Map()
const app = withApp({ environment: PATIENT }, async (opened) => {
  await opened.createTenant(TENANT)
  token = await opened.createToken({ tenantId: TENANT })
  own = await createRecords(opened, TENANT, token)
})

// The stream has no end.
const LEFT_OUT = new Set(['openStream'])
const operations = OPERATIONS.filter(({ operationId }) => !LEFT_OUT.has(operationId))
const withBody = operations.filter(({ body }) => body !== null)
const withQuery = operations.filter(({ parameters }) =>
  parameters.some((one) => one.in === 'query'),
)

function pathOf(operation: Operation): string {
  const sample = findSample(operation)
  // The resolver of a tenant that exists would be asked from then on.
  const record = sample.record === 'tenant' ? undefined : own.get(sample.record ?? 'instance')
  return fillPath(operation, { ...sample.params, ...record })
}

const send = (operation: Operation, path: string, json?: unknown): Promise<TestAnswer> =>
  app.send(operation.method, path, { token, ...(json === undefined ? {} : { json }) })

/** Runs the property and gives what it found, with the smallest case; null for nothing. */
async function findFault<Value>(
  arbitrary: fc.Arbitrary<Value>,
  check: (value: Value) => Promise<string | null>,
): Promise<string | null> {
  let fault = ''
  const property = fc.asyncProperty(arbitrary, async (value) => {
    const found = await check(value)
    if (found !== null) fault = `${found} for ${JSON.stringify(value)?.slice(0, 400)}`
    return found === null
  })
  const { failed } = await fc.check(property, {
    numRuns: RUNS,
    seed: SEED,
    // Shrinking a failure may take some requests, not thousands.
    interruptAfterTimeLimit: 600_000,
  })
  return failed ? fault : null
}

async function collectFaults(
  from: readonly Operation[],
  look: (operation: Operation) => Promise<string | null>,
): Promise<readonly string[]> {
  const faults: string[] = []
  for (const operation of from) {
    const fault = await look(operation)
    if (fault !== null) faults.push(`${operation.operationId} ${fault}`)
  }
  return faults
}

/** A member that is undefined is not sent. */
function asSent(body: unknown): unknown {
  const text: string | undefined = JSON.stringify(body)
  return text === undefined ? undefined : JSON.parse(text)
}

const tell = ({ status, text }: TestAnswer): string => `${status} ${text.slice(0, 300)}`

test(`every answer to a body that the document takes is as the document says (${AGAIN})`, async () => {
  assert.ok(withBody.length > 80)
  const faults = await collectFaults(withBody, (operation) => {
    const path = pathOf(operation)
    const { json } = findSample(operation)
    return findFault(nearSample(operation.body, json), async (body) => {
      const answer = await send(operation, path, body)
      const fault = explainAnswer(operation, answer)
      return fault === null ? null : `${fault}: ${tell(answer)}`
    })
  })
  assert.deepEqual(faults, [])
})

test(`4xx for a body that the document does not take, and nothing changes (${AGAIN})`, async () => {
  let before = await digestTables(app)
  const faults = await collectFaults(withBody, async (operation) => {
    const { body: schema, path: template } = operation
    if (schema === null) return null
    const { json = {} } = findSample(operation)
    const path = pathOf(operation)
    const fault = await findFault(spoil(json).map(asSent), async (body) => {
      if (body === undefined || explainMisfit(schema, body) === null) return null
      const answer = await send(operation, path, body)
      const wrong = explainAnswer(operation, answer)
      if (wrong !== null) return `${wrong}: ${tell(answer)}`
      const isRefused =
        answer.status >= 400 || refusesRows(answer) || TELLS.has(operation.operationId)
      return isRefused ? null : `was taken at ${template}: ${tell(answer)}`
    })
    const after = await digestTables(app)
    const changed = listChanges(before, after)
    before = after
    return fault ?? (changed.length === 0 ? null : `changed ${changed.join()}`)
  })
  assert.deepEqual(faults, [])
})

// 200 with what is wrong with the body.
const TELLS = new Set(['validatePlaybook'])

/** A push or an import answers for each of its rows. */
function refusesRows({ status, text }: TestAnswer): boolean {
  return status === 200 && /"(?:rejected":\[\{|error":)/.test(text)
}

function listChanges(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  return [...after.keys()].filter((name) => after.get(name) !== before.get(name))
}

const NUMERIC = new Set(['integer', 'number'])

/** The text of a parameter that its schema takes. */
function parameterText({ schema }: Parameter): fc.Arbitrary<string> {
  return arbitraryOf(schema).map((value) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return text.toWellFormed()
  })
}

function queryOf(parameters: readonly Parameter[]): fc.Arbitrary<Record<string, string>> {
  const texts = parameters.map((one) => fc.option(parameterText(one)))
  return fc.tuple(...texts).map((given) =>
    Object.fromEntries(
      parameters.flatMap(({ name }, at) => {
        const text = given[at]
        return text === null || text === undefined ? [] : [[name, text]]
      }),
    ),
  )
}

const ODD_PARAMETERS = [
  '',
  ' ',
  '-1',
  '0',
  '1e3',
  '0x10',
  '1.5',
  'x',
  'true',
  '99999999999999999999',
  '[]',
  '%',
]

test(`every answer to a query, valid or not, is as the document says (${AGAIN})`, async () => {
  assert.ok(withQuery.length > 50)
  const faults = await collectFaults(withQuery, (operation) => {
    const parameters = operation.parameters.filter((one) => one.in === 'query')
    const names = parameters.map(({ name }) => name)
    const path = pathOf(operation)
    const { json } = findSample(operation)
    const odd = fc.dictionary(
      fc.constantFrom(...names, 'unknown', 'limit', 'cursor', 'a[b]', '__proto__x'),
      fc.constantFrom(...ODD_PARAMETERS),
      { maxKeys: 4, noNullPrototype: true },
    )
    return findFault(fc.oneof(queryOf(parameters), odd), async (query) => {
      const answer = await send(operation, `${path}?${new URLSearchParams(query).toString()}`, json)
      const fault = explainAnswer(operation, answer)
      if (fault !== null) return `${fault}: ${tell(answer)}`
      const isTaken = answer.status < 300
      const wrong = isTaken ? findWrongNumber(parameters, query) : null
      return wrong === null ? null : `took ${wrong}`
    })
  })
  assert.deepEqual(faults, [])
})

/** A parameter of a number that is no number in its plain spelling, or out of its range. */
function findWrongNumber(
  parameters: readonly Parameter[],
  query: Readonly<Record<string, string>>,
): string | null {
  for (const { name, schema } of parameters) {
    const text = query[name]
    if (text === undefined || !isNumeric(schema)) continue
    const isPlain = /^-?\d+(?:\.\d+)?$/.test(text)
    if (!isPlain || explainMisfit(schema, Number(text)) !== null) return `${name}=${text}`
  }
  return null
}

const isNumeric = ({ type }: Schema): boolean => NUMERIC.has(String(type))
