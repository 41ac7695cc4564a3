// The launcher, bin/casework.js, where npm or a supervisor starts it by a Node that is too old.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { readPackageVersion } from '../../src/values/resources.ts'
import { listenUntilEnd } from '../loopback.ts'
import { atEnd } from '../postgres-harness.ts'
import { waitUntil } from '../wait.ts'
import { beginRequest } from './begin-request.ts'
import {
  assertNothingLeft,
  createUsedFolder,
  runCommand,
  startProgram,
  startServe,
  untilGone,
} from './program.ts'

test('the launcher on a Node that is too old', async (suite) => {
  const environment = { NODE_OPTIONS: `--require=${createOldNode(suite)}` }

  await suite.test('goes over to the Node beside it, with streams and exit codes', async (t) => {
    const version = await runCommand(t, ['--version'], { environment })
    assert.deepEqual(version, { code: 0, stdout: `${readPackageVersion()}\n`, stderr: '' })
    const silent = await runCommand(t, ['lookup', '192.0.2.1', '--url', 'http://127.0.0.1:1'], {
      environment,
    })
    assert.deepEqual(silent, {
      code: 7,
      stdout: '',
      stderr: 'casework: http://127.0.0.1:1 does not answer.\n',
    })
  })

  await suite.test('says what to do when that Node is too old as well', async (t) => {
    const refused = await runCommand(t, ['--version'], {
      environment: { ...environment, OLD_NODE_EVERYWHERE: 'yes' },
    })
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /^casework needs Node 24\.6 or newer and this is Node 20\.20\.2: /)
  })

  const { dataDir } = await createUsedFolder(suite)

  await suite.test('passes SIGTERM on to the server, and ends with its exit code', async (t) => {
    const server = startServe(t, dataDir, [], { environment })
    await server.whenReady
    server.child.kill('SIGTERM')
    assert.deepEqual(await server.whenExited, { code: 0, signal: null })
    assertNothingLeft(dataDir)
  })

  await suite.test('ends by the signal that ended the command', async (t) => {
    const silent = await listenSilently(t)
    const waiting = startProgram(t, ['explain', '192.0.2.1', '--url', silent.url], { environment })
    await silent.whenAsked
    waiting.child.kill('SIGTERM')
    assert.deepEqual(await waiting.whenExited, { code: null, signal: 'SIGTERM' })
  })

  await suite.test('leaves no server behind when it is killed', async (t) => {
    const server = startServe(t, dataDir, [], { environment })
    await server.whenReady
    server.child.kill('SIGKILL')
    await server.whenExited
    await untilGone(dataDir)
    assertNothingLeft(dataDir)
  })

  await suite.test('lets the server finish what it was asked when it is killed', async (t) => {
    const server = startServe(t, dataDir, [], { environment })
    const slow = await beginRequest(new URL(await server.whenReady))
    server.child.kill('SIGKILL')
    await waitUntil(() => server.stderr().includes('Stopping'))
    // Longer than the second in which another signal counts as the same request (serve-command.ts).
    await delay(1_500)
    slow.finish()
    assert.match(await slow.whenAnswered, /^HTTP\/1\.1 200 /)
    await untilGone(dataDir)
    assertNothingLeft(dataDir)
  })
})

/**
 * A file that makes a Node say that it is an old one; not the Node that the launcher goes over to.
 */
function createOldNode(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'casework-old-node-'))
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'old-node.cjs')
  writeFileSync(
    file,
    `const { _CASEWORK_STARTER: starter, OLD_NODE_EVERYWHERE: everywhere } = process.env
    if (starter === undefined || everywhere !== undefined) {
      Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })
    }`,
  )
  return file
}

/** Accepts connections and never answers. */
async function listenSilently(
  t: TestContext,
): Promise<{ readonly url: string; readonly whenAsked: Promise<unknown> }> {
  const server = createServer()
  const whenAsked = once(server, 'connection')
  return { url: `http://127.0.0.1:${await listenUntilEnd(t, server)}`, whenAsked }
}
