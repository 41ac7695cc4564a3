import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { openDatabaseProxy } from '../database-proxy.ts'
import { createTestDatabase } from '../harness.ts'
import { listChildren, readStat } from '../postgres-harness.ts'
import {
  atEnd,
  buildSocketUrl,
  countListeners,
  isTokenKnown,
  LAUNCHER,
  listProcessesOf,
  makeOpenFolder,
  type Program,
  readToken,
  runCommands,
  startServe,
  stopServer,
  until,
} from './program.ts'

async function createUrl(t: TestContext): Promise<string> {
  const database = await createTestDatabase()
  atEnd(t, database.drop)
  return buildSocketUrl(database.connection)
}

const TROUBLE_PATTERN = /"level":"(warn|error)"/

test('with DATABASE_URL no database is started, two nodes that start at once on a fresh one make one token, which both accept, and the data is there on the next start, for two HTTP threads on one port with one budget of each rate limit', async (t) => {
  const environment = { DATABASE_URL: await createUrl(t) }
  const dataDirs = [makeOpenFolder(t), makeOpenFolder(t)]
  const nodes = dataDirs.map((dataDir) => startServe(t, dataDir, [], { environment }))
  const urls = await Promise.all(nodes.map((node) => node.whenReady))
  const [token = '', ...more] = nodes
    .filter((node) => node.stdout().includes('cw_admin_'))
    .map((node) => readToken(node.stdout()))
  assert.deepEqual(more, [])
  for (const url of urls) {
    // The other node polls twice a second.
    while (!(await isTokenKnown(url, token))) assert.ok(nodes.every(isRunning))
  }
  for (const [index, dataDir] of dataDirs.entries()) {
    const node = nodes[index]
    assert(node !== undefined)
    assert.deepEqual(listChildren(node.pid), [])
    assert.ok(!readdirSync(dataDir).includes('postgres'))
    assert.match(node.stdout(), /^ {2}database {2}PostgreSQL in \/\S+\/test_[0-9a-f]+$/m)
  }
  await Promise.all(nodes.map(stopServer))
  for (const node of nodes) assert.doesNotMatch(node.stderr(), TROUBLE_PATTERN)

  const [dataDir = ''] = dataDirs
  const threads = ['--threads', '2', '--intel-port', '0']
  const limited = { ...environment, CASEWORK_LOOKUP_RATE_LIMIT: '10' }
  const server = startServe(t, dataDir, threads, { environment: limited })
  const address = await server.whenReady
  assert.ok(await isTokenKnown(address, token))
  assert.doesNotMatch(server.stdout(), /cw_admin_/)
  assert.equal(countListeners(server.pid, Number(new URL(address).port)), 2)
  const intel = /^ {2}intel {5}http:\/\/127\.0\.0\.1:(\d+)$/m.exec(server.stdout())?.[1]
  assert.equal(countListeners(server.pid, Number(intel)), 2)
  const answer = await fetch(`http://127.0.0.1:${intel}/livez`)
  assert.equal(answer.status, 200)
  const ports = [new URL(address).port, String(intel)]
  assert.deepEqual(await countStatuses(ports, '/beta/query/192.0.2.1'), { 200: 10, 429: 70 })
  const wrong = { authorization: 'Bearer wrong' }
  assert.deepEqual(await countStatuses(ports, '/beta/tags', wrong), { 401: 30, 429: 50 })
  await stopServer(server)
  assert.doesNotMatch(server.stderr(), TROUBLE_PATTERN)
  assert.deepEqual(listProcessesOf(dataDir), [])
  assert.ok(!readdirSync(dataDir).includes('casework.sock'))
})

test('on one processor the helpers of V8 do not stand before look-ups, unless the operator set the allocator himself or switched tuning off', async (t) => {
  const environment = { DATABASE_URL: await createUrl(t) }
  const command = ['taskset', '-c', findProcessor(), process.execPath, LAUNCHER]
  const server = startServe(t, makeOpenFolder(t), [], { environment, command })
  await server.whenReady
  const flags = readArguments(server.pid)
  assert.ok(flags.includes('--no-concurrent-marking'), flags.join(' '))
  assert.ok(flags.includes('--v8-pool-size=1'), flags.join(' '))
  await stopServer(server)
  for (const other of [{ MALLOC_MMAP_THRESHOLD_: '65536' }, { CASEWORK_TUNING: 'off' }]) {
    const plain = startServe(t, makeOpenFolder(t), [], {
      environment: { ...environment, ...other },
      command,
    })
    await plain.whenReady
    const v8 = readArguments(plain.pid).filter((flag) => /^--(no-|v8-)/.test(flag))
    assert.deepEqual(v8, [])
    await stopServer(plain)
  }
})

/** 80 requests at once over as many connections, which the threads share. */
async function countStatuses(
  ports: readonly string[],
  path: string,
  headers: Record<string, string> = {},
): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  const send = async (port: string): Promise<void> => {
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { ...headers, connection: 'close' },
    })
    counts[status] = (counts[status] ?? 0) + 1
  }
  await Promise.all(Array.from({ length: 40 }, () => ports.map(send)).flat())
  return counts
}

