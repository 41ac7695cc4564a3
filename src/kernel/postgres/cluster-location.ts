// The location of the database cluster of a data folder: inside it, or in /var/lib/casework when
// the account of the database cannot reach the data folder (design section 10 "Start and stop"). A
// pointer file in the data folder then names the location.

import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Log } from '../log.ts'
import { syncFolder } from '../sync-folder.ts'
import { hasErrorCode } from '../system-error.ts'
import { type Account, CLUSTER_ACCOUNT, chownTree, findClosedFolder, isRoot } from './account.ts'
import {
  accountNotUsable,
  clusterNotReachable,
  clusterOfAnotherFolder,
  POINTER_NAME,
  pointerNotReadable,
} from './errors.ts'

export interface ClusterLocation {
  /**
   * Private folder of the cluster and its socket, and of a copy of the binaries when one was
   * needed.
   */
  readonly path: string
  /** PGDATA; exists once the cluster has been set up completely. */
  readonly clusterPath: string
  readonly socketFolder: string
  /** The account that runs PostgreSQL; null for the account of this process. */
  readonly account: Account | null
}

/** No TCP port: the number is only part of the socket's name. */
export const SOCKET_PORT = 5432
export const SOCKET_LOCK_NAME = `.s.PGSQL.${SOCKET_PORT}.lock`

// Never a temporary folder: the system empties those.
const OUTSIDE_ROOT = '/var/lib/casework'
const OUTSIDE_PATTERN = /^\/var\/lib\/casework\/[0-9a-f]{16}(?:-\d{1,3})?$/
const OWNER_NAME = 'data-folder'
// The number of data folders created at one path one after the other, each of which leaves its
// database outside.
const OUTSIDE_ATTEMPTS_MAX = 100

/** The folder of the database of a data folder, for a question about its disk. */
export function findDatabaseFolder(dataDir: string): string {
  try {
    return readFileSync(join(dataDir, POINTER_NAME), 'utf8').trim()
  } catch {
    return join(dataDir, 'postgres')
  }
}

/**
 * Finds or creates the location of the cluster of `dataDir` (a real path, whose lock the caller
 * holds).
 */
export function prepareClusterLocation(dataDir: string, log: Log): ClusterLocation {
  const pointer = join(dataDir, POINTER_NAME)
  const inside = join(dataDir, 'postgres')
  if (existsSync(pointer)) return prepare(readPointer(dataDir, pointer), log)
  if (!isRoot()) return prepare(inside, log)
  const account = findClusterOwner(inside) ?? CLUSTER_ACCOUNT
  const closedFolder = findClosedFolder(dirname(dataDir), account)
  if (closedFolder === null) {
    openFolder(dataDir, account, log)
    return prepare(inside, log)
  }
  if (existsSync(join(inside, 'cluster'))) throw clusterNotReachable(inside, closedFolder)
  openOutsideRoot(account)
  const outside = claimOutside(dataDir, log)
  log.info(
    `Started as root. PostgreSQL refuses to run as root, so the database runs as user ${account.uid}. It lies in ${outside}, because that user cannot enter ${closedFolder}. A service is better started by an ordinary account.`,
  )
  return prepare(outside, log)
}

// Under root the cluster belongs to an account of its own. A cluster of an ordinary user keeps its
// owner, so that this user can still use it after one start as root.
function findClusterOwner(location: string): Account | null {
  const cluster = join(location, 'cluster')
  if (!existsSync(cluster)) return null
  const { uid, gid } = statSync(cluster)
  return uid === 0 ? null : { uid, gid }
}

// The account only needs to pass the folder; it cannot list it.
function openFolder(dataDir: string, account: Account, log: Log): void {
  const stats = statSync(dataDir)
  if (stats.uid === account.uid || (stats.mode & 0o001) !== 0) return
  chmodSync(dataDir, (stats.mode & 0o777) | 0o011)
  log.info(
    `Started as root. PostgreSQL refuses to run as root, so the database runs as user ${account.uid}. The mode of ${dataDir} is now 0711, so that this user can reach the database in it, and list nothing else. A service is better started by an ordinary account.`,
  )
}

