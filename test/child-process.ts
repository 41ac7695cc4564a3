// Child processes of tests: their first output, and their end.

import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** True also for one that a signal ended, which has no exit code. */
export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** Signals the process, and resolves when it has ended; at once when it had ended before. */
export async function endProcess(
  child: ChildProcess,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<void> {
  if (hasEnded(child)) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}

/** Resolves when the process prints something; rejects when it ends instead. */
export async function whenOutput(child: ChildProcess): Promise<void> {
  const { stdout } = child
  assert.ok(stdout !== null && !hasEnded(child), 'the child has ended')
  const waiting = new AbortController()
  const { signal } = waiting
  const end = async (): Promise<never> => {
    const [code, killedBy] = await once(child, 'exit', { signal })
    throw new Error(`the child ended with ${String(killedBy ?? code)} before it printed anything`)
  }
  try {
    await Promise.race([once(stdout, 'data', { signal }), end()])
  } finally {
    waiting.abort()
  }
}
