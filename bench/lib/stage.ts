// Opens the environment of a benchmark: its own embedded PostgreSQL in a temporary folder, and the
// real program over it.

import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'pg'
import { silentLog } from '../../src/kernel/log.ts'
import { startEmbeddedPostgres } from '../../src/kernel/postgres/embedded-postgres.ts'
import { SUPERUSER } from '../../src/kernel/postgres/init-cluster.ts'
import { findPackageRoot } from '../../src/values/resources.ts'
import { keepTreeApart } from './keep-apart.ts'
import { readTreeCpuSeconds, type ServerProcess, startServerProcess } from './process.ts'

export interface Stage {
  readonly folder: string
  readonly pool: Pool
  readonly token: string
  readonly databaseUrl: string
  /** CPU seconds of the database so far, with everything it runs. */
  readonly readDatabaseCpuSeconds: () => number
  /**
   * From now on the database leaves the processor of the servers alone, as one on a machine of its
   * own does.
   */
  readonly keepDatabaseApart: () => void
  /** Starts the program with its defaults on processor `core`. */
  readonly startServer: (
    core: number,
    environment?: Readonly<Record<string, string>>,
    nodeFlags?: readonly string[],
  ) => Promise<ServerProcess>
  readonly close: () => Promise<void>
}

export async function openStage(): Promise<Stage> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'casework-bench-'))
  chmodSync(folder, 0o711)
  mkdirSync(join(folder, 'data'), { mode: 0o711 })
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log: silentLog })
  const { host, user, database } = postgres.connection
  const token = `bench-${'0123456789abcdef'.repeat(3)}`
  const databaseUrl = `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}`
  // Row security refuses COPY into a table to everybody else.
  const pool = new Pool({ ...postgres.connection, user: SUPERUSER, max: 4 })
  // A connection that the database ends at its stop is no failure of the benchmark.
  pool.on('error', () => undefined)
  return {
    folder,
    pool,
    token,
    databaseUrl,
    keepDatabaseApart: () => keepTreeApart(postgres.pid),
    readDatabaseCpuSeconds: () => readTreeCpuSeconds(postgres.pid),
    startServer: (core, environment = {}, nodeFlags = []) =>
      startServerProcess(
        [...nodeFlags, join(findPackageRoot(), 'bin/casework.js'), 'serve'],
        core,
        {
          CASEWORK_PORT: '0',
          CASEWORK_SMTP_PORT: 'off',
          CASEWORK_DATA_DIR: join(folder, 'server'),
          CASEWORK_BOOTSTRAP_TOKEN: token,
          DATABASE_URL: databaseUrl,
          CASEWORK_SECRET_KEY: Buffer.alloc(32, 'key of the bench').toString('base64'),
          CASEWORK_LOG_LEVEL: 'warn',
          ...environment,
        },
      ),
    async close() {
      await pool.end()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
