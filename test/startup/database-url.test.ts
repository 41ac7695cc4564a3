import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { createTestDatabase } from '../harness.ts'
import { listChildren, readStat } from '../postgres-harness.ts'
import {
  atEnd,
  buildSocketUrl,
  countListeners,
  isTokenKnown,
  listProcessesOf,
  makeOpenFolder,
  type Program,
  readToken,
  startServe,
  stopServer,
  until,
} from './program.ts'

async function createUrl(t: TestContext): Promise<string> {
  const database = await createTestDatabase()
  atEnd(t, database.drop)
  return buildSocketUrl(database.connection)
}

test('with DATABASE_URL no database is started, and the data is there on the next start', async (t) => {
  const environment = { DATABASE_URL: await createUrl(t) }
  const dataDir = makeOpenFolder(t)
  const first = startServe(t, dataDir, [], { environment })
  const token = readToken((await first.whenReady, first.stdout()))
  assert.deepEqual(listChildren(first.pid), [])
  assert.ok(!readdirSync(dataDir).includes('postgres'))
  assert.match(first.stdout(), /^ {2}database {2}PostgreSQL in \/\S+\/test_[0-9a-f]+$/m)
  await stopServer(first)
  assert.doesNotMatch(first.stderr(), /"level":"(warn|error)"/)

  const second = startServe(t, dataDir, [], { environment })
  assert.ok(await isTokenKnown(await second.whenReady, token))
  assert.doesNotMatch(second.stdout(), /cw_admin_/)
  await stopServer(second)
  assert.deepEqual(listProcessesOf(dataDir), [])
  assert.ok(!readdirSync(dataDir).includes('casework.sock'))
})

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

test('two nodes that start at once on one fresh database make one token, and both accept it', async (t) => {
  const environment = { DATABASE_URL: await createUrl(t) }
  const nodes = [1, 2].map(() => startServe(t, makeOpenFolder(t), [], { environment }))
  const urls = await Promise.all(nodes.map((node) => node.whenReady))
  const tokens = nodes.flatMap((node) => /cw_admin_\w+/.exec(node.stdout())?.[0] ?? [])
  assert.equal(tokens.length, 1)
  for (const url of urls) {
    // The other node polls twice a second.
    while (!(await isTokenKnown(url, tokens[0] ?? ''))) assert.ok(nodes.every(isRunning))
  }
  await Promise.all(nodes.map(stopServer))
})

test('with two HTTP threads both serve one port, and both stop', async (t) => {
  const environment = { DATABASE_URL: await createUrl(t) }
  const dataDir = makeOpenFolder(t)
  const server = startServe(t, dataDir, ['--threads', '2', '--intel-port', '0'], { environment })
  const { port } = new URL(await server.whenReady)
  assert.equal(countListeners(server.pid, Number(port)), 2)
  const intel = /^ {2}intel {5}http:\/\/127\.0\.0\.1:(\d+)$/m.exec(server.stdout())?.[1]
  assert.equal(countListeners(server.pid, Number(intel)), 2)
  const answer = await fetch(`http://127.0.0.1:${intel}/livez`)
  assert.equal(answer.status, 200)
  await stopServer(server)
  assert.doesNotMatch(server.stderr(), /"level":"(warn|error)"/)
})

test('without the role api it listens nowhere and says so', async (t) => {
  const environment = { DATABASE_URL: await createUrl(t) }
  const server = startServe(t, makeOpenFolder(t), ['--roles', 'worker'], { environment })
  await until(() => /casework is ready without a listener/.test(server.stdout()))
  await stopServer(server)
})

function isRunning(program: Program): boolean {
  return readStat(program.pid, 4) !== null
}
