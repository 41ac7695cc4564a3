// How the real program ends by signals, and what it leaves behind: nothing.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { readStat } from '../postgres-harness.ts'
import { waitUntil } from '../wait.ts'
import { beginRequest } from './begin-request.ts'
import {
  assertNothingLeft,
  assertSentence,
  createUsedFolder,
  isTokenKnown,
  type Program,
  ROOT,
  readPostmasterPid,
  runCommand,
  signalUntilExit,
  startProgram,
  startServe,
  stopServer,
  untilGone,
} from './program.ts'

const TROUBLE_PATTERN = /"level":"(warn|error)"/

// One data folder for all, used one after the other: each test begins with what the one before
// left.
test('stopping', async (suite) => {
  const { dataDir, token } = await createUsedFolder(suite)

  await suite.test(
    'SIGTERM to the process stops everything with exit code 0, and a request under way is answered before',
    async (t) => {
      const server = startServe(t, dataDir)
      const slow = await beginRequest(new URL(await server.whenReady))
      server.child.kill('SIGTERM')
      await waitUntil(() => server.stderr().includes('Stopping'))
      slow.finish()
      assert.match(await slow.whenAnswered, /^HTTP\/1\.1 200 /)
      assert.deepEqual(await server.whenExited, { code: 0, signal: null })
      assertNothingLeft(dataDir)
      assert.doesNotMatch(server.stderr(), TROUBLE_PATTERN)
    },
  )

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    await suite.test(`${signal} to npm and its whole group stops everything once`, async (t) => {
      const npm = startWithNpm(t, dataDir)
      await npm.whenReady
      npm.signalGroup(signal)
      await npm.whenExited
      await untilGone(dataDir)
      assertNothingLeft(dataDir)
      assert.equal(npm.stderr().match(/"msg":"Stopping"/g)?.length, 1)
      assert.doesNotMatch(npm.stderr(), TROUBLE_PATTERN)
    })
  }

  await suite.test('a second SIGTERM ends the process at once with exit code 130', async (t) => {
    const server = startServe(t, dataDir)
    await beginRequest(new URL(await server.whenReady))
    assert.deepEqual(await signalUntilExit(server, 'SIGTERM'), { code: 130, signal: null })
    // The watchdog of the database sees to it.
    await untilGone(dataDir)
  })

  await suite.test('SIGTERM during the start ends it with exit code 0', async (t) => {
    const server = startServe(t, dataDir, ['--log-level', 'debug'])
    await waitUntil(() => server.stderr().includes('PostgreSQL says'))
    await stopServer(server)
    assertNothingLeft(dataDir)
    assert.doesNotMatch(server.stdout(), /ready/)
  })

  await suite.test(
    'a second start on the folder waits, then refuses in one sentence',
    async (t) => {
      const first = startServe(t, dataDir)
      const url = await first.whenReady
      const second = await runCommand(t, ['serve', '--data-dir', dataDir, '--port', '0'])
      assert.equal(second.code, 1)
      assertSentence(
        second.stderr,
        new RegExp(`${dataDir} is in use by .* \\(process ${first.pid}\\)`),
      )
      assert.equal(second.stdout, '')
      assert.ok(await isTokenKnown(url, token), 'the first one does not serve any more')
      await stopServer(first)
    },
  )

  await suite.test(
    'Ctrl-C, a SIGINT to the whole group, stops everything, and a start that waits for it serves',
    async (t) => {
      const first = startServe(t, dataDir, ['--threads', '2'])
      await first.whenReady
      const postmaster = readPostmasterPid(dataDir)
      const next = startServe(t, dataDir)
      first.signalGroup('SIGINT')
      assert.deepEqual(await first.whenExited, { code: 0, signal: null })
      assert.equal(readStat(postmaster, 4), null, 'its database is left')
      assert.doesNotMatch(first.stderr(), TROUBLE_PATTERN)
      assert.ok(await isTokenKnown(await next.whenReady, token), 'a restart that overlaps fails')
      await stopServer(next)
      assertNothingLeft(dataDir)
      assert.doesNotMatch(next.stderr(), TROUBLE_PATTERN)
    },
  )
})

function startWithNpm(t: TestContext, dataDir: string): Program {
  const environment = { CASEWORK_PORT: '0', CASEWORK_DATA_DIR: dataDir }
  return startProgram(t, ['start'], { command: ['npm'], cwd: ROOT, environment })
}
