// What every operation refuses, each with every status and in the form of its group (interface
// section 7): the envelope for threat intelligence, no body on endpoints 1 to 5 unless Accept names
// problem+json, problem+json on the others. The operations come from the table of routes, and an
// operation without a sample (test/operation-samples.ts) fails.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestAnswer, withApp } from '../../test/harness.ts'
import {
  createRecords,
  fillPath,
  findSample,
  type OperationSample,
} from '../../test/operation-samples.ts'
import type { Access, Route } from '../kernel/http/route.ts'
import { ROLE_SCOPES, SCOPES, type Scope } from '../vocabulary/scopes.ts'
import { buildRoutes } from './routes.ts'

interface Operation {
  readonly route: Route
  readonly sample: OperationSample
  readonly path: string
  readonly name: string
}

const CASEWORK = '/beta/casework'
const PROBLEM = { accept: 'application/problem+json' }

let operations: readonly Operation[] = []
// Each test meets many wrong credentials.
const app = withApp({ environment: { CASEWORK_FAILED_CREDENTIALS_LIMIT: '100000' } }, async () => {
  operations = buildRoutes(app.services).map((route) => {
    const sample = findSample(route)
    const path = fillPath(route, sample.params)
    return { route, sample, path, name: `${route.method} ${path}` }
  })
})

function listOperations(isWanted: (route: Route, sample: OperationSample) => boolean) {
  const found = operations.filter(({ route, sample }) => isWanted(route, sample))
  assert.ok(found.length > 4, `only ${found.length} operations were seen`)
  return found
}

function send(
  { route, sample, path }: Operation,
  token?: string,
  headers: Record<string, string> = {},
  to = path,
): Promise<TestAnswer> {
  return app.send(route.method, to, {
    ...(token === undefined ? {} : { token }),
    ...(sample.json === undefined ? {} : { json: sample.json }),
    headers,
  })
}

function assertForm(answer: TestAnswer, { route, name }: Operation, asksForProblem = false): void {
  if (route.failsWithoutBody === true && !asksForProblem) {
    assert.equal(answer.text, '', name)
    assert.equal(answer.headers['content-type'], undefined, name)
  } else if (route.group === 'intel') {
    assert.match(String(answer.headers['content-type']), /^application\/json/, name)
    const { status, statusCode, errors } = answer.json()
    assert.deepEqual([status, statusCode], ['failure', answer.status], name)
    assert.match(errors.$, /^[A-Z].+/, name)
  } else {
    assert.equal(answer.headers['content-type'], 'application/problem+json', name)
    assert.equal(answer.json().status, answer.status, name)
    assert.match(answer.json().code, /^(KERNEL|CASEWORK|APP)_[A-Z_]+$/, name)
  }
}

/** Everything of an answer but what names the request. */
function strip(answer: TestAnswer): object {
  // The id of a request ends with a number, and becomes longer with the thousandth.
  const { 'x-request-id': _, date: __, 'content-length': ___, ...headers } = answer.headers
  const text = answer.text.replace(/"request_id":"[^"]*"/, '')
  return { status: answer.status, headers, text }
}

/** The sets of scopes each of which lets a token in; none where no scope is needed. */
function listWays(access: Access): readonly (readonly Scope[])[] {
  if (access.kind === 'scope' || access.kind === 'open-intel') return [[access.scope]]
  return access.kind === 'one-of' ? access.ways : []
}

const needsToken = ({ access }: Route): boolean =>
  access.kind !== 'public' && access.kind !== 'open-intel'

test('401 with a challenge when there is no credential, or none that is known', async () => {
  for (const operation of listOperations((route) => route.access.kind !== 'public')) {
    const answers = [await send(operation, 'cw_api_unknown')]
    if (needsToken(operation.route)) answers.push(await send(operation))
    for (const answer of answers) {
      assert.equal(answer.status, 401, operation.name)
      assert.match(String(answer.headers['www-authenticate']), /^Bearer realm=/)
      assertForm(answer, operation)
    }
    if (operation.route.group === 'intel') continue
    assertForm(await send(operation, undefined, PROBLEM), operation, true)
  }
})

