// Keeps the load off the processor of the server that is measured.

import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import { listChildren } from './processor-time.ts'

/** The processor of the servers that are measured. */
export const SERVER_CORE = 0

const LAST_CORE = cpus().length - 1
/** The others, as taskset(1) takes them; where there is but one processor, that one. */
export const LOAD_CORES =
  LAST_CORE > SERVER_CORE ? `${SERVER_CORE + 1}-${LAST_CORE}` : String(SERVER_CORE)

/** Confines this process to the other processors for as long as `run` takes. */
export async function keepApart<T>(run: () => Promise<T>): Promise<T> {
  confine(process.pid, LOAD_CORES)
  try {
    return await run()
  } finally {
    confine(process.pid, `0-${LAST_CORE}`)
  }
}

/** Confines a process and those that it has started to the other processors from now on. */
export function keepTreeApart(pid: number): void {
  for (const one of [pid, ...listChildren(pid)]) confine(one, LOAD_CORES)
}

function confine(pid: number, cores: string): void {
  execFileSync('taskset', ['-acp', cores, String(pid)], { stdio: 'ignore' })
}
