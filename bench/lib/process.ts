// Starts a server as its own process on the processor of the servers, and ends it.

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { SERVER_CORE } from './keep-apart.ts'
import { readCpuSeconds, readResidentBytes } from './processor-time.ts'

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

export interface ServerStart {
  /** For this Node: its flags, the program and the arguments of the program. */
  readonly args: readonly string[]
  /** Added to the environment of the bench. */
  readonly environment?: Readonly<Record<string, string>>
  /** Gets the process before the server is ready, so that its owner can end it at any time. */
  readonly onSpawn?: (child: ChildProcess) => void
  /** Ten minutes when left out. */
  readonly readyTimeoutMs?: number
}

// The first start over 10 million entries reads them all.
const READY_TIMEOUT_MS = 600_000
// A server that has just imported a large set writes its file before it ends.
const END_TIMEOUT_MS = 120_000

/**
 * Starts a server that prints `ready at http://HOST:PORT` and a line break. Throws when it ends
 * before that or is not ready in time; its process is gone then.
 */
export async function startServerProcess({
  args,
  environment = {},
  onSpawn = () => undefined,
  readyTimeoutMs = READY_TIMEOUT_MS,
}: ServerStart): Promise<ServerProcess> {
  const child = spawnPinned(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  })
  onSpawn(child)
  try {
    const port = await readPort(child, readyTimeoutMs)
    const pid = pidOf(child)
    return {
      port,
      readCpuSeconds: () => readCpuSeconds(pid),
      readResidentBytes: () => readResidentBytes(pid),
      setPaused: (isPaused) => child.kill(isPaused ? 'SIGSTOP' : 'SIGCONT'),
      stop: () => endProcess(child, 'SIGTERM'),
      kill: () => endProcess(child, 'SIGKILL'),
    }
  } catch (error) {
    await endProcess(child, 'SIGKILL')
    throw error
  }
}

/** Starts a program on the processor of the servers. */
export function spawnPinned(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  // taskset becomes the program, so the process id is that of the program.
  return spawn('taskset', ['-c', String(SERVER_CORE), program, ...args], options)
}

/** Throws when the process could not be started. */
export function pidOf({ pid, spawnargs }: ChildProcess): number {
  if (pid === undefined) throw new Error(`${spawnargs.join(' ')} was not started`)
  return pid
}

/**
 * Ends a child that may have ended already. One that is still there after `timeoutMs` is killed,
 * and that is an error.
 */
export async function endProcess(
  child: ChildProcess,
  signal: 'SIGTERM' | 'SIGKILL',
  timeoutMs = END_TIMEOUT_MS,
): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, timeoutMs)
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
  clearTimeout(timer)
  if (isLate) throw new Error(`${child.spawnargs.join(' ')} did not end at ${signal} in time`)
}

function readPort(child: ChildProcess, timeoutMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = ''
    const fail = (error: Error): void => {
      clearTimeout(timer)
      reject(error)
    }
    const timer = setTimeout(
      () => fail(new Error(`the server was not ready within ${timeoutMs} ms: ${output}`)),
      timeoutMs,
    )
    const read = (chunk: Buffer): void => {
      output += chunk.toString('utf8')
      const port = /ready at http:\/\/[^:\s]+:(\d+)\s/.exec(output)?.[1]
      if (port === undefined) return
      clearTimeout(timer)
      child.stdout?.off('data', read)
      // What it prints from now on is thrown away: a full pipe would hold it up.
      child.stdout?.resume()
      resolve(Number(port))
    }
    child.stdout?.on('data', read)
    child.once('error', fail)
    child.once('exit', (code) => fail(new Error(`the server ended with code ${code}: ${output}`)))
  })
}
