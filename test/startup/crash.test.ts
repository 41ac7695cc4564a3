// The real program killed in each of its parts. The next start works at once and finds the data.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { listChildren } from '../postgres-harness.ts'
import { waitUntil } from '../wait.ts'
import {
  assertNothingLeft,
  createUsedFolder,
  isTokenKnown,
  type Program,
  ROOT,
  readPostmasterPid,
  startProgram,
  startServe,
  stopServer,
  untilGone,
} from './program.ts'

/** What is killed, of a server that runs on this data folder. */
const CRASHES: readonly (readonly [
  what: string,
  crash: (server: Program, dataDir: string, suite: TestContext) => Promise<void>,
])[] = [
  ['kill -9 of npm and its whole group', async (npm) => npm.signalGroup('SIGKILL')],
  ['kill -9 of the process', async (server) => kill(server.pid)],
  [
    'kill -9 of the process and of its database',
    async (server, dataDir) => {
      const postmaster = readPostmasterPid(dataDir)
      for (const pid of [server.pid, postmaster, ...listChildren(postmaster)]) kill(pid)
    },
  ],
  [
    'kill -9 of the database, which ends the process with one sentence',
    async (server, dataDir) => {
      kill(readPostmasterPid(dataDir))
      assert.deepEqual(await server.whenExited, { code: 1, signal: null })
      assert.match(
        server.stderr(),
        /^casework: The embedded database ended \(SIGKILL\)\. Stopping; start it again\.$/m,
      )
    },
  ],
  [
    'kill -9 of the processes of the database and of ours',
    async (server, dataDir) => {
      // The database begins to start its processes anew, and hangs when it is asked to stop
      // meanwhile.
      for (const pid of listChildren(readPostmasterPid(dataDir))) kill(pid)
      kill(server.pid)
    },
  ],
  [
    'kill -9 in the middle of a start',
    async (server, dataDir, suite) => {
      kill(server.pid)
      await server.whenExited
      const starting = startServe(suite, dataDir, ['--log-level', 'debug'])
      await waitUntil(() => starting.stderr().includes('PostgreSQL says'))
      starting.signalGroup('SIGKILL')
      await starting.whenExited
    },
  ],
]

test('a start works at once after', async (suite) => {
  const { dataDir, token } = await createUsedFolder(suite)
  const environment = { CASEWORK_PORT: '0', CASEWORK_DATA_DIR: dataDir }
  let server = startProgram(suite, ['start'], { command: ['npm'], cwd: ROOT, environment })
  const assertServes = async (): Promise<void> => {
    assert.ok(await isTokenKnown(await server.whenReady, token), 'the data is not there')
  }
  await assertServes()

  for (const [what, crash] of CRASHES) {
    await suite.test(what, async () => {
      await crash(server, dataDir, suite)
      await server.whenExited
      server = startServe(suite, dataDir)
      await assertServes()
    })
  }

  await suite.test('all of these, and a stop then leaves nothing behind', async () => {
    await stopServer(server)
    // The watchdogs of the killed starts end by themselves.
    await untilGone(dataDir)
    assertNothingLeft(dataDir)
  })
})

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended with a process that was killed before it.
  }
}
