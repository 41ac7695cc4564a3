// The stable codes of the kernel and of tokens, each provoked as a client provokes it.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Pool } from 'pg'
import { createDatabase, explainDatabaseTrouble } from '../src/kernel/db/database.ts'
import { migrate, readMigrations } from '../src/kernel/db/migrate.ts'
import { planBody, readBody } from '../src/kernel/http/read-body.ts'
import { silentLog } from '../src/kernel/log.ts'
import { OperatingError } from '../src/kernel/operating-error.ts'
import { findPackageRoot } from '../src/values/resources.ts'
import { createTestDatabase, openTestApp, type TestApp } from './harness.ts'
import { exchangeRaw, openKit } from './http-kit.ts'
import { listenUntilEnd } from './loopback.ts'

const PROBLEM = { accept: 'application/problem+json' }
const CASES = '/beta/casework/cases'
const PLAYBOOKS = '/beta/casework/playbooks'

describe('a client that asks for a problem is told the stable code', () => {
  let app: TestApp
  let token: string
  before(async () => {
    app = await openTestApp()
    token = await app.createToken()
  })
  after(() => app.close())

  const ask = async (
    method: string,
    path: string,
    request: {
      token?: string
      json?: unknown
      headers?: Record<string, string>
      body?: string
    } = {},
  ): Promise<string> => {
    const answer = await app.send(method, path, {
      ...request,
      headers: { ...PROBLEM, ...request.headers },
    })
    const problem = answer.json()
    assert.equal(problem.status, answer.status)
    return problem.code
  }

  test('401 KERNEL_CREDENTIAL_MISSING without a credential', async () => {
    assert.equal(await ask('GET', CASES), 'KERNEL_CREDENTIAL_MISSING')
  })

  test('401 KERNEL_CREDENTIAL_NOT_VALID for an unknown token', async () => {
    assert.equal(await ask('GET', CASES, { token: 'x'.repeat(40) }), 'KERNEL_CREDENTIAL_NOT_VALID')
  })

  test('400 KERNEL_CREDENTIAL_NOT_READABLE for a bearer header without a token', async () => {
    assert.equal(
      await ask('GET', CASES, { headers: { authorization: 'Bearer ' } }),
      'KERNEL_CREDENTIAL_NOT_READABLE',
    )
  })

  test('403 KERNEL_SCOPE_MISSING for a token of another scope', async () => {
    const other = await app.createToken({ scopes: ['intel:read'] })
    assert.equal(await ask('GET', CASES, { token: other }), 'KERNEL_SCOPE_MISSING')
  })

  test('400 KERNEL_REQUEST_NOT_VALID for a body that breaks its schema', async () => {
    assert.equal(
      await ask('POST', '/beta/admin/tokens', { token, json: { name: 7 } }),
      'KERNEL_REQUEST_NOT_VALID',
    )
  })

  test('404 KERNEL_ROUTE_NOT_FOUND for a path that is not there', async () => {
    assert.equal(await ask('GET', '/beta/casework/nothing', { token }), 'KERNEL_ROUTE_NOT_FOUND')
  })

  test('405 KERNEL_METHOD_NOT_ALLOWED for a method the path does not have', async () => {
    assert.equal(await ask('DELETE', CASES, { token }), 'KERNEL_METHOD_NOT_ALLOWED')
  })

  test('413 KERNEL_BODY_TOO_LARGE for a body past its limit', async () => {
    const body = `{"name":"${'x'.repeat(300_000)}"}`
    const headers = { 'content-type': 'application/json' }
    assert.equal(
      await ask('POST', '/beta/admin/tokens', { token, body, headers }),
      'KERNEL_BODY_TOO_LARGE',
    )
  })

  test('414 KERNEL_PATH_TOO_LONG for a part of a path past its limit', async () => {
    assert.equal(
      await ask('GET', `${PLAYBOOKS}/${'x'.repeat(3_000)}`, { token }),
      'KERNEL_PATH_TOO_LONG',
    )
  })

  test('415 KERNEL_MEDIA_TYPE_NOT_TAKEN for a body that is no JSON', async () => {
    const headers = { 'content-type': 'text/plain' }
    assert.equal(
      await ask('POST', '/beta/admin/tokens', { token, body: '{}', headers }),
      'KERNEL_MEDIA_TYPE_NOT_TAKEN',
    )
  })

  test('400 APP_TOKEN_NOT_VALID for a scope that there is not', async () => {
    const json = { name: 'x', scopes: ['no:such'] }
    assert.equal(await ask('POST', '/beta/admin/tokens', { token, json }), 'APP_TOKEN_NOT_VALID')
  })

  test('404 APP_TOKEN_NOT_FOUND for a token that there is not', async () => {
    assert.equal(
      await ask('DELETE', '/beta/admin/tokens/tok_none', { token }),
      'APP_TOKEN_NOT_FOUND',
    )
  })

  test('400 APP_CURSOR_NOT_VALID for a cursor that was made up', async () => {
    assert.equal(
      await ask('GET', '/beta/admin/tokens?cursor=made-up', { token }),
      'APP_CURSOR_NOT_VALID',
    )
  })
})

