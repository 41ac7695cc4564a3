// Two pages for two load balancers: /readyz for look-ups, which need no database, and /readyz/write
// for the rest.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openDatabaseProxy } from '../../../test/database-proxy.ts'
import { openTestApp, type TestAnswer, type TestApp } from '../../../test/harness.ts'
import { openSecondNode } from '../../../test/intel-fixtures.ts'
import { query } from '../../../test/query.ts'
import { waitUntil } from '../../../test/wait.ts'

const EVENT = {
  event_type: 'LoginAttack',
  event_date: '2026-01-01T00:00:00.000Z',
  ip: '192.0.2.7',
  sender_email: 'reporter@example.com',
}
const EVENTS = '/beta/casework/events'

async function openApp(t: TestContext): Promise<TestApp> {
  const app = await openTestApp()
  t.after(() => app.close())
  return app
}

interface Node {
  readonly send: (method: 'GET', path: string) => Promise<TestAnswer>
}

interface Page {
  readonly status: number
  readonly state: string
  readonly checks: Readonly<Record<string, string>>
}

async function read(node: Node, path: string): Promise<Page> {
  const answer = await node.send('GET', path)
  const { status: state, checks } = answer.json()
  const named = checks.map((check: { name: string; state: string }) => [check.name, check.state])
  return { status: answer.status, state, checks: Object.fromEntries(named) }
}

test('both pages are 200 while all is well, and name the same checks', async (t) => {
  const app = await openApp(t)
  const [ready, write] = [await read(app, '/readyz'), await read(app, '/readyz/write')]
  assert.deepEqual([ready.status, write.status], [200, 200])
  assert.deepEqual(write.checks, ready.checks)
  assert.deepEqual([ready.checks['database'], ready.checks['tokens']], ['ok', 'ok'])
})

test('a primary that became a standby: writes are 503 with Retry-After and never 500, /readyz/write is 503, and with the primary back the first write is taken', async (t) => {
  const app = await openApp(t)
  const token = await app.createToken()
  const push = async (): Promise<readonly [number, string]> => {
    const request = { token, json: EVENT, headers: { accept: 'application/problem+json' } }
    const answer = await app.send('POST', EVENTS, request)
    if (answer.status === 503) assert.match(String(answer.headers['retry-after']), /^\d+$/)
    return [answer.status, answer.json().code ?? '']
  }
  const { pool } = app.services.foundation.database
  const setReadOnly = async (value: 'on' | 'off'): Promise<void> => {
    const { database } = app.connection
    await query(
      app.connection,
      `begin read write; alter database ${database} set default_transaction_read_only = ${value}; commit`,
    )
  }
  await setReadOnly('on')
  await query(
    app.connection,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )
  await waitUntil(async () => (await push())[1] === 'KERNEL_DATABASE_READ_ONLY')
  for (let i = 0; i < 5; i += 1) assert.deepEqual(await push(), [503, 'KERNEL_DATABASE_READ_ONLY'])
  const [ready, write] = [await read(app, '/readyz'), await read(app, '/readyz/write')]
  assert.deepEqual(
    [ready.status, ready.state, ready.checks['database']],
    [200, 'degraded', 'degraded'],
  )
  assert.deepEqual(
    [write.status, write.state, write.checks['database']],
    [503, 'not_ready', 'failed'],
  )
  await setReadOnly('off')
  // The first write may meet a connection of before, and takes the idle ones with it. One that a
  // poll had in its hands at that moment comes back to the pool, and meets a later write.
  await push()
  assert.equal(pool.idleCount <= 1, true)
  let [status] = await push()
  for (let met = 0; status === 503 && met < 3; met += 1) [status] = await push()
  assert.ok(status === 200 || status === 201, String(status))
})

test('a full disk is 503 KERNEL_DISK_FULL with Retry-After, and /readyz/write says so while look-ups go on', async (t) => {
  const app = await openApp(t)
  const token = await app.createToken()
  await query(
    app.connection,
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`,
  )
  await query(
    app.connection,
    'create trigger refuse before insert on event for each row execute function refuse()',
  )
  const request = { token, json: EVENT, headers: { accept: 'application/problem+json' } }
  const refused = await app.send('POST', EVENTS, request)
  assert.deepEqual([refused.status, refused.json().code], [503, 'KERNEL_DISK_FULL'])
  assert.equal(refused.headers['retry-after'], '60')
  assert.equal((await read(app, '/readyz/write')).status, 503)
  assert.equal((await read(app, '/readyz')).status, 200)
  assert.equal((await app.send('GET', '/beta/query/192.0.2.1')).status, 200)
})

test('a copy of the tokens of more than 10 s refuses writes; past CASEWORK_TOKEN_AGE_MAX presented tokens are 503 with Retry-After and open look-ups go on', async (t) => {
  const app = await openApp(t)
  const token = await app.createToken()
  const proxy = await openDatabaseProxy(app.connection)
  t.after(() => proxy.close())
  let restMs = 0
  const elapsedMs = (): number => performance.now() + restMs
  const node = await openSecondNode(app, proxy.connection, { elapsedMs })
  t.after(() => node.close())
  const closedNode = await openSecondNode(app, proxy.connection, {
    elapsedMs,
    environment: { CASEWORK_INTEL_ACCESS: 'token' },
  })
  t.after(() => closedNode.close())
  await proxy.cut()
  const bearer = { authorization: `Bearer ${token}`, accept: 'application/problem+json' }
  const whoami = () => node.send('GET', '/beta/whoami', undefined, bearer)
  restMs += 5_000
  assert.equal((await read(node, '/readyz/write')).checks['tokens'], 'ok')
  restMs += 6_000
  assert.equal((await read(node, '/readyz/write')).checks['tokens'], 'failed')
  assert.equal((await read(node, '/readyz')).checks['tokens'], 'degraded')
  assert.equal((await whoami()).status, 200)
  restMs += 50_000
  const refused = await whoami()
  assert.deepEqual([refused.status, refused.json().code], [503, 'KERNEL_TOKENS_TOO_OLD'])
  assert.equal(refused.headers['retry-after'], '5')
  const presented = await node.send('GET', '/beta/query/192.0.2.1', undefined, bearer)
  assert.equal(presented.status, 503)
  assert.equal((await node.send('GET', '/beta/query/192.0.2.1')).status, 200)
  assert.equal((await read(node, '/readyz')).status, 200)
  // Where look-ups need a token, this node can answer none of them.
  assert.equal((await read(closedNode, '/readyz')).status, 503)
  await proxy.mend()
  await waitUntil(async () => (await whoami()).status === 200)
  assert.equal((await read(node, '/readyz/write')).status, 200)
})
