import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { listChildren } from '../postgres-harness.ts'
import {
  assertNothingLeft,
  createUsedFolder,
  isTokenKnown,
  ROOT,
  readPostmasterPid,
  startProgram,
  startServe,
  stopServer,
  until,
  untilGone,
} from './program.ts'

// Each start below is the immediate one after the crash of the test before it, and proves that it
// found the data.
test('crashes', async (suite) => {
  const { dataDir, token } = await createUsedFolder(suite)
  const startAfterCrash = async (t: TestContext) => {
    const server = startServe(t, dataDir)
    assert.ok(await isTokenKnown(await server.whenReady, token), 'the data is not there')
    return server
  }

  await suite.test('kill -9 of the process alone', async (t) => {
    const server = await startAfterCrash(t)
    server.child.kill('SIGKILL')
    await server.whenExited
  })

  await suite.test('a start works at once after kill -9 of the process', async (t) => {
    const server = await startAfterCrash(t)
    const postmaster = readPostmasterPid(dataDir)
    for (const pid of [server.pid, postmaster, ...listChildren(postmaster)]) kill(pid)
    await server.whenExited
  })

  await suite.test('a start works at once after kill -9 of process and database', async (t) => {
    const server = await startAfterCrash(t)
    process.kill(readPostmasterPid(dataDir), 'SIGKILL')
    assert.deepEqual(await server.whenExited, { code: 1, signal: null })
    assert.match(
      server.stderr(),
      /^casework: The embedded database ended \(SIGKILL\)\. Stopping; start it again\.$/m,
    )
  })

  await suite.test('a start works at once after the database was killed', async (t) => {
    const environment = { CASEWORK_PORT: '0', CASEWORK_DATA_DIR: dataDir }
    const npm = startProgram(t, ['start'], { command: ['npm'], cwd: ROOT, environment })
    assert.ok(await isTokenKnown(await npm.whenReady, token), 'the data is not there')
    npm.signalGroup('SIGKILL')
    await npm.whenExited
  })

  await suite.test('a start works at once after kill -9 of npm and its whole group', async (t) => {
    const server = startServe(t, dataDir, ['--log-level', 'debug'])
    await until(() => server.stderr().includes('PostgreSQL says'))
    server.signalGroup('SIGKILL')
    await server.whenExited
  })

  await suite.test('a start works at once after one that was killed midway', async (t) => {
    const server = await startAfterCrash(t)
    // The database begins to start its processes anew, and hangs when it is asked to stop
    // meanwhile.
    for (const pid of listChildren(readPostmasterPid(dataDir))) kill(pid)
    kill(server.pid)
    await server.whenExited
  })

  await suite.test(
    'a start works soon after kill -9 of the processes of the database',
    async (t) => {
      const server = await startAfterCrash(t)
      await stopServer(server)
      // Watchdogs of the starts before look once more whether their database is gone.
      await untilGone(dataDir)
      assertNothingLeft(dataDir)
    },
  )
})

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // One of those before it took it along.
  }
}
