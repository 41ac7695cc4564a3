// The authorisation matrix (OWASP API1 and API5): every operation × 23 principals × 5 kinds of
// object. Each role is a principal twice: as a token, and as a person who is signed in. What the
// table of test/access-table.ts does not give is refused, whatever the object is, and a refused
// request changes nothing.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ACCESS_TABLE, MATRIX_ROLES, type MatrixRole } from '../../test/access-table.ts'
import { type TestAnswer, withApp } from '../../test/harness.ts'
import {
  createRecords,
  fillPath,
  findSample,
  type RecordParams,
} from '../../test/operation-samples.ts'
import { type Browser, createPerson } from '../../test/people-kit.ts'
import { createTokenText } from '../access/token-text.ts'
import type { Route } from '../kernel/http/route.ts'
import { ROLE_SCOPES } from '../vocabulary/scopes.ts'
import { buildRoutes } from './routes.ts'

const OWN = 'matrix'
const OTHER = 'elsewhere'
const TRIES_MAX = 10

let routes: readonly Route[] = []
let own: RecordParams
let other: RecordParams

/** Whoever holds a role. */
interface Holder {
  readonly role: MatrixRole
  readonly kind: 'token' | 'session'
  readonly headers: Readonly<Record<string, string>>
}
const holders: Holder[] = []

// Each cell of the first eleven principals is a wrong credential.
const environment = { CASEWORK_FAILED_CREDENTIALS_LIMIT: '100000' }
const app = withApp({ environment }, async () => {
  routes = buildRoutes(app.services)
  own = await openTenant(OWN)
  other = await openTenant(OTHER)
  for (const role of MATRIX_ROLES) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const token = await app.createToken({ tenantId: OWN, scopes: [...ROLE_SCOPES[role]] })
    holders.push({ role, kind: 'token', headers: bearer(token) })
    // oxlint-disable-next-line eslint/no-await-in-loop
    const person = await createPerson(app, app.token, { roles: [role], tenantId: OWN })
    holders.push({ role, kind: 'session', headers: listCookieHeaders(person.browser) })
  }
})

/** As a page of ours sends them. */
function listCookieHeaders({ cookie, csrfToken }: Browser): Readonly<Record<string, string>> {
  return { cookie, 'casework-csrf': csrfToken }
}

async function openTenant(tenantId: string): Promise<RecordParams> {
  await app.createTenant(tenantId)
  return await createRecords(app, tenantId, await app.createToken({ tenantId }))
}

const bearer = (text: string) => ({ authorization: `Bearer ${text}` })

type Principal = readonly [name: string, headers: Readonly<Record<string, string>>]

/** Principals that nobody is: each is answered 400 or 401, never by what it asked for. */
async function listUnknown(): Promise<readonly Principal[]> {
  const expired = await app.createToken({ tenantId: OWN, expiresAt: new Date(Date.now() - 1_000) })
  const revoked = await app.createToken({ tenantId: OWN })
  const admin = app.token
  const revokedId = await app.send('GET', '/beta/whoami', { token: revoked })
  const path = `/beta/admin/tokens/${revokedId.json().token_id}`
  assert.equal((await app.send('DELETE', path, { token: admin })).status, 204)
  const { browser } = await createPerson(app, admin, { tenantId: OWN })
  assert.equal((await browser.send('DELETE', '/beta/session')).status, 204)
  return [
    ['none', {}],
    ['basic', { authorization: `Basic ${Buffer.from(`x:${admin}`).toString('base64')}` }],
    ['two credentials', { authorization: `Bearer ${admin}, Bearer ${admin}` }],
    ['empty bearer', { authorization: 'Bearer ' }],
    ['api key beside bearer', { ...bearer('x'), 'x-api-key': admin }],
    ['garbage', { authorization: 'Bearer \u00ff\u0001' }],
    ['unknown', bearer('cw_api_unknown')],
    ['another instance', bearer(createTokenText('api'))],
    ['expired', bearer(expired)],
    ['revoked', bearer(revoked)],
    [OVER, listCookieHeaders(browser)],
  ]
}

const OVER = 'a session that is over'
const ODD_ID = "'or'1'='1"

interface Cell {
  /** `none`: the path names no record of a tenant. */
  readonly object: 'own' | 'other' | 'missing' | 'malformed' | 'mixed' | 'none'
  readonly path: string
}

