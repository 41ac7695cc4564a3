// Starts a server as its own process on one processor and reads what CPU and memory it used, from
// /proc (Linux).

import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface ServerProcess {
  readonly port: number
  /** CPU seconds (user and system) used so far. */
  readonly readCpuSeconds: () => number
  readonly readResidentBytes: () => number
  /** Takes the processor from all its threads, or gives it back. */
  readonly setPaused: (isPaused: boolean) => void
  readonly stop: () => Promise<void>
  /** Ends it as a power cut would. */
  readonly kill: () => Promise<void>
}

// getconf CLK_TCK is 100 on every Linux that Node runs on.
const TICKS_PER_SECOND = 100
// The first start over 10 million entries reads them all.
const START_TIMEOUT_MS = 600_000

/**
 * Starts `args` with this Node pinned to `core`; the server must print a line that ends in `:PORT`.
 */
export async function startServerProcess(
  args: readonly string[],
  core: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const child = spawn('taskset', ['-c', String(core), process.execPath, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  })
  const port = await readPort(child)
  const { pid } = child
  if (pid === undefined) throw new Error('the server has no process id')
  return {
    port,
    readCpuSeconds: () => readStat(pid).ownSeconds,
    readResidentBytes: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024,
    setPaused: (isPaused) => child.kill(isPaused ? 'SIGSTOP' : 'SIGCONT'),
    stop: () => endBy(child, 'SIGTERM'),
    kill: () => endBy(child, 'SIGKILL'),
  }
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
 * Those that the main thread of the process has started and that run; PostgreSQL has no other
 * thread.
 */
export function listChildren(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.trim().split(' ').filter(Boolean).map(Number)
}

function readStat(pid: number): {
  readonly ownSeconds: number
  readonly endedChildrenSeconds: number
} {
  // proc_pid_stat(5), from its third field on: the second may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const sum = (at: number): number =>
    (Number(fields[at]) + Number(fields[at + 1])) / TICKS_PER_SECOND
  return { ownSeconds: sum(11), endedChildrenSeconds: sum(13) }
}

async function endBy(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  // One that has ended by itself tells no second time.
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.kill(signal)
  })
}

function readPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = ''
    const timer = setTimeout(
      () => reject(new Error(`the server did not start: ${output}`)),
      START_TIMEOUT_MS,
    )
    child.once('exit', (code) => reject(new Error(`the server ended with code ${code}: ${output}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
      const port = /ready at http:\/\/[^:\s]+:(\d+)\s/.exec(output)?.[1]
      if (port === undefined) return
      clearTimeout(timer)
      resolve(Number(port))
    })
  })
}
