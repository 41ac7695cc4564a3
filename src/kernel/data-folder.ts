// The data folder and its lock: one running program per folder (design section 10 "Start and
// stop"). The lock is a listening socket in the folder, so it vanishes with its process; the same
// socket serves the commands that run beside a server.

import { createHash } from 'node:crypto'
import { chmodSync, closeSync, mkdirSync, openSync, realpathSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, request, type Server } from 'node:http'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { dataFolderInUse, dataFolderNotUsable, nodeNotReady } from './errors.ts'
import { openSocketFolder } from './socket-folder.ts'
import { hasErrorCode } from './system-error.ts'

export interface DataFolder {
  /** Absolute, symbolic links resolved. */
  readonly path: string
  /** Address of the listening socket, as this process can use it. */
  readonly socketPath: string
  /**
   * Sets the handler of requests on the socket; until then the answer is 503. `HEAD /` is always
   * answered here, with 204.
   */
  readonly setRequestHandler: (handler: RequestListener) => void
  /** Releases the lock. Open requests on the socket are closed. */
  readonly close: () => Promise<void>
}

export interface DataFolderOptions {
  readonly path: string
  /**
   * How long to wait for another program to leave the folder; 5,000 by default, because a restart
   * overlaps with the stop before it.
   */
  readonly waitMs?: number
}

const SOCKET_NAME = 'casework.sock'
const GATE_NAME = 'casework.lock'
const PID_HEADER = 'x-casework-pid'
const WAIT_MS = 5_000
const RETRY_MS = 50
// A holder that is stopped (SIGSTOP) accepts connections without an answer. It still has the lock.
const HOLDER_ANSWER_MS = 1_000
const SQLITE_BUSY = 5

/**
 * Creates the folder if it is absent, checks that it can be written, and takes its lock. Throws
 * KERNEL_DATA_FOLDER_NOT_USABLE, or KERNEL_DATA_FOLDER_IN_USE when another program still holds it
 * after `waitMs`.
 */
export async function openDataFolder(options: DataFolderOptions): Promise<DataFolder> {
  const path = prepareFolder(resolve(options.path))
  const socket = openSocket(path)
  const deadlineMs = performance.now() + (options.waitMs ?? WAIT_MS)
  try {
    for (;;) {
      const outcome = await tryLock(path, socket.path)
      if (outcome.kind === 'taken') {
        return {
          path,
          socketPath: socket.path,
          setRequestHandler: outcome.lock.setRequestHandler,
          close: async () => {
            await closeServer(outcome.lock.server)
            socket.close()
          },
        }
      }
      if (performance.now() >= deadlineMs) throw dataFolderInUse(path, outcome.pid)
      await delay(RETRY_MS)
    }
  } catch (error) {
    socket.close()
    throw error
  }
}

/**
 * Address of the socket of the program that runs on this data folder, if one does. The folder must
 * exist. For a deep folder this keeps one file handle open as long as the process lives, which
 * suits a command that asks once.
 */
export function resolveSocketPath(dataDir: string): string {
  return openSocket(realpathSync(dataDir)).path
}

function openSocket(path: string): { readonly path: string; readonly close: () => void } {
  if (process.platform === 'win32') {
    // Node has no unix sockets there; a named pipe is exclusive and vanishes with its process as
    // well.
    const hash = createHash('sha256').update(path.toLowerCase()).digest('hex').slice(0, 16)
    return { path: `\\\\.\\pipe\\casework-${hash}`, close: () => undefined }
  }
  const folder = openSocketFolder(path, SOCKET_NAME)
  return { path: join(folder.path, SOCKET_NAME), close: folder.close }
}

function prepareFolder(path: string): string {
  try {
    mkdirSync(dirname(path), { recursive: true })
    makeFolder(path)
    closeSync(openSync(join(path, GATE_NAME), 'a', 0o600))
    return realpathSync(path)
  } catch (error) {
    throw dataFolderNotUsable(path, error)
  }
}