function readPointer(dataDir: string, pointer: string): string {
  const location = readFileSync(pointer, 'utf8').trim()
  // Checked strictly, since root changes the owner of the files there.
  if (!OUTSIDE_PATTERN.test(location) || !existsSync(location)) throw pointerNotReadable(pointer)
  const owner = readOwner(location)
  if (owner === dataDir) return location
  if (owner !== null && isPointedFrom(owner, location)) {
    throw clusterOfAnotherFolder(dataDir, location, owner)
  }
  // The data folder was moved, not copied.
  writeDurably(join(location, OWNER_NAME), `${dataDir}\n`)
  return location
}

function readOwner(location: string): string | null {
  try {
    return readFileSync(join(location, OWNER_NAME), 'utf8').trim()
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null
    if (hasErrorCode(error, 'EACCES')) throw clusterNotReachable(location, location)
    throw error
  }
}

function isPointedFrom(dataDir: string, location: string): boolean {
  try {
    return readFileSync(join(dataDir, POINTER_NAME), 'utf8').trim() === location
  } catch {
    return false
  }
}

// The mode is set by hand, because a strict umask would close the folder again.
function openOutsideRoot(account: Account): void {
  mkdirSync(OUTSIDE_ROOT, { recursive: true })
  chmodSync(OUTSIDE_ROOT, 0o711)
  const closedFolder = findClosedFolder(OUTSIDE_ROOT, account)
  if (closedFolder !== null) throw clusterNotReachable(OUTSIDE_ROOT, closedFolder)
}

function claimOutside(dataDir: string, log: Log): string {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  for (let number = 1; number <= OUTSIDE_ATTEMPTS_MAX; number += 1) {
    const location = join(OUTSIDE_ROOT, number === 1 ? hash : `${hash}-${number}`)
    // The data folder is the truth: without its pointer it was deleted and created again. Its old
    // database must then neither come back nor be deleted.
    if (existsSync(join(location, 'cluster'))) {
      log.warn(
        `${location} holds the database of an earlier ${dataDir}; remove it if it is not needed`,
      )
      continue
    }
    mkdirSync(location, { recursive: true })
    writeDurably(join(location, OWNER_NAME), `${dataDir}\n`)
    writeDurably(join(dataDir, POINTER_NAME), `${location}\n`)
    return location
  }
  throw pointerNotReadable(join(dataDir, POINTER_NAME))
}

function prepare(path: string, log: Log): ClusterLocation {
  const account = isRoot() ? (findClusterOwner(path) ?? CLUSTER_ACCOUNT) : null
  const location = {
    path,
    clusterPath: join(path, 'cluster'),
    socketFolder: join(path, 'socket'),
    account,
  }
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    mkdirSync(location.socketFolder, { recursive: true, mode: 0o700 })
    if (account !== null) handOver(location, account, log)
    // Trust is the whole authentication on this socket, so no other account may reach it.
    chmodSync(location.socketFolder, 0o700)
    return location
  } catch (error) {
    if (!hasErrorCode(error, 'EPERM', 'EINVAL', 'EACCES')) throw error
    if (account === null) throw clusterNotReachable(path, path)
    throw accountNotUsable(account.uid, error)
  }
}

// The folder stays root's, and only the group of the account may pass it. The files of PostgreSQL
// belong to the account.
function handOver(location: ClusterLocation, account: Account, log: Log): void {
  if (account.uid === CLUSTER_ACCOUNT.uid) {
    chownSync(location.path, 0, account.gid)
    chmodSync(location.path, 0o710)
  }
  chownTree(location.socketFolder, account)
  if (existsSync(location.clusterPath) && statSync(location.clusterPath).uid !== account.uid) {
    log.info(`Handing ${location.clusterPath} to user id ${account.uid}, under which it runs`)
    chownTree(location.clusterPath, account)
  }
}

/** Replaces a small file so that even after a power cut it is either the old or the new one. */
function writeDurably(path: string, text: string): void {
  const temporary = `${path}.new-${randomBytes(4).toString('hex')}`
  writeFileSync(temporary, text, { mode: 0o600, flush: true })
  renameSync(temporary, path)
  syncFolder(dirname(path))
}
