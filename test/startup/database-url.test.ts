// The real program on a database that DATABASE_URL names: nodes that share it, threads and
// listeners, and how they end.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { openDatabaseProxy } from '../database-proxy.ts'
import { createTestDatabase } from '../harness.ts'
import { atEnd, listChildren, readStat } from '../postgres-harness.ts'
import { waitUntil } from '../wait.ts'
import {
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
} from './program.ts'

async function createUrl(t: TestContext): Promise<string> {
  const database = await createTestDatabase()
  atEnd(t, database.drop)
  return buildSocketUrl(database.connection)
}

const TROUBLE_PATTERN = /"level":"(warn|error)"/

test('nodes on a database by DATABASE_URL', async (suite) => {
  const environment = { DATABASE_URL: await createUrl(suite) }
  const dataDirs = [makeOpenFolder(suite), makeOpenFolder(suite)]
  const nodes = dataDirs.map((dataDir) => startServe(suite, dataDir, [], { environment }))
  const urls = await Promise.all(nodes.map((node) => node.whenReady))
  const tokens = nodes
    .filter((node) => node.stdout().includes('cw_admin_'))
    .map((node) => readToken(node.stdout()))
  const [token = ''] = tokens

  await suite.test(
    'two that start at once on a fresh one make one token, which both accept',
    async () => {
      assert.equal(tokens.length, 1)
      // The node that has not made it polls twice a second.
      for (const url of urls) await waitUntil(() => isTokenKnown(url, token))
    },
  )

  await suite.test('they start no database of their own, and say which one they use', () => {
    for (const [index, node] of nodes.entries()) {
      assert.deepEqual(listChildren(node.pid), [])
      assert.ok(!readdirSync(dataDirs[index] ?? '').includes('postgres'))
      assert.match(node.stdout(), /^ {2}database {2}PostgreSQL in \/\S+\/test_[0-9a-f]+$/m)
    }
  })

  await suite.test('they stop without a warning', async () => {
    await Promise.all(nodes.map(stopServer))
    for (const node of nodes) assert.doesNotMatch(node.stderr(), TROUBLE_PATTERN)
  })

  const [dataDir = ''] = dataDirs
  const args = ['--threads', '2', '--intel-port', '0']
  const limited = { ...environment, CASEWORK_LOOKUP_RATE_LIMIT: '10' }
  const server = startServe(suite, dataDir, args, { environment: limited })
  const address = await server.whenReady
  const intelPort = /^ {2}intel {5}http:\/\/127\.0\.0\.1:(\d+)$/m.exec(server.stdout())?.[1] ?? ''
  const ports = [new URL(address).port, intelPort]

  await suite.test('the next start knows the token, and makes no other one', async () => {
    assert.ok(await isTokenKnown(address, token))
    assert.doesNotMatch(server.stdout(), /cw_admin_/)
  })

  await suite.test(
    'two HTTP threads listen on one port, also on that of the intel group',
    async () => {
      for (const port of ports) assert.equal(countListeners(server.pid, Number(port)), 2)
      assert.equal((await fetch(`http://127.0.0.1:${intelPort}/livez`)).status, 200)
    },
  )

  await suite.test('two HTTP threads share one budget of each rate limit', async () => {
    assert.deepEqual(await countStatuses(ports, '/beta/query/192.0.2.1'), { 200: 10, 429: 70 })
    const wrong = { authorization: 'Bearer wrong' }
    assert.deepEqual(await countStatuses(ports, '/beta/tags', wrong), { 401: 30, 429: 50 })
  })

  await suite.test('a stop leaves no warning, no process and no socket', async () => {
    await stopServer(server)
    assert.doesNotMatch(server.stderr(), TROUBLE_PATTERN)
    assert.deepEqual(listProcessesOf(dataDir), [])
    assert.ok(!readdirSync(dataDir).includes('casework.sock'))
  })
})

// Which flags there are: src/app/tuning/process-tuning.ts.
const TUNED = ['--no-concurrent-marking', '--v8-pool-size=1']

