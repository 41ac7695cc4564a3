// Makes a new cluster with initdb under a temporary name and renames it, so that an existing
// cluster is complete, even when the process is killed.

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { totalmem, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Log } from '../log.ts'
import { syncFolder } from '../sync-folder.ts'
import { type Account, chownTree, findNamedUid, readPasswd } from './account.ts'
import type { PostgresBinaries } from './binaries.ts'
import type { ClusterLocation } from './cluster-location.ts'
import { accountMissing, accountNotUsable, majorDiffers, setupFailed } from './errors.ts'

export const SUPERUSER = 'casework'
/**
 * The environment of every PostgreSQL program. It inherits nothing, so that no PG… variable and no
 * locale of the caller has an effect.
 */
export const PROGRAM_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' }

// Initial values, written into postgresql.conf once. An operator may change them there.
const INITIAL_SETTINGS: Readonly<Record<string, string>> = {
  max_connections: '100',
  checkpoint_timeout: '15min',
  // Until the write-ahead log has its full size, each of its files is new. Filling a new file with
  // zeros first would add 16 MB to the writes of a commit, three times a second under bulk inserts,
  // which costs a tenth of the events. fdatasync keeps the new size as well.
  wal_init_zero: 'off',
  // Tables that only grow must be vacuumed early for index-only scans (lists, design section 5.4);
  // 0.2 is PostgreSQL's default.
  autovacuum_vacuum_insert_scale_factor: '0.02',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

const MEGABYTE = 1024 * 1024
const BUFFERS_MIN_MB = 128
const BUFFERS_MAX_MB = 1_024
const BUFFERS_SHARE = 1 / 16

/**
 * The size of shared_buffers in MB: small enough for a small machine. A large machine loses nothing
 * by more, because the memory is used only as the data grows. With 128 MB each event of a bulk
 * insert costs a fifth more from half a million events on, because its pages are evicted and read
 * again (bench/results/2026-11-22.md).
 */
export function chooseBuffersMb(memoryBytes: number): number {
  const share = Math.floor((memoryBytes / MEGABYTE) * BUFFERS_SHARE)
  return Math.min(BUFFERS_MAX_MB, Math.max(BUFFERS_MIN_MB, share))
}

const LOG_MIN_MB = 64
const LOG_MAX_MB = 2_048
const LOG_SHARE = 1 / 16

/**
 * The size of max_wal_size in MB, by that of the disk. After each checkpoint the first change of a
 * page writes the whole page, so fewer checkpoints make bulk inserts cheaper. The write-ahead log
 * may take this much disk and somewhat more, and recovery after a crash reads at most this much.
 */
export function chooseLogMb(diskBytes: number): number {
  const share = Math.floor((diskBytes / MEGABYTE) * LOG_SHARE)
  return Math.min(LOG_MAX_MB, Math.max(LOG_MIN_MB, share))
}

/**
 * The memory that this process may use: the limit of its container, or the memory of the machine.
 */
function readMemoryBytes(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

/**
 * Throws POSTGRES_MAJOR_DIFFERS when the cluster was made by another major version; false when
 * there is no cluster yet.
 */
export function checkCluster(location: ClusterLocation, major: number): boolean {
  let found: string
  try {
    found = readFileSync(join(location.clusterPath, 'PG_VERSION'), 'utf8').trim()
  } catch {
    return false
  }
  if (found !== String(major)) throw majorDiffers(location.clusterPath, found, major)
  return true
}

export interface InitOptions {
  readonly location: ClusterLocation
  readonly binaries: PostgresBinaries
  /** True only for databases whose data may be lost. */
  readonly isThrowaway: boolean
  readonly log: Log
}

/** Creates the cluster, which must not exist. */
export async function initCluster(options: InitOptions): Promise<void> {
  const { location } = options
  if (existsSync(location.clusterPath)) {
    throw setupFailed(`${location.clusterPath} exists and holds no complete database`)
  }
  const account = chooseInitAccount(location.account)
  const temporary = join(location.path, `cluster.new-${randomBytes(4).toString('hex')}`)
  mkdirSync(temporary, { mode: 0o700 })
  if (account !== null) chownSync(temporary, account.uid, account.gid)
  await runInitdb(options, temporary, account)
  if (location.account !== null) chownTree(temporary, location.account)
  chmodSync(temporary, 0o700)
  renameSync(temporary, location.clusterPath)
  syncFolder(location.path)
}

// initdb insists on a named account. It runs for a few hundred milliseconds as "nobody", but in our
// own group: only that group may pass the folder, so other processes of "nobody" cannot reach the
// files.
export function chooseInitAccount(
  account: Account | null,
  passwd: string = readPasswd(),
): Account | null {
  if (account === null) {
    try {
      userInfo()
    } catch {
      throw accountMissing(process.getuid?.() ?? -1)
    }
    return null
  }
  const uid = findNamedUid(passwd)
  if (uid === null) throw accountMissing(account.uid)
  return { uid, gid: account.gid }
}

/**
 * Removes the folders of killed attempts. An initdb whose parent has ended may still write, which
 * is harmless: its folder has a name of its own and is removed at the next start.
 */
export function removeUnfinished(location: ClusterLocation): void {
  for (const name of readdirSync(location.path)) {
    if (name.startsWith('cluster.new-')) {
      rmSync(join(location.path, name), { recursive: true, force: true, maxRetries: 20 })
    }
  }
}

async function runInitdb(
  options: InitOptions,
  folder: string,
  account: Account | null,
): Promise<void> {
  const program = join(options.binaries.folder, 'bin', 'initdb')
  const child = spawn(program, listArguments(folder, options.isThrowaway), {
    ...account,
    cwd: options.location.path,
    env: PROGRAM_ENVIRONMENT,
    // Its own session: Ctrl-C reaches only this process, which then stops initdb.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((settle, fail) => {
    child.once('error', fail)
    child.once('close', settle)
  })
  try {
    const [code, output, complaints] = await Promise.all([
      ended,
      text(child.stdout),
      text(child.stderr),
    ])
    if (code === 0) return
    options.log.warn('initdb failed', { code, output, complaints })
    throw setupFailed(complaints.trim().split('\n')[0] ?? `initdb ended with ${code}`)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
    if (error instanceof Error && 'syscall' in error) throw explainSpawnTrouble(error, account)
    throw error
  }
}

/**
 * EPERM and EINVAL come from setuid: a root without that right, or a user namespace that does not
 * map the number.
 */
export function explainSpawnTrouble(error: Error, account: Account | null): Error {
  const code = 'code' in error ? String(error.code) : ''
  if (account !== null && ['EPERM', 'EINVAL'].includes(code)) {
    return accountNotUsable(account.uid, error)
  }
  return setupFailed(`its program cannot be run: ${code}`, error)
}

// The locale provider is built in, so sorting never changes with the C library of the machine and
// indexes stay valid when the folder moves. Trust holds on the private socket only; there is no
// network listener, and "reject" keeps it so.
const INIT_ARGUMENTS = [
  `--username=${SUPERUSER}`,
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--auth-local=trust',
  '--auth-host=reject',
  ...Object.entries(INITIAL_SETTINGS).map(([name, value]) => `--set=${name}=${value}`),
]

function listArguments(folder: string, isThrowaway: boolean): string[] {
  const buffersMb = isThrowaway ? BUFFERS_MIN_MB : chooseBuffersMb(readMemoryBytes())
  const { blocks, bsize } = statfsSync(dirname(folder))
  return [
    `--pgdata=${folder}`,
    ...INIT_ARGUMENTS,
    `--set=max_wal_size=${chooseLogMb(blocks * bsize)}MB`,
    `--set=shared_buffers=${buffersMb}MB`,
    ...(isThrowaway ? ['--no-sync'] : []),
  ]
}