test('403 with the name of the missing scope when the token has every other', async () => {
  for (const operation of listOperations(({ access }) => listWays(access).length > 0)) {
    const missing = new Set(listWays(operation.route.access).flatMap(([first]) => first ?? []))
    const scopes = SCOPES.filter((scope) => !missing.has(scope))
    const answer = await send(operation, await app.createToken({ scopes }))
    assert.equal(answer.status, 403, operation.name)
    const named = /scope="([^"]+)"/.exec(String(answer.headers['www-authenticate']))?.[1] ?? ''
    assert.ok(
      listWays(operation.route.access)[0]?.some((scope) => scope === named),
      operation.name,
    )
    assertForm(answer, operation)
  }
})

// A right that the body asks for beside the one to send it.
const ALSO: Readonly<Record<string, readonly Scope[]>> = {
  createRole: ['cases:read'],
  createToken: ['cases:read'],
  inviteUser: ROLE_SCOPES.viewer,
  changeCaseGroup: ['rules:write', 'playbooks:activate'],
}

test('the one scope a route declares is enough', async () => {
  for (const operation of listOperations(({ access }) => listWays(access).length > 0)) {
    for (const way of listWays(operation.route.access)) {
      const scopes = [...way, ...(ALSO[operation.route.operationId] ?? [])]
      const answer = await send(operation, await app.createToken({ scopes }))
      assert.ok(![401, 403].includes(answer.status), `${operation.name}: ${answer.text}`)
    }
  }
})

const isOfTenant = (_: Route, { record }: OperationSample): boolean =>
  record !== undefined && record !== 'instance'

test('every part of a path names a record of a tenant or of the instance', () => {
  for (const { route, sample } of operations) {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    assert.deepEqual(new Set(Object.keys(sample.params ?? {})), new Set(names), route.path)
    assert.equal(sample.record === undefined, names.length === 0, route.path)
  }
})

// By kind of record, or by operation.
const NOT_FOUND: Readonly<Record<string, string>> = {
  case: 'CASEWORK_CASE_NOT_FOUND',
  run: 'CASEWORK_RUN_NOT_FOUND',
  getCaseRun: 'CASEWORK_CASE_NOT_FOUND',
  event: 'CASEWORK_EVENT_NOT_FOUND',
  report: 'CASEWORK_REPORT_NOT_FOUND',
  group: 'CASEWORK_CASE_GROUP_NOT_FOUND',
  'group rule': 'CASEWORK_CASE_GROUP_NOT_FOUND',
  'mute rule': 'CASEWORK_MUTE_RULE_NOT_FOUND',
  customer: 'CASEWORK_OWNER_NOT_FOUND',
  contract: 'CASEWORK_OWNER_NOT_FOUND',
  resource: 'CASEWORK_OWNER_NOT_FOUND',
  playbook: 'CASEWORK_PLAYBOOK_NOT_FOUND',
  'report address': 'APP_REPORT_ADDRESS_NOT_FOUND',
  token: 'APP_TOKEN_NOT_FOUND',
  user: 'APP_USER_NOT_FOUND',
  'user identity': 'APP_USER_NOT_FOUND',
  'user group': 'APP_GROUP_NOT_FOUND',
  role: 'APP_ROLE_NOT_FOUND',
  'service account': 'APP_SERVICE_ACCOUNT_NOT_FOUND',
  'trusted reporter': 'CASEWORK_TRUSTED_REPORTER_NOT_FOUND',
  secret: 'CASEWORK_SECRET_NOT_FOUND',
  calendar: 'CASEWORK_CALENDAR_NOT_FOUND',
  notice: 'CASEWORK_NOTICE_NOT_FOUND',
  mitigation: 'CASEWORK_MITIGATION_NOT_FOUND',
  adapter: 'CASEWORK_ADAPTER_NOT_FOUND',
  'suppressed address': 'CASEWORK_SUPPRESSED_ADDRESS_NOT_FOUND',
  template: 'CASEWORK_TEMPLATE_NOT_FOUND',
  previewTemplate: 'CASEWORK_CASE_NOT_FOUND',
  view: 'CASEWORK_VIEW_NOT_FOUND',
  'bulk change': 'CASEWORK_BULK_CHANGE_NOT_FOUND',
  webhook: 'CASEWORK_WEBHOOK_NOT_FOUND',
  delivery: 'CASEWORK_WEBHOOK_NOT_FOUND',
  tenant: 'APP_TENANT_NOT_FOUND',
  getOwnerResolver: 'APP_OWNER_RESOLVER_NOT_FOUND',
  deleteOwnerResolver: 'APP_OWNER_RESOLVER_NOT_FOUND',
}