test('on one processor', async (suite) => {
  const url = await createUrl(suite)
  const command = ['taskset', '-c', findProcessor(), process.execPath, LAUNCHER]
  const readFlags = async (t: TestContext, own: Record<string, string>) => {
    const environment = { DATABASE_URL: url, ...own }
    const server = startServe(t, makeOpenFolder(t), [], { environment, command })
    await server.whenReady
    const flags = readArguments(server.pid).filter((flag) => /^--(no-|v8-)/.test(flag))
    await stopServer(server)
    return flags
  }

  await suite.test('V8 works without helper threads, which would delay look-ups', async (t) => {
    const flags = await readFlags(t, {})
    for (const flag of TUNED) assert.ok(flags.includes(flag), flags.join(' '))
  })

  for (const [title, own] of [
    ['an allocator that the operator has set', { MALLOC_MMAP_THRESHOLD_: '65536' }],
    ['CASEWORK_TUNING=off', { CASEWORK_TUNING: 'off' }],
  ] as const) {
    await suite.test(`${title} leaves V8 as it is`, async (t) => {
      assert.deepEqual(await readFlags(t, own), [])
    })
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

/** The number of the first processor that this process may use. */
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
  await whenReadyWithoutListener(server)
  assert.match(server.stdout(), /^casework is ready without a listener/m)
  await stopServer(server)
})

test('a listener for monitoring', async (suite) => {
  const environment = { DATABASE_URL: await createUrl(suite), CASEWORK_OPS_PORT: '0' }
  const dataDir = makeOpenFolder(suite)
  const threads = startServe(suite, dataDir, ['--threads', '2'], { environment })
  const workerArgs = ['--roles', 'worker', '--threads', '2']
  const worker = startServe(suite, makeOpenFolder(suite), workerArgs, { environment })
  const url = await threads.whenReady
  await whenReadyWithoutListener(worker)
  const [ops, workerOps] = [readOpsUrl(threads), readOpsUrl(worker)]

  await suite.test('is one for two HTTP threads, and counts the requests of both', async () => {
    assert.equal(countListeners(threads.pid, Number(new URL(ops).port)), 1)
    for (let i = 0; i < 5; i += 1) {
      // Each over a connection of its own, so that both threads get some.
      const headers = { connection: 'close' }
      assert.equal((await fetch(`${url}/beta/query/192.0.2.1`, { headers })).status, 200)
    }
    const metrics = await (await fetch(`${ops}/metrics`)).text()
    assert.match(
      metrics,
      /^casework_http_requests_total\{operation="lookupItem",status="200"\} 5$/m,
    )
  })

  await suite.test('is there without the role api too', async () => {
    const metrics = await (await fetch(`${workerOps}/metrics`)).text()
    assert.match(metrics, /^process_resident_memory/m)
  })

  await suite.test(
    'leaves 404 for /metrics and a mere state of readiness to the others',
    async () => {
      assert.equal((await fetch(`${url}/metrics`)).status, 404)
      for (const page of ['/readyz', '/readyz/write']) {
        assert.match(await (await fetch(`${url}${page}`)).text(), /^\{"status":"\w+"\}$/)
        for (const own of [ops, workerOps]) {
          assert.match(await (await fetch(`${own}${page}`)).text(), /"name":"database"/)
        }
      }
    },
  )

  await suite.test(
    'gives doctor the details by the data folder, and a state by the URL',
    async (t) => {
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
    },
  )

  await suite.test('stops with its server, without a warning', async () => {
    await Promise.all([threads, worker].map(stopServer))
    for (const node of [threads, worker]) assert.doesNotMatch(node.stderr(), TROUBLE_PATTERN)
  })
})

/** Without a listener no line names an address. */
async function whenReadyWithoutListener(program: Program): Promise<void> {
  await waitUntil(() => program.stdout().includes('casework is ready') || !isRunning(program))
}

function readOpsUrl(program: Program): string {
  const url = /^ {2}ops {7}(http:\/\/127\.0\.0\.1:\d+)$/m.exec(program.stdout())?.[1]
  assert.ok(url !== undefined, program.stdout())
  return url
}

function isRunning(program: Program): boolean {
  return readStat(program.pid, 4) !== null
}
