// The environment of a bench: an embedded PostgreSQL of its own in a temporary folder, and the real
// program over it. What a stage has started ends with it, also when the bench has failed.

import type { ChildProcess } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'pg'
import { silentLog } from '../../src/kernel/log.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/kernel/postgres/embedded-postgres.ts'
import { SUPERUSER } from '../../src/kernel/postgres/init-cluster.ts'
import { findPackageRoot } from '../../src/values/resources.ts'
import { keepTreeApart } from './keep-apart.ts'
import { endProcess, type ServerProcess, startServerProcess } from './process.ts'
import { readTreeCpuSeconds } from './processor-time.ts'

export interface Stage {
  readonly folder: string
  /** Of the superuser: row level security refuses COPY into a table to others. */
  readonly pool: Pool
  /** Of an administrator. */
  readonly token: string
  /** For the role of the program. */
  readonly databaseUrl: string
  /** CPU seconds of the database so far, with everything it runs. */
  readonly readDatabaseCpuSeconds: () => number
  /**
   * From now on the database leaves the processor of the servers alone, as one on a machine of its
   * own does.
   */
  readonly keepDatabaseApart: () => void
  /** Starts the program once, which makes the tables. */
  readonly makeTables: () => Promise<void>
  /** Starts the program with its defaults, but for what `environment` has. */
  readonly startServer: (
    environment?: Readonly<Record<string, string>>,
    nodeFlags?: readonly string[],
  ) => Promise<ServerProcess>
  /**
   * Starts the bare server (bench/bare-server.ts), which answers look-ups with so many characters.
   */
  readonly startBareServer: (answerLength: number) => Promise<ServerProcess>
  /** Ends what still runs and removes the folder. Safe to call twice. */
  readonly close: () => Promise<void>
}

const opened: Promise<Stage>[] = []
let isInterrupted = false

/** Rejects when the run was interrupted. */
export async function openStage(): Promise<Stage> {
  if (isInterrupted) throw new Error('the run was interrupted')
  const stage = createStage()
  opened.push(stage)
  return await stage
}

/** For a run that is interrupted: closes all stages and lets none be opened. Never rejects. */
export async function closeStages(): Promise<void> {
  isInterrupted = true
  await Promise.allSettled(opened.map(async (stage) => (await stage).close()))
}

async function createStage(): Promise<Stage> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'casework-bench-'))
  try {
    // The database runs as another user when the bench is run by root.
    chmodSync(folder, 0o711)
    mkdirSync(join(folder, 'data'), { mode: 0o711 })
    const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log: silentLog })
    return buildStage(folder, postgres)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

function buildStage(folder: string, postgres: EmbeddedPostgres): Stage {
  const { host, user, database } = postgres.connection
  const token = `bench-${'0123456789abcdef'.repeat(3)}`
  const databaseUrl = `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}`
  const pool = new Pool({ ...postgres.connection, user: SUPERUSER, max: 4 })
  // A connection that the database ends at its stop is no failure of the benchmark.
  pool.on('error', () => undefined)
  const children = new Set<ChildProcess>()
  const onSpawn = (child: ChildProcess): void => {
    children.add(child)
    child.once('exit', () => children.delete(child))
  }
  const root = findPackageRoot()
  const startServer: Stage['startServer'] = (environment = {}, nodeFlags = []) =>
    startServerProcess({
      args: [...nodeFlags, join(root, 'bin/casework.js'), 'serve'],
      environment: {
        CASEWORK_PORT: '0',
        CASEWORK_SMTP_PORT: 'off',
        CASEWORK_DATA_DIR: join(folder, 'server'),
        CASEWORK_BOOTSTRAP_TOKEN: token,
        DATABASE_URL: databaseUrl,
        CASEWORK_SECRET_KEY: Buffer.alloc(32, 'key of the bench').toString('base64'),
        CASEWORK_LOG_LEVEL: 'warn',
        ...environment,
      },
      onSpawn,
    })
  const end = async (): Promise<void> => {
    await Promise.all([...children].map((child) => endProcess(child, 'SIGKILL')))
    // Not waited for: a connection that a failed bench still holds is never given back.
    void pool.end()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  let ended: Promise<void> | null = null
  return {
    folder,
    pool,
    token,
    databaseUrl,
    keepDatabaseApart: () => keepTreeApart(postgres.pid),
    readDatabaseCpuSeconds: () => readTreeCpuSeconds(postgres.pid),
    startServer,
    startBareServer: (answerLength) =>
      startServerProcess({
        args: [join(root, 'bench/bare-server.ts'), String(answerLength)],
        onSpawn,
      }),
    async makeTables() {
      await (await startServer()).stop()
    },
    close: () => (ended ??= end()),
  }
}
