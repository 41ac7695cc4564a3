import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { withApp } from '../../../test/harness.ts'
import { holdClock, listingRow, sightingRow } from '../../../test/intel-fixtures.ts'
import { waitUntil } from '../../../test/wait.ts'
import { readSnapshotFile } from '../snapshot/snapshot-file.ts'

const SECRET = 'node-secret-of-the-tests-0123456789abcdef'
const PATH = '/beta/snapshot'
// Fewer stay in layers over the snapshot.
const MANY = 2_100
const clock = holdClock()

const app = withApp(
  {
    clock,
    environment: {
      CASEWORK_NODE_SECRET: SECRET,
      CASEWORK_LOOKUP_RATE_LIMIT: '0',
      CASEWORK_FAILED_CREDENTIALS_LIMIT: '1000',
    },
  },
  async () => push(0),
)

/** Pushes so many new items that they become the snapshot once the set is quiet. */
async function push(part: number): Promise<void> {
  const { index } = app.services.intel
  const before = index.snapshot()
  const rows = Array.from({ length: MANY }, (_, at) =>
    listingRow(`2001:db8:${part}::${at.toString(16)}`),
  )
  const body = rows.map((row) => JSON.stringify(row)).join('\n')
  const headers = { 'content-type': 'application/x-ndjson' }
  const pushed = await app.send('POST', '/beta/listings', { token: app.token, body, headers })
  assert.equal(pushed.status, 200, pushed.text)
  await waitUntil(() => {
    clock.set(clock.nowMs() + 1_000)
    return index.snapshot() !== before
  })
}

const ask = (headers: Record<string, string> = {}, method = 'GET') =>
  app.app.inject({
    method: method as 'GET',
    url: PATH,
    headers: { authorization: `Bearer ${SECRET}`, ...headers },
  })

test('200 with a file that a node can start from, its serial, and a tag of its bytes', async () => {
  const answer = await ask()
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.headers['content-type'], 'application/octet-stream')
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(answer.headers['accept-ranges'], 'bytes')
  const file = join(app.services.foundation.config.dataDir, 'copy')
  writeFileSync(file, answer.rawPayload)
  const copy = await readSnapshotFile(file)
  const own = app.services.intel.index.snapshot()
  assert.deepEqual(copy.meta, own.meta)
  assert.equal(answer.headers['x-casework-serial'], String(own.serial))
  const head = await ask({}, 'HEAD')
  assert.deepEqual([head.statusCode, head.payload], [200, ''])
  assert.equal(head.headers['content-length'], String(answer.rawPayload.length))
  const tag = String(answer.headers.etag)
  assert.equal((await ask({ 'if-none-match': tag })).statusCode, 304)
})

test('206 with the part that was asked for, and 416 for one behind the end', async () => {
  const whole = (await ask()).rawPayload
  const rest = await ask({ range: 'bytes=5-' })
  assert.equal(rest.statusCode, 206)
  assert.equal(rest.headers['content-range'], `bytes 5-${whole.length - 1}/${whole.length}`)
  assert.deepEqual(rest.rawPayload, whole.subarray(5))
  const middle = await ask({ range: 'bytes=1000-1999' })
  assert.deepEqual(middle.rawPayload, whole.subarray(1_000, 2_000))
  const beyond = await ask({ range: `bytes=${whole.length}-` })
  assert.equal(beyond.statusCode, 416)
  assert.equal(beyond.headers['casework-problem'], 'INTEL_SNAPSHOT_RANGE_BEYOND')
  assert.equal(beyond.headers['content-range'], `bytes */${whole.length}`)
})

test('200 with the new snapshot for the rest of one that was replaced', async () => {
  const first = await ask({ range: 'bytes=0-99' })
  const tag = String(first.headers.etag)
  assert.equal((await ask({ range: 'bytes=100-199', 'if-range': tag })).statusCode, 206)
  await push(1)
  const replaced = await ask({ range: 'bytes=100-199', 'if-range': tag })
  assert.equal(replaced.statusCode, 200)
  assert.notEqual(replaced.headers.etag, tag)
})

test('401 for a wrong secret, a part of it, more of it and none, 403 without the scope', async () => {
  const token = await app.createToken({ scopes: ['intel:read', 'intel:write', 'ops:read'] })
  const wrong = `x${SECRET.slice(1)}`
  for (const [text, status] of [
    [wrong, 401],
    [SECRET.slice(0, -1), 401],
    [`${SECRET}0`, 401],
    [SECRET.toUpperCase(), 401],
    [token, 403],
    [app.token, 200],
  ] as const) {
    const answer = await ask({ authorization: `Bearer ${text}` })
    assert.equal(answer.statusCode, status, text)
  }
  const none = await app.send('GET', PATH)
  assert.equal(none.status, 401)
})

test('the secret of the nodes opens nothing else', async () => {
  for (const [method, path] of [
    ['GET', '/beta/query/192.0.2.1'],
    ['GET', '/beta/ranges/192.0.2.0%2F24'],
    ['GET', '/beta/whoami'],
    ['GET', '/beta/casework/cases'],
    ['GET', '/beta/admin/tokens'],
    ['POST', '/beta/listings'],
  ] as const) {
    const answer = await app.send(method, path, { token: SECRET, json: [] })
    assert.equal(answer.status, 401, path)
  }
})

test('the snapshot holds no token and nothing of a tenant', async () => {
  await app.createTenant('tenant-with-a-name')
  const token = await app.createToken({
    tenantId: 'tenant-with-a-name',
    contactEmail: 'who@example.org',
  })
  const event = {
    event_type: 'LoginAttack',
    event_date: '2026-01-31T12:00:00Z',
    sender_email: 'sender-of-a-report@example.net',
    ip: '198.51.100.77',
  }
  const pushed = await app.send('POST', '/beta/casework/events', { token, json: event })
  assert.ok(pushed.status < 300, pushed.text)
  await app.send('POST', '/beta/sightings', { token: app.token, json: [sightingRow('192.0.2.9')] })
  await push(2)
  const bytes = (await ask()).rawPayload
  // The names of sources are there, so that the search below finds what is in the file.
  assert.ok(bytes.includes('trap-1') && bytes.includes('desk'))
  const { rows } = await app.services.foundation.database.pool.query<{ hash: Buffer }>(
    'select token_hash as hash from api_token',
  )
  assert.ok(rows.length > 1)
  for (const { hash } of rows) assert.ok(!bytes.includes(hash))
  for (const word of [token, SECRET, 'tenant-with-a-name', 'who@', 'sender-of-a-report', 'tok_']) {
    assert.ok(!bytes.includes(word), word)
  }
})
