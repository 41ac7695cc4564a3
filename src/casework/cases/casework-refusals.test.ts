// What the routes of casework refuse, each with every status and in the form that interface section
// 7 leaves it: without a body on endpoints 1 to 5 unless Accept names problem+json, as problem+json
// on the others.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestAnswer, withApp } from '../../../test/harness.ts'
import { SCOPES, type Scope } from '../../vocabulary/scopes.ts'

interface Operation {
  readonly method: string
  readonly path: string
  readonly scope: Scope
  /** True for endpoints 1 to 5. */
  readonly isSilent?: boolean
  readonly json?: unknown
}

const CASE = 'C-01890000-0000-7000-8000-000000000000'
const UUID = '01890000-0000-7000-8000-000000000000'
const CASEWORK = '/beta/casework'
const OPERATIONS: readonly Operation[] = [
  { method: 'GET', path: `${CASEWORK}/cases`, scope: 'cases:read', isSilent: true },
  { method: 'GET', path: `/beta/ops/events/${UUID}`, scope: 'events:read', isSilent: true },
  { method: 'GET', path: `${CASEWORK}/events`, scope: 'events:read', isSilent: true },
  { method: 'GET', path: `${CASEWORK}/events/${UUID}`, scope: 'events:read', isSilent: true },
  { method: 'POST', path: `${CASEWORK}/reports`, scope: 'events:ingest', json: {} },
  { method: 'GET', path: `${CASEWORK}/reports`, scope: 'events:read' },
  { method: 'GET', path: `${CASEWORK}/reports/${UUID}`, scope: 'events:read' },
  { method: 'GET', path: `${CASEWORK}/reports/${UUID}/raw`, scope: 'events:raw' },
  { method: 'GET', path: `${CASEWORK}/reports/${UUID}/events`, scope: 'events:read' },
  { method: 'GET', path: `${CASEWORK}/cases/${CASE}/reports`, scope: 'events:read' },
  { method: 'POST', path: `${CASEWORK}/events`, scope: 'events:ingest', json: {} },
  { method: 'GET', path: `${CASEWORK}/cases/${CASE}`, scope: 'cases:read' },
  {
    method: 'PATCH',
    path: `${CASEWORK}/cases/${CASE}`,
    scope: 'cases:write',
    json: { version: 1 },
  },
  { method: 'GET', path: `${CASEWORK}/cases/${CASE}/comments`, scope: 'cases:read' },
  {
    method: 'POST',
    path: `${CASEWORK}/cases/${CASE}/comments`,
    scope: 'cases:write',
    json: { text: 'x' },
  },
  { method: 'GET', path: `${CASEWORK}/cases/${CASE}/history`, scope: 'cases:read' },
  { method: 'GET', path: `${CASEWORK}/runs`, scope: 'cases:read' },
  { method: 'GET', path: `${CASEWORK}/customers/nobody/counters`, scope: 'customers:read' },
  { method: 'GET', path: `${CASEWORK}/case-groups`, scope: 'cases:read' },
  {
    method: 'PATCH',
    path: `${CASEWORK}/case-groups/none`,
    scope: 'rules:write',
    json: { enabled: true },
  },
]
const NOT_FOUND_CODES = [
  ['/case-groups/', 'CASEWORK_CASE_GROUP_NOT_FOUND'],
  ['/cases/', 'CASEWORK_CASE_NOT_FOUND'],
  ['/events/', 'CASEWORK_EVENT_NOT_FOUND'],
  ['/reports/', 'CASEWORK_REPORT_NOT_FOUND'],
] as const
const RECORDS = OPERATIONS.filter(({ path }) => /\/(?:C-)?01890000|groups\/none/.test(path))

const app = withApp()

function send(
  operation: Operation,
  as?: string,
  headers: Record<string, string> = {},
  path = operation.path,
): Promise<TestAnswer> {
  return app.send(operation.method, path, {
    ...(as === undefined ? {} : { token: as }),
    ...(operation.json === undefined ? {} : { json: operation.json }),
    headers,
  })
}

function assertForm(answer: TestAnswer, operation: Operation, asksForProblem = false): void {
  const name = `${operation.method} ${operation.path}`
  if (operation.isSilent === true && !asksForProblem) {
    assert.equal(answer.text, '', name)
    assert.equal(answer.headers['content-type'], undefined, name)
    return
  }
  assert.equal(answer.headers['content-type'], 'application/problem+json', name)
  assert.equal(answer.json().status, answer.status)
  assert.match(answer.json().code, /^(KERNEL|CASEWORK)_[A-Z_]+$/)
}

/** Everything of an answer but what names the request. */
function strip(answer: TestAnswer): object {
  const { 'x-request-id': _, date: __, ...headers } = answer.headers
  const text = answer.text.replace(/"request_id":"[^"]*"/, '')
  return { status: answer.status, headers, text }
}