test('404 for a record that is missing', async () => {
  for (const operation of listOperations(isOfTenant)) {
    const answer = await send(operation, app.token)
    assert.equal(answer.status, 404, `${operation.name}: ${answer.text}`)
    assertForm(answer, operation)
    const told = await send(operation, app.token, PROBLEM)
    assertForm(told, operation, true)
    const { operationId } = operation.route
    const code = NOT_FOUND[operationId] ?? NOT_FOUND[operation.sample.record ?? '']
    assert.equal(told.json().code, code, operation.name)
  }
})

const ODD_IDS = ['nonsense', "'or'1'='1", 'x'.repeat(300)]

test('404 in the same bytes for a missing, a malformed and another tenant’s record', async () => {
  await app.createTenant('foreign')
  const foreign = await app.createToken({ tenantId: 'foreign' })
  const records = await createRecords(app, 'foreign', foreign)
  // Whoever has one of these sees other tenants.
  const scopes = SCOPES.filter((scope) => scope !== 'ops:read' && scope !== 'instance:admin')
  const token = await app.createToken({ scopes })
  let foundCount = 0
  for (const operation of listOperations(isOfTenant)) {
    const { route, sample, name } = operation
    const theirs = records.get(sample.record ?? 'instance')
    assert.ok(theirs !== undefined, `no record of the kind ${sample.record}`)
    for (const accept of ['*/*', 'application/problem+json']) {
      const missing = strip(await send(operation, token, { accept }))
      foundCount += Reflect.get(missing, 'status') === 404 ? 1 : 0
      assert.ok([403, 404].includes(Reflect.get(missing, 'status')), name)
      const others: readonly Readonly<Record<string, string>>[] = ODD_IDS.map((odd) =>
        Object.fromEntries(Object.keys(theirs).map((part) => [part, odd])),
      )
      for (const params of [theirs, ...others]) {
        const answer = await send(operation, token, { accept }, fillPath(route, params))
        assert.deepEqual(strip(answer), missing, `${name} ${JSON.stringify(params)}`)
      }
    }
    const zero = fillPath(route, theirs).replace(/[^/]{4,}(?=$|\/[^/]*$)/, '%00')
    assert.ok([400, 403, 404].includes((await send(operation, token, {}, zero)).status), zero)
  }
  assert.ok(foundCount > 50, `only ${foundCount} answers were 404`)
  // What was made is there for its own tenant.
  for (const operation of operations.filter(({ route }) => route.method === 'GET')) {
    const params = records.get(operation.sample.record ?? 'instance')
    if (params === undefined) continue
    const path = fillPath(operation.route, params)
    const answer = await app.send('GET', path, { token: foreign })
    // There is no resolver, and the report is no mail.
    const isThere =
      answer.status === 200 ||
      ['getOwnerResolver', 'getRegressionCase'].includes(operation.route.operationId)
    assert.ok(isThere, `${path}: ${answer.text}`)
  }
})

