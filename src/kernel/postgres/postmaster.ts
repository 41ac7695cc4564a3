// One running postmaster as a child of this process: start, readiness, watchdog, stop.

import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../log.ts'
import type { ClusterLocation } from './cluster-location.ts'
import { startFailed } from './errors.ts'
import { explainSpawnTrouble, PROGRAM_ENVIRONMENT } from './init-cluster.ts'
import { disarmForeignPids, readPidFile, SHUTDOWN_STEPS } from './leftover.ts'

export interface PostmasterExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Postmaster {
  readonly pid: number
  readonly whenExited: Promise<PostmasterExit>
  /**
   * Fast shutdown, then immediate after 7 s, then SIGKILL; resolves when all of its processes have
   * ended.
   */
  readonly stop: () => Promise<void>
}

export interface LaunchOptions {
  readonly location: ClusterLocation
  /** Folder with `bin`, `lib` and `share`. */
  readonly programs: string
  readonly settings: Readonly<Record<string, string>>
  readonly log: Log
}

// After a kill -9 orphans of the old server may hold its shared memory, or its stop may not be over
// (design section 10).
const BUSY_WAIT_MS = 20_000
const BUSY_RETRY_MS = 200
const BUSY_PATTERN =
  /lock file ".{1,4096}" already exists|shared memory block .{1,4096} is still in use/
// Crash recovery replays at most some gigabytes of log, which takes minutes on a slow disk.
const READY_WAIT_MS = 600_000
const READY_POLL_MS = 5
const LINES_KEPT_MAX = 40

/**
 * Starts the postmaster and resolves when it accepts connections. Throws POSTGRES_START_FAILED with
 * the message of PostgreSQL.
 */
export async function launchPostmaster(options: LaunchOptions): Promise<Postmaster> {
  const deadlineMs = performance.now() + BUSY_WAIT_MS
  for (;;) {
    disarmForeignPids(options.location, options.log)
    const attempt = await spawnPostmaster(options)
    if (await isReadyInTime(attempt, options.location.clusterPath)) return attempt
    const reason = attempt.findComplaint()
    if (!BUSY_PATTERN.test(reason) || performance.now() >= deadlineMs) {
      options.log.warn('PostgreSQL did not start', { output: attempt.lines })
      throw startFailed(reason)
    }
    await delay(BUSY_RETRY_MS)
  }
}

interface Attempt extends Postmaster {
  readonly lines: readonly string[]
  readonly hasExited: () => boolean
  readonly findComplaint: () => string
}

