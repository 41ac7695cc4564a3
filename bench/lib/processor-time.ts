// What processor time and memory processes have used, from /proc (Linux).

import { readFileSync } from 'node:fs'

// getconf CLK_TCK is 100 on every Linux that Node runs on.
const TICKS_PER_SECOND = 100

/** CPU seconds (user and system) that a process has used so far, without its children. */
export function readCpuSeconds(pid: number): number {
  return readStat(pid).ownSeconds
}

/** CPU seconds used so far by a process, its children that run, and those that have ended. */
export function readTreeCpuSeconds(pid: number): number {
  const root = readStat(pid)
  let seconds = root.ownSeconds + root.endedChildrenSeconds
  for (const child of listChildren(pid)) {
    try {
      const stat = readStat(child)
      seconds += stat.ownSeconds + stat.endedChildrenSeconds
    } catch {
      // The process ended after it was listed.
    }
  }
  return seconds
}

/**
 * Process ids of the running children that the main thread of a process has started; PostgreSQL has
 * no other thread.
 */
export function listChildren(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.trim().split(' ').filter(Boolean).map(Number)
}

export function readResidentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1_024
}

function readStat(pid: number): {
  readonly ownSeconds: number
  readonly endedChildrenSeconds: number
} {
  // proc_pid_stat(5), from its third field on: the second may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const userAndSystem = (at: number): number =>
    (Number(fields[at]) + Number(fields[at + 1])) / TICKS_PER_SECOND
  return { ownSeconds: userAndSystem(11), endedChildrenSeconds: userAndSystem(13) }
}