test('the operations path reads any tenant’s event with ops:read, and only one’s own without', async () => {
  await app.createTenant('watched')
  const watched = await app.createToken({ tenantId: 'watched' })
  const json = { event_date: '2026-01-02T00:00:00Z', event_type: 'Spam', ip: '192.0.2.9' }
  const { event_id: id } = (
    await app.send('POST', `${CASEWORK}/events`, { token: watched, json })
  ).json()
  const operator = await app.createToken({ scopes: ['ops:read'] })
  const read = (as: string, path: string): Promise<TestAnswer> =>
    app.send('GET', path, { token: as })
  const own = await read(watched, `${CASEWORK}/events/${id}`)
  const ops = await read(operator, `/beta/ops/events/${id.toUpperCase()}`)
  assert.equal(ops.status, 200)
  assert.equal(ops.text, own.text)
  assert.equal(ops.json().tenant_id, 'watched')
  assert.equal((await read(watched, `/beta/ops/events/${id}`)).text, own.text)
  const stranger = await app.createToken({ scopes: ['events:read'] })
  assert.equal((await read(stranger, `/beta/ops/events/${id}`)).status, 404)
})

test('405 with the methods that the path has', async () => {
  const methods = ['PUT', 'PATCH', 'DELETE', 'POST', 'GET'] as const
  for (const { route, path } of operations) {
    const taken = operations.filter(({ route: other }) => other.path === route.path)
    const method = methods.find((one) => taken.every(({ route: other }) => other.method !== one))
    const answer = await app.send(method ?? 'PUT', path, { token: app.token })
    // `/cases/counts` is a case id to another method.
    if (answer.status !== 405) continue
    assert.ok(String(answer.headers['allow']).includes(route.method), path)
  }
})

const takesJson = (route: Route): boolean =>
  route.body !== undefined && route.bodyKind !== 'bytes' && route.consumes === undefined

test('415 for a body of another media type than JSON, 413 for one that is too large', async () => {
  for (const { route, path } of listOperations(takesJson)) {
    const headers = { 'content-type': 'text/plain' }
    const answer = await app.send(route.method, path, { token: app.token, body: '{}', headers })
    assert.equal(answer.status, 415, path)
    const limit = route.jsonBodyLimit ?? route.bodyLimit ?? 262_144
    const json = { text: 'x'.repeat(limit) }
    assert.equal((await app.send(route.method, path, { token: app.token, json })).status, 413, path)
  }
})

// A report is stored as it came, whatever it is.
const isParsed = ({ body, bodyKind }: Route): boolean => body !== undefined && bodyKind !== 'bytes'

test('400 for a body of another shape', async () => {
  await app.createTenant('shapes')
  const token = await app.createToken({ tenantId: 'shapes' })
  const own = await createRecords(app, 'shapes', token)
  for (const operation of listOperations(isParsed)) {
    const { route, sample, name } = operation
    const path = fillPath(route, { ...sample.params, ...own.get(sample.record ?? 'instance') })
    for (const json of [7, 'x', null, [[]], { unknown_member: 1 }]) {
      const answer = await app.send(route.method, path, { token, json })
      // Rows of a push are answered one by one.
      const isTaken = answer.status === 200 && Array.isArray(json)
      assert.ok(isTaken || answer.status === 400, `${name} ${JSON.stringify(json)}: ${answer.text}`)
      if (!isTaken) assertForm(answer, operation)
    }
  }
})

const isStrict = ({ group, unknownQuery }: Route): boolean =>
  (group === 'casework' || group === 'admin') && unknownQuery !== 'ignored'

test('400 for a query parameter that a route does not know', async () => {
  for (const operation of listOperations(isStrict)) {
    const answer = await send(operation, app.token, {}, `${operation.path}?verbose=1`)
    assert.equal(answer.status, 400, operation.path)
    assertForm(answer, operation)
  }
})
