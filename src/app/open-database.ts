// The database of this start: the embedded PostgreSQL in the data folder, or the one that
// DATABASE_URL names.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Actor } from '../access/audit/audit-entry.ts'
import type { Config } from '../kernel/config.ts'
import { createDatabase, type Database, explainDatabaseTrouble } from '../kernel/db/database.ts'
import {
  type DatabaseConnection,
  type DatabaseTarget,
  DatabaseUrlNotValid,
  describeHosts,
  readTarget,
} from '../kernel/db/database-hosts.ts'
import { checkRole } from '../kernel/db/database-role.ts'
import { NoHostServes } from '../kernel/db/host-finder.ts'
import { countMissingMigrations, migrate, readMigrations } from '../kernel/db/migrate.ts'
import { findConnectionReason } from '../kernel/db/trouble-codes.ts'
import { settingsNotUsable } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { startEmbeddedPostgres } from '../kernel/postgres/embedded-postgres.ts'
import { POINTER_NAME } from '../kernel/postgres/errors.ts'
import { databaseNotUsable, databaseTooOld, noDataThere, schemaNotReady } from './errors.ts'
import { MIGRATIONS_FOLDER } from './migrations-folder.ts'
import { recordMigration } from './record-operator-acts.ts'
import { shardNewTables } from './sharding/shard-database.ts'
import type { ShardingResult } from './sharding/shard-schema.ts'

const START = { kind: 'program', id: 'start' } as const

export interface RunningDatabase {
  readonly connection: DatabaseConnection
  /**
   * The address for another process of this machine: the real folder of the socket, or host and
   * port.
   */
  readonly address: DatabaseAddress
  /** For the first lines of a start: the database's name without credentials. */
  readonly description: string
  /** Resolves with a sentence when the embedded database ended without a stop. */
  readonly whenGone: Promise<string>
  readonly stop: () => Promise<void>
}

export type DatabaseAddress =
  | { readonly kind: 'url'; readonly url: string }
  | {
      readonly kind: 'socket'
      readonly folder: string
      readonly port: number
      readonly user: string
      readonly database: string
    }

export interface ServedDatabase extends RunningDatabase {
  /** The migrations that this start applied. */
  readonly applied: readonly string[]
  readonly schemaVersion: number
  /** What was distributed on Citus; null for a database that is not sharded. */
  readonly sharding: ShardingResult | null
}

/**
 * Starts or reaches the database and brings its schema up to date. The caller holds the data
 * folder's lock.
 */
export async function openServedDatabase(
  config: Config,
  log: Log,
  by: Actor = START,
): Promise<ServedDatabase> {
  const running = await openDatabase(config, log)
  try {
    const database = createDatabase({ connection: running.connection, poolMax: 2, log })
    try {
      if (running.address.kind === 'url') await checkServerVersion(database, running.description)
      const { applied, version } = await migrate(
        database.pool,
        readMigrations(MIGRATIONS_FOLDER),
        (client, names) => recordMigration(config, client, names, by),
      )
      if (applied.length > 0) {
        log.info('The schema was brought up to date', { version, migrations: applied.length })
        log.debug('Applied migrations', { applied })
      }
      const sharding = await shardNewTables(running.connection)
      if (sharding !== null && sharding.tables.length > 0) {
        log.info('New tables were distributed', { tables: sharding.tables })
      }
      const role = await checkRole(database.pool)
      if (role.state !== 'ok') log.warn(role.detail)
      return { ...running, applied, schemaVersion: version, sharding }
    } finally {
      await database.close()
    }
  } catch (error) {
    await running.stop()
    throw explainTrouble(error, running)
  }
}

/**
 * The database of a node with the role lookup: a hot standby, or any other server that answers. Its
 * schema is checked and never changed.
 */
export async function openReadDatabase(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  log: Log,
): Promise<RunningDatabase> {
  if (databaseUrl === null) throw new Error('the settings of a look-up node name its database')
  const running = describeExternal(acceptStandby(databaseUrl))
  const database = createDatabase({ connection: running.connection, poolMax: 1, log })
  try {
    await checkServerVersion(database, running.description)
    const missing = await countMissingMigrations(database.pool, readMigrations(MIGRATIONS_FOLDER))
    if (missing === null) throw schemaNotReady(`${running.description} has none of casework`)
    if (missing > 0) throw schemaNotReady(`that of ${running.description} is older`)
    return running
  } catch (error) {
    throw explainTrouble(error, running)
  } finally {
    await database.close()
  }
}

