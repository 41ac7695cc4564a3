// Holds openapi/beta.json against the interface: its endpoints (section 4) and fields (section 2)
// were copied into the tables below by hand, so that neither the schemas nor the document can drift
// from it unnoticed.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildRoutes } from '../src/app/routes.ts'
import { findPackageRoot } from '../src/values/resources.ts'
import { openTestApp } from './harness.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- a document is read as it stands
const document: any = JSON.parse(readFileSync(join(findPackageRoot(), 'openapi/beta.json'), 'utf8'))

/**
 * `!` after the type: required. `time` is `string<date-time>`, `email` a string in e-mail form,
 * `[x]` an array of x.
 */
interface Fields {
  readonly [name: string]: string | Fields | readonly [string | Fields]
}

const QUICK_CHECK_ITEM: Fields = {
  item: 'string!',
  serviceMailBlocklist: 'string!',
  type: 'string!',
  bogon: 'boolean!',
  intent: 'string!',
  activity: 'boolean!',
}
const LOOKUP_RESULT: Fields = {
  item: 'string!',
  serviceMailBlocklist: 'string!',
  type: 'string!',
  bogon: 'boolean!',
  tags: ['string'],
  firstSeen: 'time',
  lastSeen: 'time',
  intent: 'string!',
  reverseDns: { current: [{ entry: 'string!' }] },
  abuseContact: { email: 'email!', status: 'string!', lastVerification: 'time' },
  asn: { countryCode: 'string', asn: 'string!', name: 'string' },
  observedActivity: {
    honeypotInteractions: {
      firstSeen: 'time!',
      lastSeen: 'time!',
      observations: [{ firstSeen: 'time!', lastSeen: 'time!', service: 'string', type: 'string!' }],
    },
    spamtrapInteractions: {
      firstSeen: 'time!',
      lastSeen: 'time!',
      observations: [{ firstSeen: 'time!', lastSeen: 'time!', type: 'string!' }],
    },
  },
}
const TAG: Fields = {
  name: 'string!',
  intent: 'string!',
  category: 'string!',
  description: 'string!',
}
const FULL_TAG: Fields = {
  ...TAG,
  references: [{ url: 'string!', description: 'string!' }],
  timeline: [{ date: 'string!', action: 'string!', description: 'string!' }],
}
const CASE: Fields = {
  id: 'string!',
  state: 'string!',
  created_at: 'time!',
  first_event_date: 'time!',
  last_event_date: 'time!',
  customer_id: 'string!',
  tenant_id: 'string!',
  contract_id: 'string',
}
const EVENT_SUMMARY: Fields = {
  event_date: 'time!',
  event_id: 'string!',
  event_type: 'string!',
  sender_email: 'email!',
  domain: 'string',
  ip: 'string',
}
const EVENT: Fields = {
  create_date: 'time!',
  event_date: 'time!',
  event_id: 'string!',
  event_type: 'string!',
  sender_email: 'email!',
  case_id: 'string',
  contract_id: 'string',
  customer_id: 'string',
  domain: 'string',
  event_details: 'object',
  event_subtypes: ['string'],
  ip: 'string',
  recipient_email: 'email',
  resolved: 'boolean',
  tags: ['string'],
  tenant_id: 'string',
  xarf_class: 'string',
}
const FAILURE: Fields = { status: 'string!', statusCode: 'integer!', errors: { $: 'string!' } }
const successOf = (result: Fields | readonly [Fields]): Fields => ({
  status: 'string!',
  statusCode: 'integer!',
  result,
})

interface Endpoint {
  readonly request: string
  readonly security: 'bearer' | 'open'
  readonly parameters?: Readonly<Record<string, string>>
  /** The body of an answer by its status; null for an answer without a body. */
  readonly answers: Readonly<Record<number, Fields | null>>
}

/** Interface section 4, in its order. */
const ENDPOINTS: readonly Endpoint[] = [
  {
    request: 'GET /beta/casework/cases',
    security: 'bearer',
    answers: { 200: { items: [CASE], next_cursor: 'string!' } },
  },
  {
    request: 'POST /beta/casework/cases/{caseId}/trigger-playbook',
    security: 'bearer',
    parameters: { caseId: 'string!' },
    answers: { 202: null },
  },
  {
    request: 'GET /beta/ops/events/{eventId}',
    security: 'bearer',
    parameters: { eventId: 'string!' },
    answers: { 200: EVENT },
  },
  {
    request: 'GET /beta/casework/events',
    security: 'bearer',
    answers: { 200: { items: [EVENT_SUMMARY], next_cursor: 'string!' } },
  },
  {
    request: 'GET /beta/casework/events/{eventId}',
    security: 'bearer',
    parameters: { eventId: 'string!' },
    answers: { 200: EVENT },
  },
  {
    request: 'POST /beta/quick-check',
    security: 'open',
    answers: { 200: successOf([QUICK_CHECK_ITEM]), 400: FAILURE },
  },
  {
    request: 'GET /beta/query/{item}',
    security: 'open',
    parameters: { item: 'string!' },
    answers: {
      200: successOf(LOOKUP_RESULT),
      400: FAILURE,
      503: { ...successOf(LOOKUP_RESULT), errors: 'object!' },
    },
  },
  {
    request: 'GET /beta/tags/{name}',
    security: 'open',
    parameters: { name: 'string!' },
    answers: { 200: successOf(FULL_TAG), 400: FAILURE },
  },
  {
    request: 'GET /beta/tags',
    security: 'open',
    parameters: { includeDescriptions: 'boolean' },
    answers: { 200: successOf([TAG]) },
  },
]

