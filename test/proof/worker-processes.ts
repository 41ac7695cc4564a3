// Workers in processes of their own, which a proof starts, kills and freezes.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { whenOutput } from '../child-process.ts'
import type { SocketConnection } from '../harness.ts'

// None outlives the proof, however it ends.
const children = new Set<ChildProcess>()

/** Kills those that still run. */
export function killWorkers(): void {
  for (const child of children) child.kill('SIGKILL')
}

/** A worker that is loaded and does nothing before `begin`. */
export interface SpareWorker {
  readonly child: ChildProcess
  readonly begin: () => Promise<void>
}

export async function openSpareWorker(
  connection: SocketConnection,
  environment: Readonly<Record<string, string>>,
): Promise<SpareWorker> {
  const script = join(import.meta.dirname, 'worker-process.ts')
  const child = spawn(process.execPath, [script, JSON.stringify({ connection, environment })], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  const { stdin } = child
  assert.ok(stdin !== null)
  // A worker that was killed reads no more.
  stdin.on('error', () => undefined)
  await whenOutput(child)
  return {
    child,
    async begin() {
      stdin.write('begin\n')
      await whenOutput(child)
    },
  }
}