/** Among several hosts the one that takes writes is wanted, unless the URL says otherwise. */
function acceptStandby(url: string): string {
  if (/[?&]target_session_attrs=/.test(url)) return url
  return `${url}${url.includes('?') ? '&' : '?'}target_session_attrs=any`
}

/**
 * Starts the embedded database, or checks that DATABASE_URL can be read, and leaves the schema as
 * it is.
 */
export async function openDatabase(config: Config, log: Log): Promise<RunningDatabase> {
  if (config.databaseUrl !== null) return describeExternal(config.databaseUrl)
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  const { host: _, ...rest } = embedded.connection
  let isStopping = false
  return {
    connection: embedded.connection,
    address: { kind: 'socket', folder: embedded.socketFolder, ...rest },
    description: `embedded PostgreSQL in ${config.dataDir}`,
    whenGone: embedded.whenExited.then((exit) =>
      isStopping
        ? new Promise<string>(() => undefined)
        : `The embedded database ended (${exit.signal ?? `code ${exit.code}`}).`,
    ),
    async stop() {
      isStopping = true
      await embedded.stop()
    },
  }
}

/**
 * For commands that must not create a database by a mistyped name. Throws APP_NO_DATA when the data
 * folder has none.
 */
export function assertHasDatabase({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl !== null || existsSync(join(dataDir, POINTER_NAME))) return
  if (!existsSync(join(dataDir, 'postgres', 'cluster'))) throw noDataThere(dataDir)
}

/** A database that the operator runs. Nothing is connected yet. */
export function describeExternal(url: string): RunningDatabase {
  return {
    connection: { connectionString: url },
    address: { kind: 'url', url },
    description: describeUrl(url),
    whenGone: new Promise(() => undefined),
    stop: async () => undefined,
  }
}

function describeUrl(url: string): string {
  const target = readUrl(url)
  const [first] = target.hosts
  // After a slash in the password, the rest of the password looks like the name of the database.
  const { databaseName } = target
  const isName = databaseName !== undefined && !databaseName.includes('@')
  const place = first?.host.startsWith('/') === true ? 'in' : 'at'
  return `PostgreSQL ${place} ${describeHosts(target)}${isName ? `/${databaseName}` : ''}`
}

function readUrl(url: string): DatabaseTarget {
  try {
    return readTarget({ connectionString: url })
  } catch (error) {
    if (!(error instanceof DatabaseUrlNotValid)) throw error
    throw settingsNotUsable([`${error.message}.`])
  }
}

// The oldest version that has the SQL we use and still gets fixes (design section 1, row 3).
const SERVER_VERSION_MIN = 150_000

async function checkServerVersion(database: Database, description: string): Promise<void> {
  const found = await database.pool.query<{ version: string; number: string }>(
    `select version() as version, current_setting('server_version_num') as number`,
  )
  const { version = '', number = '0' } = found.rows[0] ?? {}
  if (isTooOld(version, Number(number))) throw databaseTooOld(description, version)
}

/** Other databases that speak PostgreSQL's protocol report version numbers of their own. */
export function isTooOld(version: string, versionNumber: number): boolean {
  return /^PostgreSQL [\d.]+(?!.*-YB-)/.test(version) && versionNumber < SERVER_VERSION_MIN
}

/**
 * Turns an error of connecting into one sentence without credentials: why the operator's database
 * cannot be used. Returns any other error unchanged.
 */
export function explainTrouble(error: unknown, database: RunningDatabase): unknown {
  if (database.address.kind === 'socket') return explainDatabaseTrouble(error)
  const reason = findReason(error)
  return reason === null ? error : databaseNotUsable(database.description, reason, error)
}

function findReason(error: unknown): string | null {
  return error instanceof NoHostServes ? error.message : findConnectionReason(error)
}