/** The first of the processors that this process may use. */
function findProcessor(): string {
  const status = readFileSync('/proc/self/status', 'utf8')
  return /^Cpus_allowed_list:\s*(\d+)/m.exec(status)?.[1] ?? '0'
}

function readArguments(pid: number): readonly string[] {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
}

test('a given bootstrap token works, is not printed, and a changed value replaces it', async (t) => {
  const url = await createUrl(t)
  const dataDir = makeOpenFolder(t)
  const [former, changed] = ['former.'.repeat(6), 'changed.'.repeat(6)]
  const start = (token: string) =>
    startServe(t, dataDir, [], {
      environment: { DATABASE_URL: url, CASEWORK_BOOTSTRAP_TOKEN: token },
    })

  const first = start(former)
  assert.ok(await isTokenKnown(await first.whenReady, former))
  assert.doesNotMatch(first.stdout() + first.stderr(), /former\.|cw_admin_/)
  await stopServer(first)

  const second = start(changed)
  const address = await second.whenReady
  assert.ok(await isTokenKnown(address, changed))
  assert.ok(!(await isTokenKnown(address, former)))
  assert.doesNotMatch(second.stdout() + second.stderr(), /changed\.|cw_admin_/)
  await stopServer(second)
})

test('SIGTERM ends with exit code 0 while the database is silent and a request waits for it', async (t) => {
  const database = await createTestDatabase()
  atEnd(t, database.drop)
  const proxy = await openDatabaseProxy(database.connection)
  atEnd(t, proxy.close)
  const environment = { DATABASE_URL: buildSocketUrl(proxy.connection) }
  const server = startServe(t, makeOpenFolder(t), [], { environment })
  const address = await server.whenReady
  const token = readToken(server.stdout())
  assert.ok(await isTokenKnown(address, token))
  proxy.freeze()
  const headers = { authorization: `Bearer ${token}` }
  const waiting = fetch(`${address}/beta/casework/cases`, { headers })
  // Its round trip to the frozen database makes sure that the request above is under way.
  assert.equal((await fetch(`${address}/readyz/write`)).status, 503)
  await stopServer(server)
  assert.equal((await waiting).status, 503)
})

test('without the role api it listens nowhere and says so', async (t) => {
  const environment = { DATABASE_URL: await createUrl(t) }
  const server = startServe(t, makeOpenFolder(t), ['--roles', 'worker'], { environment })
  await until(() => server.stdout().includes('casework is ready') || !isRunning(server))
  assert.match(server.stdout(), /^casework is ready without a listener/m)
  await stopServer(server)
})

test('monitoring has a listener of its own, one for two HTTP threads and one without the role api, and the others tell no more than a state', async (t) => {
  const environment = { DATABASE_URL: await createUrl(t), CASEWORK_OPS_PORT: '0' }
  const dataDir = makeOpenFolder(t)
  const threads = startServe(t, dataDir, ['--threads', '2'], { environment })
  const worker = startServe(t, makeOpenFolder(t), ['--roles', 'worker', '--threads', '2'], {
    environment,
  })
  const url = await threads.whenReady
  await until(() => worker.stdout().includes('casework is ready') || !isRunning(worker))
  const [ops, workerOps] = [readOpsUrl(threads), readOpsUrl(worker)]
  assert.equal(countListeners(threads.pid, Number(new URL(ops).port)), 1)
  for (let i = 0; i < 5; i += 1) {
    // Each over a connection of its own, so that both threads get some.
    const headers = { connection: 'close' }
    assert.equal((await fetch(`${url}/beta/query/192.0.2.1`, { headers })).status, 200)
  }
  const metrics = await (await fetch(`${ops}/metrics`)).text()
  assert.match(metrics, /^casework_http_requests_total\{operation="lookupItem",status="200"\} 5$/m)
  assert.match(await (await fetch(`${workerOps}/metrics`)).text(), /^process_resident_memory/m)
  assert.equal((await fetch(`${url}/metrics`)).status, 404)
  for (const page of ['/readyz', '/readyz/write']) {
    assert.match(await (await fetch(`${url}${page}`)).text(), /^\{"status":"\w+"\}$/)
    for (const own of [ops, workerOps]) {
      assert.match(await (await fetch(`${own}${page}`)).text(), /"name":"database"/)
    }
  }
  const [remote, local] = await runCommands(t, [
    { args: ['doctor', '--url', url] },
    { args: ['doctor', '--data-dir', dataDir] },
  ])
  assert.match(
    remote?.stdout ?? '',
    /^(?:ok|degraded) +readiness +The server is (?:ready|degraded)\. /m,
  )
  assert.match(local?.stdout ?? '', /^ok +database +The database answers/m)
  assert.deepEqual([remote?.code, local?.code], [0, 0])
  await Promise.all([threads, worker].map(stopServer))
  for (const node of [threads, worker]) assert.doesNotMatch(node.stderr(), TROUBLE_PATTERN)
})

function readOpsUrl(program: Program): string {
  const url = /^ {2}ops {7}(http:\/\/127\.0\.0\.1:\d+)$/m.exec(program.stdout())?.[1]
  assert.ok(url !== undefined, program.stdout())
  return url
}

function isRunning(program: Program): boolean {
  return readStat(program.pid, 4) !== null
}
