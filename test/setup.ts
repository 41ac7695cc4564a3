// The global set-up of `npm test`: one embedded PostgreSQL a run, or the server that
// CASEWORK_TEST_DATABASE_URL names, and the template database that each test file clones
// (test/harness.ts). The environment set here reaches the processes of the test files.

import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Pool } from 'pg'
import { NETWORK_TABLE_FILE } from '../src/intel/enrichment/asn.ts'
import {
  findNetworkPackageDirs,
  openNetworkTable,
} from '../src/intel/enrichment/network-table-build.ts'
import { migrate, readMigrations } from '../src/kernel/db/migrate.ts'
import { silentLog } from '../src/kernel/log.ts'
import {
  type EmbeddedConnection,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../src/kernel/postgres/embedded-postgres.ts'
import { PROGRAM_ROLE, prepareProgramRole } from '../src/kernel/postgres/program-role.ts'
import { findPackageRoot } from '../src/values/resources.ts'
import { ROWS_OF_ALL_TENANTS, SUPERUSER, TEMPLATE_DATABASE } from './harness.ts'
import { findRoomInMemory } from './memory-folder.ts'

// The databases may be lost, and several test files run at once on a small machine.
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '64MB',
  max_connections: '300',
  // Each test file clones a database; a small log is recycled instead of grown.
  max_wal_size: '256MB',
  autovacuum: 'off',
}

let folder: string | undefined
let postgres: EmbeddedPostgres | undefined
/** Of CASEWORK_TEST_DATABASE_URL, as its superuser. */
let server: EmbeddedConnection | undefined

export async function globalSetup(): Promise<void> {
  folder = await prepareFolder()
  const url = process.env['CASEWORK_TEST_DATABASE_URL']
  const connection = url === undefined ? await startOwn(folder) : await useServer(url)
  await createTemplate(connection)
  process.env['CASEWORK_TEST_POSTGRES'] = JSON.stringify(connection)
}

/** What every run needs but its database: a folder, which the caller removes, and files in it. */
export async function prepareFolder(): Promise<string> {
  const made = mkdtempSync(join(realpathSync(findRoomInMemory() ?? tmpdir()), 'casework-test-'))
  // mkdtemp makes it 0700; root's tests would otherwise move to /var/lib/casework.
  chmodSync(made, 0o711)
  process.env['TMPDIR'] = makeTemporaryFolder(made)
  // Nearly every test file loads the whole program. The compile cache halves its processor time.
  process.env['NODE_COMPILE_CACHE'] ??= join(
    findPackageRoot(),
    'node_modules',
    '.cache',
    'casework',
  )
  process.env['CASEWORK_TEST_FOLDER'] = made
  process.env['CASEWORK_TEST_NETWORK_TABLE'] = await prepareNetworkTable()
  return made
}

async function startOwn(dataDir: string): Promise<EmbeddedConnection> {
  postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, settings: SETTINGS })
  return postgres.connection
}

/** `url` names a superuser, who makes databases and the role of the program. */
async function useServer(url: string): Promise<EmbeddedConnection> {
  const { hostname, port, username, password, searchParams } = new URL(url)
  const superuser = decodeURIComponent(username)
  process.env['CASEWORK_TEST_SUPERUSER'] = superuser
  server = {
    host: searchParams.get('host') ?? hostname,
    port: Number(port === '' ? 5432 : port),
    user: superuser,
    database: 'postgres',
  }
  // The driver reads it where a connection has none. The role of the program gets the same.
  if (password !== '') process.env['PGPASSWORD'] = decodeURIComponent(password)
  await dropTemplate(server)
  return { ...server, user: PROGRAM_ROLE }
}

/** Also what a run that was killed has left. */
async function dropTemplate(connection: EmbeddedConnection): Promise<void> {
  await asSuperuser(connection, 'postgres', async (client) => {
    await client.query(`drop database if exists ${TEMPLATE_DATABASE} with (force)`)
  })
}

// The files that tests leave behind are removed after the run.
function makeTemporaryFolder(parent: string): string {
  const path = join(parent, 'tmp')
  mkdirSync(path)
  chmodSync(path, 0o1777)
  return path
}

// Built once for all runs: each program under test would otherwise spend 1.6 s of a core on it.
async function prepareNetworkTable(): Promise<string> {
  const cache = join(findPackageRoot(), 'node_modules', '.cache', 'casework-test')
  mkdirSync(cache, { recursive: true })
  const targetFile = join(cache, NETWORK_TABLE_FILE)
  await openNetworkTable({ packageDirs: findNetworkPackageDirs(), targetFile })
  return targetFile
}

export async function globalTeardown(): Promise<void> {
  await postgres?.stop()
  if (server !== undefined) await dropTemplate(server)
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
}

export async function createTemplate(connection: EmbeddedConnection): Promise<void> {
  await asSuperuser(connection, 'postgres', async (client) => {
    await client.query(`create database ${TEMPLATE_DATABASE}`)
  })
  await asSuperuser(connection, TEMPLATE_DATABASE, async (client) => {
    await prepareProgramRole(client)
    const password = process.env['PGPASSWORD']
    if (server === undefined || password === undefined) return
    await client.query(`alter role ${PROGRAM_ROLE} password ${client.escapeLiteral(password)}`)
  })
  const pool = new Pool({
    ...connection,
    database: TEMPLATE_DATABASE,
    options: ROWS_OF_ALL_TENANTS,
    max: 1,
  })
  try {
    await migrate(pool, readMigrations(join(findPackageRoot(), 'migrations')))
  } finally {
    // A template can be cloned only while nobody is connected to it.
    await pool.end()
  }
}

async function asSuperuser(
  connection: EmbeddedConnection,
  database: string,
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const client = new Client({ ...connection, user: server?.user ?? SUPERUSER, database })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
