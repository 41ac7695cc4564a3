// Tells other processes of this machine where the database of a running server is. The server
// answers on the socket in its data folder, never on a network listener. `casework backup` asks, so
// that it can read beside the server.

import { type IncomingMessage, type RequestListener, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { resolveSocketPath } from '../kernel/data-folder.ts'
import type { DatabaseConnection } from '../kernel/db/database-hosts.ts'
import { openSocketFolder } from '../kernel/socket-folder.ts'
import { hasErrorCode } from '../kernel/system-error.ts'
import { serverNotReady } from './errors.ts'
import type { DatabaseAddress } from './open-database.ts'

const PATH = '/internal/database'
const SOCKET_NAME = '.s.PGSQL.5432'

/**
 * Answers this one request and hands all others to `next`. An account that can open the socket owns
 * the data and its credentials.
 */
export function answerLocally(address: DatabaseAddress, next: RequestListener): RequestListener {
  return (incoming, response) => {
    if (incoming.method !== 'GET' || incoming.url !== PATH) {
      next(incoming, response)
      return
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(address))
  }
}

// The answer is a value in memory. A server that is busy answers later, one that was stopped
// (SIGSTOP) never.
const ANSWER_TIMEOUT_MS = 30_000

/**
 * The database of the server that runs on `dataDir`; null when none runs. Throws
 * APP_SERVER_NOT_READY while one starts, and for one that does not answer.
 */
export async function askForDatabase(
  dataDir: string,
  timeoutMs = ANSWER_TIMEOUT_MS,
): Promise<DatabaseAddress | null> {
  try {
    const answer = await get(resolveSocketPath(dataDir), timeoutMs, serverNotReady(dataDir))
    if (answer.statusCode !== 200) throw serverNotReady(dataDir)
    return parseAddress(JSON.parse(await text(answer)))
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ECONNREFUSED')) return null
    throw error
  }
}

function get(socketPath: string, timeout: number, silence: Error): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, path: PATH, agent: false, timeout }, resolve)
    sent.on('timeout', () => sent.destroy(silence))
    sent.on('error', reject)
    sent.end()
  })
}

/**
 * The connection of this process to it. `close` gives back the file handle by which the socket in a
 * deep folder is reached.
 */
export function connectTo(address: DatabaseAddress): {
  readonly connection: DatabaseConnection
  readonly close: () => void
} {
  if (address.kind === 'url') {
    return { connection: { connectionString: address.url }, close: () => undefined }
  }
  const { folder, port, user, database } = address
  const socket = openSocketFolder(folder, SOCKET_NAME)
  return { connection: { host: socket.path, port, user, database }, close: socket.close }
}

function parseAddress(value: unknown): DatabaseAddress {
  if (typeof value === 'object' && value !== null && 'kind' in value) {
    if (value.kind === 'url' && 'url' in value) return { kind: 'url', url: String(value.url) }
    if (
      value.kind === 'socket' &&
      'folder' in value &&
      'port' in value &&
      'user' in value &&
      'database' in value
    ) {
      return {
        kind: 'socket',
        folder: String(value.folder),
        port: Number(value.port),
        user: String(value.user),
        database: String(value.database),
      }
    }
  }
  throw new TypeError('the running server gave an address that is none')
}