test('401 with a challenge when there is no credential, or none that is known', async () => {
  const accept = 'application/problem+json'
  for (const operation of OPERATIONS) {
    // Wrong credentials count against the address (30 a minute), so each route meets one.
    const answers = [await send(operation), await send(operation, 'cw_api_unknown')]
    for (const answer of answers) {
      assert.equal(answer.status, 401)
      assert.match(String(answer.headers['www-authenticate']), /^Bearer realm=/)
      assertForm(answer, operation)
    }
    assertForm(await send(operation, undefined, { accept }), operation, true)
  }
})

test('403 with the name of the missing scope when the token has every other', async () => {
  for (const operation of OPERATIONS) {
    const others = SCOPES.filter((scope) => scope !== operation.scope && scope !== 'ops:read')
    const answer = await send(operation, await app.createToken({ scopes: others }))
    assert.equal(answer.status, 403, `${operation.method} ${operation.path}`)
    assert.ok(String(answer.headers['www-authenticate']).includes(`scope="${operation.scope}"`))
    assertForm(answer, operation)
  }
})

test('the one scope a route declares is enough', async () => {
  for (const operation of OPERATIONS) {
    const answer = await send(operation, await app.createToken({ scopes: [operation.scope] }))
    assert.ok(![401, 403].includes(answer.status), `${operation.path}: ${answer.status}`)
  }
})

test('404 for a record that is missing', async () => {
  for (const operation of RECORDS) {
    const answer = await send(operation, app.token)
    assert.equal(answer.status, 404, operation.path)
    assertForm(answer, operation)
    const told = await send(operation, app.token, { accept: 'application/problem+json' })
    const code = NOT_FOUND_CODES.find(([word]) => operation.path.includes(word))?.[1]
    assert.equal(told.json().code, code, operation.path)
    assertForm(
      await send(operation, app.token, { accept: 'application/problem+json' }),
      operation,
      true,
    )
  }
})

test('404 in the same bytes for a missing, a malformed and another tenant’s record', async () => {
  await app.createTenant('foreign')
  const foreign = await app.createToken({ tenantId: 'foreign' })
  const event = { event_date: '2026-01-01T00:00:00Z', event_type: 'Spam', ip: '192.0.2.1' }
  const pushed = (
    await app.send('POST', `${CASEWORK}/events`, { token: foreign, json: event })
  ).json()
  const report = await app.send('POST', `${CASEWORK}/reports`, { token: foreign, json: { x: 1 } })
  const ids: Record<string, string> = {
    events: pushed.event_id,
    cases: pushed.case_id,
    reports: report.json().report_id,
  }
  const reader = await app.createToken({ scopes: SCOPES.filter((scope) => scope !== 'ops:read') })
  for (const operation of RECORDS.filter(({ path }) => !path.includes('groups'))) {
    const kind = /\/(events|cases|reports)\//.exec(operation.path)?.[1] ?? ''
    for (const accept of ['*/*', 'application/problem+json']) {
      const missing = strip(await send(operation, reader, { accept }))
      for (const other of [ids[kind] ?? '', 'nonsense', '%00', "'or'1'='1", 'x'.repeat(300)]) {
        const path = operation.path.replace(
          /(?:C-)?01890000[0-9a-f-]+/,
          encodeURIComponent(other).replace('%2500', '%00'),
        )
        const answer = await send(operation, reader, { accept }, path)
        if (other === '%00') assert.ok([400, 404].includes(answer.status), path)
        else assert.deepEqual(strip(answer), missing, path)
      }
    }
  }
  const seen = await app.send('GET', `${CASEWORK}/events/${pushed.event_id.toUpperCase()}`, {
    token: foreign,
  })
  assert.equal(seen.status, 200)
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
  for (const operation of OPERATIONS) {
    const answer = await app.send('PUT', operation.path, { token: app.token })
    assert.equal(answer.status, 405, operation.path)
    assert.ok(String(answer.headers['allow']).includes(operation.method), operation.path)
  }
})

test('415 for a body of another media type than JSON, 413 for one that is too large', async () => {
  const bodies = OPERATIONS.filter(
    ({ json, path }) => json !== undefined && !path.endsWith('/reports'),
  )
  assert.equal(bodies.length, 4)
  for (const { method, path } of bodies) {
    const headers = { 'content-type': 'text/plain' }
    assert.equal(
      (await app.send(method, path, { token: app.token, body: '{}', headers })).status,
      415,
      path,
    )
    const json = { text: 'x'.repeat(8 * 1024 * 1024) }
    assert.equal((await app.send(method, path, { token: app.token, json })).status, 413, path)
  }
})

test('400 for a query parameter that a route does not know', async () => {
  for (const operation of OPERATIONS) {
    const answer = await send(operation, app.token, {}, `${operation.path}?verbose=1`)
    assert.equal(answer.status, 400, operation.path)
    assertForm(answer, operation)
  }
})