async function spawnPostmaster(options: LaunchOptions): Promise<Attempt> {
  const { location, log } = options
  const child = spawn(join(options.programs, 'bin', 'postgres'), listArguments(options), {
    ...location.account,
    cwd: location.path,
    env: PROGRAM_ENVIRONMENT,
    // Its own session: Ctrl-C reaches only this process, so that requests can finish before the
    // database goes.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const pid = await waitUntilSpawned(child, options)
  const watchdog = startWatchdog(pid, location, log)
  const lines = keepLines(child, log)
  const whenExited = new Promise<PostmasterExit>((resolve) => {
    child.once('exit', (code, signal) => {
      // At once, before the process id can be reused.
      watchdog.end()
      resolve({ code, signal })
    })
  })
  let stopping: Promise<void> | undefined
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null
  return {
    pid,
    lines,
    whenExited,
    hasExited,
    findComplaint: () => findComplaint(lines),
    stop: () => {
      stopping ??= stopChild(child, hasExited, whenExited).then(() => watchdog.whenEnded)
      return stopping
    },
  }
}

function listArguments(options: LaunchOptions): string[] {
  const settings = {
    listen_addresses: '',
    // Relative to the data folder, where the postmaster works, so that the path is short however
    // deep the folder lies.
    unix_socket_directories: '../socket',
    unix_socket_permissions: '0700',
    // A statement over all months of events locks each with its 27 indexes: a thousand locks at
    // three years, for each connection that runs one.
    max_locks_per_transaction: '512',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_line_prefix: '',
    // In this setting LOG ranks above ERROR. A failed statement is reported to its caller, and its
    // text may hold personal data, so it is not logged.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    lc_messages: 'C',
    ...options.settings,
  }
  return [
    '-D',
    options.location.clusterPath,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

async function waitUntilSpawned(child: ChildProcess, options: LaunchOptions): Promise<number> {
  try {
    await new Promise<void>((resolve, fail) => {
      child.once('spawn', resolve)
      child.once('error', fail)
    })
  } catch (error) {
    throw error instanceof Error ? explainSpawnTrouble(error, options.location.account) : error
  }
  if (child.pid === undefined) throw startFailed('it has no process id')
  return child.pid
}

function keepLines(child: ChildProcessByStdio<null, null, Readable>, log: Log): readonly string[] {
  const lines: string[] = []
  const reader = createInterface({ input: child.stderr })
  reader.on('line', (line) => {
    lines.push(line)
    if (lines.length > LINES_KEPT_MAX) lines.shift()
    if (/^(?:FATAL|PANIC):/.test(line)) log.warn('PostgreSQL complains', { line })
    else log.debug('PostgreSQL says', { line })
  })
  // It tells of the errors of the pipe, which would end this process without a listener.
  reader.on('error', (error) => {
    log.warn('The output of PostgreSQL cannot be read', { error: error.message })
  })
  return lines
}

function findComplaint(lines: readonly string[]): string {
  const complaint = lines.find((line) => /^(?:FATAL|PANIC):/.test(line)) ?? lines.at(-1)
  return complaint?.replace(/^[A-Z]+:\s+/, '') ?? 'it said nothing'
}

// The pid file shows readiness earlier and at less cost than connection attempts; pg_ctl waits in
// the same way.
async function isReadyInTime(attempt: Attempt, clusterPath: string): Promise<boolean> {
  const deadlineMs = performance.now() + READY_WAIT_MS
  while (performance.now() < deadlineMs) {
    if (attempt.hasExited()) {
      await attempt.whenExited
      return false
    }
    const file = readPidFile(clusterPath)
    if (file?.pid === attempt.pid && file.status === 'ready') return true
    await delay(READY_POLL_MS)
  }
  await attempt.stop()
  return false
}

async function stopChild(
  child: ChildProcess,
  hasExited: () => boolean,
  whenExited: Promise<PostmasterExit>,
): Promise<void> {
  for (const { signal, waitMs } of SHUTDOWN_STEPS) {
    if (hasExited()) break
    child.kill(signal)
    await waitAtMost(whenExited, waitMs)
  }
  await whenExited
}

async function waitAtMost(event: Promise<unknown>, waitMs: number): Promise<void> {
  const waiting = new AbortController()
  await Promise.race([
    event,
    delay(waitMs, undefined, { signal: waiting.signal }).catch(() => undefined),
  ])
  waiting.abort()
}

interface Watchdog {
  readonly end: () => void
  readonly whenEnded: Promise<void>
}

// `read` returns when the other end of its standard input is closed, that is, when this process has
// ended for any reason. The pid file is compared first, since the process id may be reused by then.
// It is read up to three times, because it appears after the start. The steps are SHUTDOWN_STEPS.
const WATCHDOG_SCRIPT = `read -r line
for attempt in 1 2 3; do
  if read -r pid < "$2" && [ "$pid" = "$1" ]; then
    kill -INT "$1"
    for second in 1 2 3 4 5 6 7; do
      sleep 1
      read -r pid < "$2" && [ "$pid" = "$1" ] && kill -0 "$1" || exit 0
    done
    kill -QUIT "$1"
    exit 0
  fi
  sleep 1
done`

/**
 * A small shell process that stops the database when this process is killed, so that no database is
 * left running.
 */
function startWatchdog(pid: number, location: ClusterLocation, log: Log): Watchdog {
  const pidFile = join(location.clusterPath, 'postmaster.pid')
  const shell = spawn(
    '/bin/sh',
    ['-c', WATCHDOG_SCRIPT, 'casework-watchdog', String(pid), pidFile],
    {
      ...location.account,
      cwd: location.path,
      env: PROGRAM_ENVIRONMENT,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  )
  const whenEnded = new Promise<void>((resolve) => {
    shell.once('exit', () => resolve())
    shell.once('error', (error) => {
      // A container image without a shell: the next start stops the remaining postmaster.
      log.debug('No watchdog for the database', { error: error.message })
      resolve()
    })
  })
  // It must not keep this process alive.
  shell.unref()
  return {
    whenEnded,
    end: () => {
      // From here on the caller waits for its exit.
      shell.ref()
      shell.kill('SIGKILL')
    },
  }
}
