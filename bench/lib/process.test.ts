// A server of a bench: it is ready, or its process is gone.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { endProcess, startServerProcess } from './process.ts'

const isLinux = process.platform === 'linux'
const READY = `console.log('ready at http://127.0.0.1:4711')`
const STAYS = 'setInterval(() => undefined, 1_000)'

describe('a server of a bench', { skip: !isLinux, timeout: 60_000 }, () => {
  test('is ready when it says so, and has used processor time and memory', async () => {
    const server = await startServerProcess({ args: ['-e', `${READY}; ${STAYS}`] })
    assert.equal(server.port, 4711)
    assert.ok(server.readResidentBytes() > 1e6)
    assert.ok(server.readCpuSeconds() >= 0)
    await server.stop()
    // A second time it has ended already.
    await server.kill()
  })

  test('is an error with its output when it ends before it is ready', async () => {
    const { server } = await start(`console.log('no room'); process.exitCode = 3`)
    assert.match(String(server), /ended with code 3: no room/)
  })

  test('is gone when it was not ready in time', async () => {
    const { server, child } = await start(STAYS, 500)
    assert.match(String(server), /not ready within 500 ms/)
    assert.equal(child.signalCode, 'SIGKILL')
  })
})

describe('the end of a process', { timeout: 60_000 }, () => {
  test('is forced, and an error, when the process does not end in time', async () => {
    const program = `process.on('SIGTERM', () => undefined); ${READY}; ${STAYS}`
    const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    await assert.rejects(endProcess(child, 'SIGTERM', 200), /did not end at SIGTERM in time/)
    assert.equal(child.signalCode, 'SIGKILL')
  })
})

/** The server, or why there is none, and its process. */
async function start(
  program: string,
  readyTimeoutMs = 60_000,
): Promise<{ readonly server: unknown; readonly child: ChildProcess }> {
  const children: ChildProcess[] = []
  const server = await startServerProcess({
    args: ['-e', program],
    onSpawn: (child) => children.push(child),
    readyTimeoutMs,
  }).catch((error: unknown) => error)
  const [child] = children
  assert.ok(child)
  return { server, child }
}
