// What an earlier start left behind: a postmaster whose parent was killed, or a postmaster.pid
// whose number belongs to somebody else by now. A process is signalled only after it was recognised
// as the postmaster of this very folder.

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
  /** "starting", "ready", "stopping" …; empty in the first moments. */
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
  // kill(0) and kill(-1) would mean groups of processes.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasErrorCode(error, 'EPERM')
  }
}

/** True when `pid` runs a program called postgres with this very folder as its data folder. */
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
    // Gone, or not ours to look at: in both cases not the one that we started.
    return false
  }
}

/**
 * Signals in the order of PostgreSQL's shutdown modes: fast, immediate, none; each with the time it
 * is given. The second one loses nothing either, the next start replays the log; and it ends a
 * server that hangs in the first one, as 18.4 does when it is asked while it restarts itself after
 * the crash of one of its processes (measured: for ever).
 */
export const SHUTDOWN_STEPS = [
  // So that serve, which gives itself 10 s in all, is there to see the second.
  { signal: 'SIGINT', waitMs: 7_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const

// Nobody uses it any more and somebody waits for the start, so it is not given long to tidy up.
const LEFTOVER_STEPS = [{ signal: 'SIGINT', waitMs: 2_000 }, ...SHUTDOWN_STEPS.slice(1)] as const
const POLL_MS = 20

/**
 * Stops a postmaster that an earlier start left running on this cluster. It is stopped and not
 * adopted: a child of our own tells when it exits, runs the programs and settings of this version,
 * and the stop takes a tenth of a second.
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
 * After a crash the number in a lock file may belong to a stranger of the same user, and PostgreSQL
 * would then refuse to start for as long as that one lives. Its check of postmaster.pid passes over
 * the number of its own parent, which is us; the other lines stay, because they hold the shared
 * memory key by which it notices orphans of the crashed server.
 */
export function disarmForeignPids(location: ClusterLocation, log: Log): void {
  const lines = readLines(location.clusterPath)
  const pid = Number(lines?.[0])
  if (lines !== null && isForeign(pid, location)) {
    log.info('The process id in postmaster.pid belongs to another program by now', { pid })
    const disarmed = [process.pid, ...lines.slice(1)].join('\n')
    writeFileSync(join(location.clusterPath, 'postmaster.pid'), disarmed)
  }
  // The lock of the socket guards nothing more: the folder is used by this cluster only.
  const isRunning = lines !== null && isPostmasterOf(pid, location.clusterPath)
  if (!isRunning) rmSync(join(location.socketFolder, SOCKET_LOCK_NAME), { force: true })
}

function isForeign(pid: number, location: ClusterLocation): boolean {
  return pid !== process.pid && isAlive(pid) && !isPostmasterOf(pid, location.clusterPath)
}
