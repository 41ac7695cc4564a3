// Keeps the load off the processor of the server that is measured.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** The processor of the servers that are measured. */
export const SERVER_CORE = 0

/** Confines this process to the other processors for as long as `run` takes. */
export async function keepApart<T>(run: () => Promise<T>): Promise<T> {
  const last = cpus().length - 1
  if (last === 0) return run()
  confine(process.pid, `${SERVER_CORE + 1}-${last}`)
  try {
    return await run()
  } finally {
    confine(process.pid, `0-${last}`)
  }
}

/** Confines a process and those that it has started to the other processors from now on. */
export function keepTreeApart(pid: number): void {
  const last = cpus().length - 1
  if (last === 0) return
  for (const one of [pid, ...listChildren(pid)]) confine(one, `${SERVER_CORE + 1}-${last}`)
}

function listChildren(pid: number): number[] {
  const path = `/proc/${pid}/task/${pid}/children`
  return readFileSync(path, 'utf8').trim().split(' ').filter(Boolean).map(Number)
}

function confine(pid: number, cores: string): void {
  execFileSync('taskset', ['-acp', cores, String(pid)], { stdio: 'ignore' })
}
