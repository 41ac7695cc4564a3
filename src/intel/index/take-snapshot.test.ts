import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { withApp } from '../../../test/harness.ts'
import { holdClock, listingRow } from '../../../test/intel-fixtures.ts'
import { waitUntil } from '../../../test/wait.ts'
import { outsideScopes } from '../../kernel/db/row-scope.ts'
import { createLog } from '../../kernel/log.ts'
import { createReadiness } from '../../kernel/readiness.ts'
import { parseItem } from '../../values/item.ts'
import { CHECK_LISTED } from '../snapshot/fact-bits.ts'
import type { IndexDeps } from './index-deps.ts'
import { openIntelIndex } from './intel-index.ts'
import { takeSnapshot } from './take-snapshot.ts'

const SECRET = 'node-secret-of-the-tests-0123456789abcdef'
// The smallest snapshot here has some parts of this size.
const PART_BYTES = 16_384
// Fewer stay in layers over the snapshot.
const MANY = 2_100
const clock = holdClock()

let port = 0
const app = withApp(
  { clock, environment: { CASEWORK_NODE_SECRET: SECRET } },
  async ({ app: http }) => {
    await push(0)
    await http.listen({ host: '127.0.0.1', port: 0 })
    const address = http.server.address()
    port = typeof address === 'object' && address !== null ? address.port : 0
  },
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

/** What stands between the two nodes does to the bytes of one answer; `nth` counts from 1. */
interface Fault {
  readonly before?: (nth: number) => Promise<void>
  /** The bytes to pass on; null closes the connection after half of them. */
  readonly change?: (bytes: Buffer, nth: number) => Buffer | null
  /** True hides the range of a question: the answer is that to a replaced snapshot. */
  readonly hidesRange?: (nth: number) => boolean
}

/** A proxy in front of the node, with faults. */
async function openProxy(t: TestContext, { before, change, hidesRange }: Fault): Promise<Proxy> {
  const asked: Asked[] = []
  const pass = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url, headers } = message
    const range = headers.range ?? ''
    const nth = asked.push({ range, status: 0 })
    await before?.(nth)
    if (hidesRange?.(nth) === true) delete headers.range
    const passed = request({ host: '127.0.0.1', port, method, path: url, headers })
    passed.end()
    const answer = await new Promise<IncomingMessage>((resolve) => {
      passed.once('response', resolve)
    })
    const bytes = Buffer.concat(await answer.toArray())
    const status = answer.statusCode ?? 500
    asked[nth - 1] = { range, status }
    response.writeHead(status, answer.headers)
    const sent = change === undefined ? bytes : change(bytes, nth)
    if (sent !== null) response.end(sent)
    else response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
  }
  const server = createServer((message, response) => void pass(message, response))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.after(() => server.close())
  const address = server.address()
  const own = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${own}`, asked }
}

interface Asked {
  readonly range: string
  readonly status: number
}
interface Proxy {
  readonly url: string
  readonly asked: readonly Asked[]
}

/** A comparison of both would write down the whole snapshot, for hours. */
async function assertNotTaken({ deps }: NewNode): Promise<void> {
  const snapshot = await takeSnapshot(deps, PART_BYTES)
  assert.ok(snapshot === null, 'a snapshot was taken')
}

interface NewNode {
  readonly deps: IndexDeps
  readonly logged: string[]
  readonly listFiles: () => Promise<string[]>
}

async function makeNode(
  t: TestContext,
  snapshotFrom: string,
  nodeSecret: string | null = SECRET,
): Promise<NewNode> {
  const dataDir = await mkdtemp(join(tmpdir(), 'casework-node-'))
  t.after(() => rm(dataDir, { recursive: true }))
  const { foundation } = app.services
  const { kysely: db, connection } = foundation.database
  const logged: string[] = []
  const write = (line: string): unknown => logged.push(line)
  return {
    deps: {
      db,
      connection,
      config: { ...foundation.config, dataDir, snapshotFrom, nodeSecret },
      clock: foundation.clock,
      log: createLog({ level: 'info', isForPeople: false, destination: { write } }),
      readiness: createReadiness(),
    },
    logged,
    listFiles: () => readdir(dataDir),
  }
}

test('a new node takes the snapshot in parts and reads no table of facts', async (t) => {
  const proxy = await openProxy(t, {})
  const node = await makeNode(t, proxy.url)
  const own = app.services.intel.index.snapshot()
  const taken = await takeSnapshot(node.deps, PART_BYTES)
  assert.deepEqual(taken?.meta, own.meta)
  assert.ok(proxy.asked.length > 2)
  assert.ok(proxy.asked.every(({ status }) => status === 206))
  assert.deepEqual(await node.listFiles(), ['intel.snapshot'])
  const { pool } = app.services.foundation.database
  // The other node has them in memory, and a node that read the tables would not.
  await pool.query(`delete from listing where subject like '2001:db8::1%'`)
  const second = await makeNode(t, proxy.url)
  const index = await outsideScopes(() => openIntelIndex(second.deps))
  t.after(() => index.close())
  const item = parseItem('2001:db8:0::1')
  assert.ok(item !== null)
  assert.ok((index.view().check(item, Date.now() / 1_000) & CHECK_LISTED) !== 0)
  assert.equal(index.state().serial, app.services.intel.index.state().serial)
  assert.match(second.logged.join('\n'), /The snapshot of another node was taken/)
  // What is pushed from now on comes from the database.
  await push(7)
  await index.refreshNow()
  const later = parseItem('2001:db8:7::7')
  assert.ok(later !== null)
  assert.ok((index.view().check(later, Date.now() / 1_000) & CHECK_LISTED) !== 0)
})

test('a download that breaks off goes on where it was', async (t) => {
  const proxy = await openProxy(t, { change: (bytes, nth) => (nth % 2 === 0 ? null : bytes) })
  const node = await makeNode(t, proxy.url)
  const taken = await takeSnapshot(node.deps, PART_BYTES)
  assert.deepEqual(taken?.meta, app.services.intel.index.snapshot().meta)
  const ranges = proxy.asked.map(({ range }) => range)
  assert.equal(ranges[1], ranges[2], 'the part that broke off is asked for again')
  assert.equal(new Set(ranges).size * 2 - 1 >= ranges.length, true, 'and no other one')
})

test('a snapshot that is replaced in the middle is begun anew', async (t) => {
  const proxy = await openProxy(t, {
    before: async (nth) => {
      if (nth === 3) await push(3)
    },
  })
  const node = await makeNode(t, proxy.url)
  const before = app.services.intel.index.snapshot()
  const taken = await takeSnapshot(node.deps, PART_BYTES)
  const after = app.services.intel.index.snapshot()
  assert.ok(after.serial > before.serial)
  assert.deepEqual(taken?.meta, after.meta)
  assert.deepEqual(
    proxy.asked.slice(0, 4).map(({ range, status }) => [range.split('-')[0], status]),
    [
      ['bytes=0', 206],
      [`bytes=${PART_BYTES}`, 206],
      [`bytes=${PART_BYTES * 2}`, 200],
      ['bytes=0', 206],
    ],
  )
})

const flip = (bytes: Buffer): Buffer => {
  const changed = Buffer.from(bytes)
  changed[0] = (changed[0] ?? 0) ^ 1
  return changed
}

for (const [name, fault, reason] of [
  [
    'one bit of it is another',
    { change: (bytes, nth) => (nth === 3 ? flip(bytes) : bytes) },
    /the file is corrupt/,
  ],
  [
    'it is no snapshot',
    { change: (bytes) => Buffer.alloc(bytes.length, 'x') },
    /the file is foreign/,
  ],
  ['every answer breaks off', { change: () => null }, /The connection broke off/],
  [
    'each second part finds it replaced',
    { hidesRange: (nth) => nth % 2 === 0 },
    /it was replaced again and again/,
  ],
] as const satisfies readonly (readonly [string, Fault, RegExp])[]) {
  test(`nothing is taken, and nothing left behind, when ${name}`, async (t) => {
    const proxy = await openProxy(t, fault)
    const node = await makeNode(t, proxy.url)
    await assertNotTaken(node)
    assert.deepEqual(await node.listFiles(), [])
    assert.match(node.logged.join('\n'), reason)
    assert.match(node.logged.join('\n'), /the database is read instead/)
  })
}

test('a wrong secret, none, and a node that is not there: the tables are read', async (t) => {
  const url = `http://127.0.0.1:${port}`
  for (const [from, secret, reason] of [
    [url, `${SECRET}x`, /the node answered 401/],
    [url, null, /the node answered 401/],
    ['http://127.0.0.1:9', SECRET, /No connection to the server could be made/],
  ] as const) {
    const node = await makeNode(t, from, secret)
    const index = await outsideScopes(() => openIntelIndex(node.deps))
    assert.equal(index.state().serial, app.services.intel.index.state().serial)
    await index.close()
    assert.match(node.logged.join('\n'), reason)
    assert.doesNotMatch(node.logged.join('\n'), /node-secret/)
  }
})

test('a snapshot of another database is not used', async (t) => {
  const { pool } = app.services.foundation.database
  const node = await makeNode(t, `http://127.0.0.1:${port}`)
  // Of all pushes: which of them the node offers is not known for sure.
  const { rows: marks } = await pool.query('select serial, mark from intel_push')
  await pool.query('update intel_push set mark = default')
  try {
    await assertNotTaken(node)
    assert.match(node.logged.join('\n'), /it is not of this database/)
  } finally {
    await pool.query(
      'update intel_push p set mark = m.mark from unnest($1::bigint[], $2::uuid[]) m (serial, mark) where p.serial = m.serial',
      [marks.map(({ serial }) => serial), marks.map(({ mark }) => mark)],
    )
  }
})
