// The embedded PostgreSQL (design section 1 row 3, section 10 "Start and stop"): starts the
// binaries from npm directly, because the wrapper library of the same name fails as root. No
// network listener; a private unix socket.

import { realpathSync } from 'node:fs'
import { Client } from 'pg'
import type { Log } from '../log.ts'
import { openSocketFolder } from '../socket-folder.ts'
import { findBinaries, prepareBinaries } from './binaries.ts'
import { prepareClusterLocation, SOCKET_LOCK_NAME, SOCKET_PORT } from './cluster-location.ts'
import { checkCluster, initCluster, removeUnfinished, SUPERUSER } from './init-cluster.ts'
import { stopLeftover } from './leftover.ts'
import { launchPostmaster, type PostmasterExit } from './postmaster.ts'
import { PROGRAM_ROLE, prepareProgramRole } from './program-role.ts'

export interface EmbeddedConnection {
  /** Folder of the socket; in a deep data folder this path works in this process only. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

export interface EmbeddedPostgres {
  /** The connection options for `pg`, as the role of the program. */
  readonly connection: EmbeddedConnection
  /**
   * The real folder of the socket, for other processes of this machine; its path may be too long to
   * connect to directly.
   */
  readonly socketFolder: string
  /** Process id of the postmaster. */
  readonly pid: number
  /** Resolves (never rejects) when the postmaster has ended, by `stop` or by itself. */
  readonly whenExited: Promise<PostmasterExit>
  /** Shuts the database down; resolves when all of its processes have ended. Safe to call twice. */
  readonly stop: () => Promise<void>
}

export interface EmbeddedPostgresOptions {
  /**
   * The data folder, whose lock the caller holds: this is what keeps two programs from one cluster.
   */
  readonly dataDir: string
  readonly log: Log
  /**
   * Settings that override postgresql.conf. With `fsync` "off" nothing is flushed to the disk: for
   * tests only.
   */
  readonly settings?: Readonly<Record<string, string>>
}

const DATABASE = 'casework'
const CONNECT_TIMEOUT_MS = 10_000

/**
 * Starts the database of a data folder, and creates it on the first start. Cleans up after a killed
 * process. Throws operating errors POSTGRES_…, each of which says what to do.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { log, settings = {} } = options
  const binaries = findBinaries()
  const location = prepareClusterLocation(realpathSync(options.dataDir), log)
  const hasCluster = checkCluster(location, binaries.major)
  const programs = prepareBinaries(binaries, location, log)
  const socket = openSocketFolder(location.socketFolder, SOCKET_LOCK_NAME)
  try {
    removeUnfinished(location)
    if (hasCluster) {
      await stopLeftover(location.clusterPath, log)
    } else {
      log.info(`Setting up PostgreSQL ${binaries.version} in ${location.path}`)
      const isThrowaway = settings['fsync'] === 'off'
      await initCluster({ location, binaries: { ...binaries, folder: programs }, isThrowaway, log })
    }
    const postmaster = await launchPostmaster({ location, programs, settings, log })
    const place = { host: socket.path, port: SOCKET_PORT }
    try {
      await createDatabase(place)
    } catch (error) {
      await postmaster.stop()
      throw error
    }
    return {
      connection: { ...place, user: PROGRAM_ROLE, database: DATABASE },
      socketFolder: location.socketFolder,
      pid: postmaster.pid,
      whenExited: postmaster.whenExited,
      stop: async () => {
        await postmaster.stop()
        socket.close()
      },
    }
  } catch (error) {
    socket.close()
    throw error
  }
}

// Checked at every start and not only after initdb, because the first start may have been killed in
// between, and an older version made no role.
async function createDatabase(place: Pick<EmbeddedConnection, 'host' | 'port'>): Promise<void> {
  await asSuperuser({ ...place, database: 'postgres' }, async (client) => {
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`)
  })
  await asSuperuser({ ...place, database: DATABASE }, prepareProgramRole)
}

async function asSuperuser(
  place: Omit<EmbeddedConnection, 'user'>,
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const client = new Client({
    ...place,
    user: SUPERUSER,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