test('429 KERNEL_TOO_MANY_REQUESTS past the limit of a token', async (t) => {
  const app = await openTestApp({ environment: { CASEWORK_TOKEN_RATE_LIMIT: '1' } })
  t.after(() => app.close())
  const token = await app.createToken({ scopes: ['cases:read'] })
  await app.send('GET', CASES, { token, headers: PROBLEM })
  const answer = await app.send('GET', CASES, { token, headers: PROBLEM })
  assert.equal(answer.json().code, 'KERNEL_TOO_MANY_REQUESTS')
})

test('500 KERNEL_INTERNAL_TROUBLE when a table has gone', async (t) => {
  const app = await openTestApp()
  t.after(() => app.close())
  const token = await app.createToken()
  await app.services.foundation.database.pool.query('alter table abuse_case rename to elsewhere')
  const answer = await app.send('GET', CASES, { token, headers: PROBLEM })
  assert.deepEqual([answer.status, answer.json().code], [500, 'KERNEL_INTERNAL_TROUBLE'])
})

test('503 KERNEL_DATABASE_NOT_REACHABLE when nothing listens where the database should be', async (t) => {
  // Nothing listens on port 1 (tcpmux).
  const connection = { connectionString: 'postgres://nobody@127.0.0.1:1/nothing' }
  const database = createDatabase({ connection, poolMax: 1, log: silentLog })
  t.after(() => database.close())
  const trouble = explainDatabaseTrouble(
    await database.pool.query('select 1').catch((error: unknown) => error),
  )
  assert.ok(trouble instanceof OperatingError)
  assert.deepEqual([trouble.status, trouble.code], [503, 'KERNEL_DATABASE_NOT_REACHABLE'])
})

test('KERNEL_SCHEMA_IS_NEWER when the database knows migrations that this program does not', async (t) => {
  const database = await createTestDatabase()
  const pool = new Pool({ ...database.connection, max: 1 })
  t.after(async () => {
    await pool.end()
    await database.drop()
  })
  const migrations = readMigrations(join(findPackageRoot(), 'migrations'))
  await assert.rejects(migrate(pool, migrations.slice(0, -1)), (error) => {
    assert.ok(error instanceof OperatingError)
    return error.code === 'KERNEL_SCHEMA_IS_NEWER'
  })
})

describe('a request whose headers are refused before any route', () => {
  test('431 KERNEL_HEADERS_TOO_LARGE for headers past 16 KiB', async (t) => {
    const kit = openKit()
    t.after(() => kit.close())
    const answer = await exchangeRaw(
      await kit.listen(),
      `GET /beta/admin/tokens HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    )
    assert.match(answer, /^HTTP\/1\.1 431 /)
    assert.match(answer, /"code":"KERNEL_HEADERS_TOO_LARGE"/)
  })

  test('408 for headers that do not arrive', async (t) => {
    const kit = openKit({ limits: { headersMs: 200, checkMs: 50 } })
    t.after(() => kit.close())
    const answer = await exchangeRaw(
      await kit.listen(),
      'GET /beta/admin/tokens HTTP/1.1\r\nHost: x\r\nX-Never: ',
    )
    assert.match(answer, /^HTTP\/1\.1 408 /)
  })
})

test('408 KERNEL_BODY_TOO_SLOW for a body that does not arrive', async (t) => {
  const end = Promise.withResolvers<unknown>()
  const rules = { bodyTimeoutMs: 50 }
  const server = createServer((message) => {
    readBody(message, planBody(message, rules), rules).then(end.resolve, end.resolve)
  })
  const socket = connect(await listenUntilEnd(t, server), '127.0.0.1')
  socket.on('error', () => undefined)
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json'
  socket.write(`${head}\r\nContent-Length: 9\r\n\r\n`)
  const error = await end.promise
  assert.ok(error instanceof OperatingError)
  assert.deepEqual([error.status, error.code], [408, 'KERNEL_BODY_TOO_SLOW'])
})
