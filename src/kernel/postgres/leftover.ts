// Cleans up after an earlier start that was killed: a postmaster without its parent, or a
// postmaster.pid whose process id belongs to another process by now. A process gets a signal only
// after it was recognised as the postmaster of this folder.

import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { hasErrorCode } from '../system-error.ts'
import { type ClusterLocation, SOCKET_LOCK_NAME } from './cluster-location.ts'
import { startFailed } from './errors.ts'

export interface PidFile {
  readonly pid: number
  /** "starting", "ready", "stopping" …; empty at first. */
  readonly status: string
}

/**
 * Reads postmaster.pid (PostgreSQL, utils/pidfile.h: line 1 process id, line 8 status), or null
 * when there is none to read.
 */
export function readPidFile(clusterPath: string): PidFile | null {
  const lines = readLines(clusterPath)
  const pid = Number(lines?.[0])
  if (lines === null || !Number.isSafeInteger(pid) || pid <= 1) return null
  return { pid, status: (lines[7] ?? '').trim() }
}

function readLines(clusterPath: string): readonly string[] | null {
  try {
    return readFileSync(join(clusterPath, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null
    throw error
  }
}

export function isAlive(pid: number): boolean {
  // kill(0) and kill(-1) would signal groups of processes.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasErrorCode(error, 'EPERM')
  }
}

/** True when `pid` runs a program called postgres with this folder as its data folder. */
export function isPostmasterOf(pid: number, clusterPath: string): boolean {
  try {
    if (process.platform === 'linux') {
      const [program] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      if (basename(program ?? '') !== 'postgres') return false
      // A postmaster works in its data folder, and keeps working there when the folder is renamed;
      // hence the inode.
      const workingFolder = statSync(`/proc/${pid}/cwd`)
      const cluster = statSync(clusterPath)
      return workingFolder.ino === cluster.ino && workingFolder.dev === cluster.dev
    }
    const commandLine = execFileSync('/bin/ps', ['-o', 'command=', '-p', String(pid)], {
      encoding: 'utf8',
    })
    return /^\S*\/postgres /.test(commandLine) && commandLine.includes(` -D ${clusterPath} `)
  } catch {
    // The process has ended, or belongs to another account: in both cases it is not our postmaster.
    return false
  }
}

/**
 * Signals in the order of PostgreSQL's shutdown modes: fast, immediate, then SIGKILL; each with its
 * timeout. The immediate mode loses nothing either, because the next start replays the log. It also
 * ends a server that hangs in fast shutdown, as 18.4 does while it restarts after the crash of one
 * of its processes.
 */
export const SHUTDOWN_STEPS = [
  // Short enough for `serve`, which has 10 s for its whole stop.
  { signal: 'SIGINT', waitMs: 7_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const

// The old server has no users and the new start waits for it, so its timeouts are short.
const LEFTOVER_STEPS = [{ signal: 'SIGINT', waitMs: 2_000 }, ...SHUTDOWN_STEPS.slice(1)] as const
const POLL_MS = 20

/**
 * Stops a postmaster that an earlier start left running on this cluster. It is stopped and not
 * adopted: the exit of a child process is noticed, a child runs the programs and settings of this
 * version, and the stop takes a tenth of a second.
 */
export async function stopLeftover(clusterPath: string, log: Log): Promise<void> {
  const pid = readPidFile(clusterPath)?.pid
  if (pid === undefined || !isPostmasterOf(pid, clusterPath)) return
  log.info('Stopping the database process that an earlier start left behind', { pid })
  for (const { signal, waitMs } of LEFTOVER_STEPS) {
    sendSignal(pid, signal)
    const deadlineMs = performance.now() + waitMs
    while (performance.now() < deadlineMs) {
      if (!isPostmasterOf(pid, clusterPath)) return
      await delay(POLL_MS)
    }
  }
  throw startFailed(`process ${pid} of an earlier start cannot be stopped`)
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!hasErrorCode(error, 'ESRCH')) {
      throw startFailed(`process ${pid} of an earlier start may not be stopped by us`, error)
    }
  }
}

/**
 * After a crash the process id in a lock file may belong to an unrelated process of the same user,
 * and PostgreSQL would refuse to start while that process runs. Its check of postmaster.pid ignores
 * the process id of its own parent, which is this process. The other lines stay, because they hold
 * the shared memory key by which it finds orphans of the crashed server.
 */
export function disarmForeignPids(location: ClusterLocation, log: Log): void {
  const lines = readLines(location.clusterPath)
  const pid = Number(lines?.[0])
  if (lines !== null && isForeign(pid, location)) {
    log.info('The process id in postmaster.pid belongs to another program by now', { pid })
    const disarmed = [process.pid, ...lines.slice(1)].join('\n')
    writeFileSync(join(location.clusterPath, 'postmaster.pid'), disarmed)
  }
  // The lock file of the socket is not needed: only this cluster uses the folder.
  const isRunning = lines !== null && isPostmasterOf(pid, location.clusterPath)
  if (!isRunning) rmSync(join(location.socketFolder, SOCKET_LOCK_NAME), { force: true })
}

function isForeign(pid: number, location: ClusterLocation): boolean {
  return pid !== process.pid && isAlive(pid) && !isPostmasterOf(pid, location.clusterPath)
}