for (const { request, security, parameters = {}, answers } of ENDPOINTS) {
  test(`${request} is in the document as the interface shows it`, () => {
    const operation = findOperation(request)
    // An operation names each set of scopes that opens it as a requirement of its own.
    const ways = operation.security.map((way: object) => Object.keys(way).join())
    const names = [...new Set(ways)]
    assert.deepEqual(names, security === 'bearer' ? ['bearer'] : ['', 'bearer', 'apiKey'])
    for (const [name, type] of Object.entries(parameters)) {
      const found = operation.parameters.find((one: { name: string }) => one.name === name)
      assert(found !== undefined, name)
      assert.equal(describe(found.schema, found.required), type)
    }
    for (const [status, fields] of Object.entries(answers)) {
      const response = operation.responses[status]
      assert(response !== undefined, status)
      if (fields === null) assert.equal(response.content, undefined)
      else checkFields(response.content['application/json'].schema, fields, `${request} ${status}`)
    }
  })
}

test('the trigger takes node and path as strings', () => {
  const operation = findOperation('POST /beta/casework/cases/{caseId}/trigger-playbook')
  const { schema } = operation.requestBody.content['application/json']
  checkFields(schema, { node: 'string!', path: 'string!' }, 'trigger')
})

test('the quick check takes 1 to 1000 strings', () => {
  const operation = findOperation('POST /beta/quick-check')
  const { schema } = operation.requestBody.content['application/json']
  assert.deepEqual(
    [schema.type, schema.items.type, schema.minItems, schema.maxItems],
    ['array', 'string', 1, 1_000],
  )
})

test('the full description of tags is off by default', () => {
  const { parameters } = findOperation('GET /beta/tags')
  const parameter = parameters.find((one: { name: string }) => one.name === 'includeDescriptions')
  assert.equal(parameter.required, false)
  assert.equal(parameter.schema.default, false)
})

test('failures of endpoints 1 to 5 are documented without a body', () => {
  for (const { request, security } of ENDPOINTS) {
    if (security === 'open') continue
    for (const [status, response] of Object.entries<{ content?: object }>(
      findOperation(request).responses,
    )) {
      if (Number(status) >= 400) assert.equal(response.content, undefined, `${request} ${status}`)
    }
  }
})

test('the document begins with the endpoints of the interface, in its order', () => {
  const paths = ENDPOINTS.map(({ request }) => request.split(' ')[1])
  assert.deepEqual(Object.keys(document.paths).slice(0, paths.length), paths)
})

test('the document has every route of the program, and no other operation', async (t) => {
  const app = await openTestApp()
  t.after(() => app.close())
  const known = buildRoutes(app.services).map(({ method, path }) => `${method} ${path}`)
  assert.deepEqual(listRequests().toSorted(), known.toSorted())
})

// oxlint-disable-next-line typescript/no-explicit-any -- a document is read as it stands
function findOperation(request: string): any {
  const [method = '', path = ''] = request.split(' ')
  const operation = document.paths[path]?.[method.toLowerCase()]
  assert(operation !== undefined, `${request} is missing`)
  return operation
}

function listRequests(): readonly string[] {
  return Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
}

// oxlint-disable-next-line typescript/no-explicit-any -- a document is read as it stands
function checkFields(given: any, fields: Fields, place: string): void {
  const schema = resolve(given)
  assert.equal(schema.type, 'object', place)
  for (const [name, expected] of Object.entries(fields)) {
    const where = `${place}: ${name}`
    const property = resolve(schema.properties?.[name])
    assert(property !== undefined, `${where} is missing`)
    if (typeof expected === 'string') {
      assert.equal(describe(property, schema.required?.includes(name)), expected, where)
    } else if (Array.isArray(expected)) {
      assert.equal(property.type, 'array', where)
      const [element] = expected
      if (typeof element === 'string') assert.equal(describe(property.items, false), element, where)
      // Where elements have several forms, the first is that of the interface; the others are ours.
      else checkFields(property.items.anyOf?.[0] ?? property.items, element, where)
    } else {
      checkFields(property, expected as Fields, where)
    }
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- a document is read as it stands
function resolve(schema: any): any {
  if (typeof schema?.$ref !== 'string') return schema
  return schema.$ref
    .slice(2)
    .split('/')
    .reduce((place: Record<string, unknown>, part: string) => place[part], document)
}

const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'time', email: 'email' }

// A schema of one fixed value names no type.
// oxlint-disable-next-line typescript/no-explicit-any -- a document is read as it stands
function describe(schema: any, isRequired: unknown): string {
  const type = FORMATS[schema.format] ?? schema.type ?? typeof schema.const
  return isRequired === true ? `${type}!` : type
}