/** One request for each kind of object that the path of the route can name. */
function listCells(route: Route): readonly Cell[] {
  const sample = findSample(route)
  const path = fillPath(route, sample.params)
  if (sample.record === undefined || sample.record === 'instance') return [{ object: 'none', path }]
  const mine = own.get(sample.record) ?? {}
  const theirs = other.get(sample.record) ?? {}
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const malformed = Object.fromEntries(names.map((name) => [name, ODD_ID]))
  const ownPath = fillPath(route, mine)
  const otherPath = fillPath(route, theirs)
  const cells: Cell[] = [
    { object: 'own', path: ownPath },
    { object: 'missing', path },
    { object: 'malformed', path: fillPath(route, malformed) },
  ]
  // A name that people choose may be the same in both.
  if (otherPath !== ownPath) cells.push({ object: 'other', path: otherPath })
  const [parent = '', child] = names
  if (child !== undefined && mine[parent] !== theirs[parent]) {
    const mixedPath = fillPath(route, { ...theirs, [parent]: mine[parent] ?? '' })
    if (mixedPath !== ownPath) cells.push({ object: 'mixed', path: mixedPath })
  }
  return cells
}

function send(
  route: Route,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<TestAnswer> {
  const { json } = findSample(route)
  return app.send(route.method, path, { headers, ...(json === undefined ? {} : { json }) })
}

/** A digest of all rows of both tenants, but for what a read may note (last use, kept answers). */
async function digest(tenants: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { pool } = app.services.foundation.database
  const { rows: tables } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'tenant_id'
       and table_name not in ('api_token', 'user_session', 'kept_answer') order by 1`,
  )
  assert.ok(tables.length > 40, `only ${tables.length} tables were seen`)
  const digests = new Map<string, string>()
  for (const { name } of tables) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const { rows } = await pool.query<{ digest: string }>(
      `select md5(coalesce(string_agg(one::text, '|' order by one::text), '')) as digest
       from ${name} one where tenant_id = any($1)`,
      [tenants],
    )
    digests.set(name, rows[0]?.digest ?? '')
  }
  return digests
}

const findRow = ({ operationId }: Route) =>
  ACCESS_TABLE.find(({ operations }) => operations.includes(operationId))

// Whoever may call these works for all tenants.
const OVER_TENANTS = [
  'getOpsEvent',
  'getTenant',
  'changeTenant',
  'revokeToken',
  'rotateToken',
  'listTokens',
  'getUser',
  'changeUser',
  'createUserLink',
  'listUserSessions',
  'endUserSessions',
  'getUserFactors',
  'removeUserFactors',
  'listUserIdentities',
  'unlinkUserIdentity',
]
const OVER_TENANTS_PATTERN = /ReportAddress|OwnerResolver/

function isOfTenants({ operationId }: Route, role: MatrixRole): boolean {
  if (role !== 'instance-admin') return true
  return !OVER_TENANTS.includes(operationId) && !OVER_TENANTS_PATTERN.test(operationId)
}

// The view of the sample is shared, and changing such a one asks for more than one's own.
const SHARED_VIEW = ['changeView', 'deleteView']

function isGiven({ operationId }: Route, { role, kind }: Holder): boolean {
  // The sample names a tenant that the person does not work for; a token has no session to move.
  if (operationId === 'changeSession') return kind === 'token'
  return role !== 'viewer' || !SHARED_VIEW.includes(operationId)
}

// The session of the principal itself would be over.
const isSkipped = ({ operationId }: Route, { kind }: Holder): boolean =>
  kind === 'session' && operationId === 'endSession'

/** Reads first and removals last, so that what they name is there for as many as can be. */
function orderDeletesLast(all: readonly Route[]): readonly Route[] {
  return all.toSorted((a, b) => rankMethod(a) - rankMethod(b))
}

function rankMethod({ method }: Route): number {
  if (method === 'GET') return 0
  return method === 'DELETE' ? 2 : 1
}

const isOwn = ({ object }: Cell): boolean => object === 'own' || object === 'none'

interface GivenCell {
  readonly route: Route
  readonly holder: Holder
  readonly cell: Cell
  readonly answer: TestAnswer
}

/** Some fifty come at once, and a database that is busy with others may want them later (503). */
async function sendPatiently(...request: Parameters<typeof send>): Promise<TestAnswer> {
  for (let tries = 1; ; tries += 1) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const answer = await send(...request)
    if (answer.status !== 503 || tries === TRIES_MAX) return answer
    // oxlint-disable-next-line eslint/no-await-in-loop
    await delay(1_000)
  }
}

/** The cells that the table gives to a role, one request after the other. */
async function* sendGiven(isWanted: (cell: Cell) => boolean): AsyncGenerator<GivenCell> {
  for (const holder of holders) {
    for (const route of orderDeletesLast(routes)) {
      const who = findRow(route)?.who ?? []
      if (who === 'anybody' || !who.includes(holder.role) || isSkipped(route, holder)) continue
      for (const cell of listCells(route).filter(isWanted)) {
        // oxlint-disable-next-line eslint/no-await-in-loop
        yield { route, holder, cell, answer: await send(route, cell.path, holder.headers) }
      }
    }
  }
}

describe('the authorisation matrix', () => {
  test('has every operation in one row, and no operation that is gone', () => {
    const listed = ACCESS_TABLE.flatMap(({ operations }) => operations)
    const there = routes.map(({ operationId }) => operationId)
    assert.ok(there.length > 200)
    assert.deepEqual(listed.toSorted(), there.toSorted())
  })

  test('401 or 400 for eleven principals that are nobody, whatever the object, and nothing changes', async () => {
    // It creates and revokes tokens, and the audit log has that.
    const unknown = await listUnknown()
    const before = await digest([OWN, OTHER])
    let count = 0
    for (const route of routes) {
      const row = findRow(route)
      if (row?.who === 'anybody') continue
      const cells = listCells(route)
      const requests = cells.flatMap(({ object, path }) =>
        unknown
          // Look-ups are open here.
          .filter(([name]) => row?.isOpen !== true || (name !== 'none' && name !== OVER))
          .map(async ([name, headers]) => {
            const { status, text } = await sendPatiently(route, path, headers)
            const isRefused = status === 401 || status === 400
            assert.ok(isRefused, `${name} ${object} ${path}: ${status} ${text}`)
          }),
      )
      // oxlint-disable-next-line eslint/no-await-in-loop
      await Promise.all(requests)
      count += requests.length
      if (row?.isOpen === true) continue
      // RFC 6750 section 2.3 allows it; we do not.
      const query = `${cells[0]?.path}?access_token=${encodeURIComponent(app.token)}`
      // oxlint-disable-next-line eslint/no-await-in-loop
      assert.equal((await send(route, query, {})).status, 401, query)
    }
    assert.ok(count > 4_000, `only ${count} cells were seen`)
    assert.deepEqual(await digest([OWN, OTHER]), before)
  })

  test('403 for a role that the table does not name, whatever the object, and nothing changes', async () => {
    const before = await digest([OWN, OTHER])
    let count = 0
    for (const route of routes) {
      const who = findRow(route)?.who ?? []
      if (who === 'anybody') continue
      for (const { role, kind, headers } of holders) {
        if (who.includes(role)) continue
        for (const { object, path } of listCells(route)) {
          // oxlint-disable-next-line eslint/no-await-in-loop
          const { status } = await send(route, path, headers)
          assert.equal(status, 403, `${role} by ${kind} ${object} ${route.method} ${path}`)
          count += 1
        }
      }
    }
    assert.ok(count > 2_000, `only ${count} cells were seen`)
    assert.deepEqual(await digest([OWN, OTHER]), before)
  })

  test('404 for a role that the table names where the object is not its tenant’s', async () => {
    let count = 0
    for await (const { route, holder, cell, answer } of sendGiven((one) => !isOwn(one))) {
      const { role, kind } = holder
      const where = `${role} by ${kind} ${cell.object} ${route.method} ${cell.path}: ${answer.text}`
      assert.ok(answer.status < 500, where)
      if (isOfTenants(route, role)) assert.equal(answer.status, 404, where)
      count += 1
    }
    assert.ok(count > 2_000, `only ${count} cells were seen`)
  })

  test('neither 401 nor 403 for a role that the table names, and another tenant keeps every row', async () => {
    const before = await digest([OTHER])
    let count = 0
    for await (const { route, holder, cell, answer } of sendGiven(isOwn)) {
      const { role, kind } = holder
      const where = `${role} by ${kind} ${cell.object} ${route.method} ${cell.path}: ${answer.text}`
      assert.ok(answer.status < 500, where)
      // The proof in the sample is wrong: whoever may ask gets 401 for it, not for the credential.
      if (/APP_SIGN_IN_REFUSED|APP_FACTOR_REFUSED|APP_PASSKEY_REFUSED/.test(answer.text)) continue
      assert.equal([401, 403].includes(answer.status), !isGiven(route, holder), where)
      count += 1
    }
    assert.ok(count > 1_000, `only ${count} cells were seen`)
    assert.deepEqual(await digest([OTHER]), before)
  })
})