// Only the folder itself is private: parents that are created with it keep the usual mode, so that
// the database's account can pass.
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error
  }
}

type LockOutcome =
  | { readonly kind: 'taken'; readonly lock: Lock }
  | { readonly kind: 'held'; readonly pid: number | null }

interface Lock {
  readonly server: Server
  readonly setRequestHandler: (handler: RequestListener) => void
}

// Probing, removing the file that a killed process left, and listening must be one step: two
// programs that find the same dead socket would otherwise remove each other's fresh one, and both
// believe that they won. Hence the gate around it.
async function tryLock(path: string, socketPath: string): Promise<LockOutcome> {
  const gate = enterGate(path)
  if (gate === null) return { kind: 'held', pid: null }
  try {
    const holder = await findHolder(socketPath)
    if (holder !== null) return { kind: 'held', pid: holder.pid }
    return { kind: 'taken', lock: await listen(path, socketPath) }
  } finally {
    gate.close()
  }
}

// The gate needs a lock of the operating system that ends with its process. SQLite's file lock is
// the only one that Node offers. It is held for milliseconds and not for the life of the process,
// because a POSIX lock is lost as soon as anything in the process opens and closes the same file (a
// backup of the folder, say).
function enterGate(path: string): DatabaseSync | null {
  let gate: DatabaseSync | undefined
  try {
    gate = new DatabaseSync(join(path, GATE_NAME))
    gate.exec('pragma journal_mode = off; begin exclusive')
    return gate
  } catch (error) {
    gate?.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return null
    throw dataFolderNotUsable(path, error)
  }
}

/**
 * The process that listens on the socket, or null when none does. `pid` is null when the process
 * does not name itself.
 */
function findHolder(socketPath: string): Promise<{ readonly pid: number | null } | null> {
  return new Promise((finish) => {
    // No agent: a kept connection would be reset when the holder ends, which looks like a holder
    // that is still running.
    const probe = request({
      socketPath,
      method: 'HEAD',
      path: '/',
      timeout: HOLDER_ANSWER_MS,
      agent: false,
    })
    probe.on('response', (response) => {
      response.resume()
      const pid = Number(response.headers[PID_HEADER])
      finish({ pid: Number.isSafeInteger(pid) ? pid : null })
    })
    probe.on('timeout', () => {
      finish({ pid: null })
      probe.destroy()
    })
    // Any other error (no permission, reset, a full queue) means that a process listens. Waiting is
    // safer than sharing the folder.
    probe.on('error', (error) =>
      finish(hasErrorCode(error, 'ENOENT', 'ECONNREFUSED') ? null : { pid: null }),
    )
    probe.end()
  })
}

const answerNotYet: RequestListener = (_request, response) => {
  response.writeHead(503, { 'retry-after': '1', 'casework-problem': nodeNotReady().code }).end()
}

async function listen(path: string, socketPath: string): Promise<Lock> {
  let handleRequest = answerNotYet
  const server = createServer((incoming, response) => {
    response.setHeader(PID_HEADER, process.pid)
    if (incoming.method === 'HEAD' && incoming.url === '/') response.writeHead(204).end()
    else handleRequest(incoming, response)
  })
  const isFile = process.platform !== 'win32'
  try {
    if (isFile) rmSync(socketPath, { force: true })
    await new Promise<void>((finish, fail) => {
      server.once('error', fail)
      server.listen(socketPath, finish)
    })
    // Access to the socket makes the caller an administrator.
    if (isFile) chmodSync(socketPath, 0o600)
  } catch (error) {
    server.close()
    throw dataFolderNotUsable(path, error)
  }
  return {
    server,
    setRequestHandler: (handler) => {
      handleRequest = handler
    },
  }
}

// Node removes the socket file before it closes the socket, so the new socket file of the next
// process is never removed by this one.
async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((finish) => {
    server.close(() => finish())
    server.closeAllConnections()
  })
}
