// A hot standby of an embedded PostgreSQL, made as an operator would without pg_basebackup, which
// the npm package does not have: PostgreSQL's manual, section 26.3.3, "Making a Base Backup Using
// the Low Level API".

import { appendFileSync, cpSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { Client } from 'pg'
import { type Log, silentLog } from '../src/kernel/log.ts'
import { chownTree } from '../src/kernel/postgres/account.ts'
import { findBinaries, prepareBinaries } from '../src/kernel/postgres/binaries.ts'
import { prepareClusterLocation, SOCKET_PORT } from '../src/kernel/postgres/cluster-location.ts'
import type { EmbeddedPostgres } from '../src/kernel/postgres/embedded-postgres.ts'
import { launchPostmaster } from '../src/kernel/postgres/postmaster.ts'
import { PROGRAM_ROLE } from '../src/kernel/postgres/program-role.ts'
import { SUPERUSER } from './harness.ts'
import { atEnd, makeDataFolder } from './postgres-harness.ts'

export interface Standby {
  readonly url: string
  /** The folder of its socket. */
  readonly host: string
  readonly stop: () => Promise<void>
}

/** The address of an embedded database for a program that has it as its own. */
export function urlOf(socketFolder: string): string {
  const host = encodeURIComponent(socketFolder)
  return `postgres://${PROGRAM_ROLE}@/casework?host=${host}&port=${SOCKET_PORT}`
}

/** Runs statements as the superuser. */
export async function runAsSuperuser(
  socketFolder: string,
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const client = new Client({
    host: socketFolder,
    port: SOCKET_PORT,
    user: SUPERUSER,
    database: 'postgres',
  })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** Resolves when the standby answers queries. `log` hears what the standby says. */
export async function startStandby(
  t: TestContext,
  primary: Pick<EmbeddedPostgres, 'socketFolder'>,
  log: Log = silentLog,
): Promise<Standby> {
  const location = prepareClusterLocation(realpathSync(makeDataFolder(t)), silentLog)
  const source = join(dirname(primary.socketFolder), 'cluster')
  await runAsSuperuser(primary.socketFolder, async (client) => {
    await client.query(`select pg_backup_start('standby', true)`)
    cpSync(source, location.clusterPath, {
      recursive: true,
      filter: (path) => !basename(path).startsWith('postmaster.'),
    })
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(false)',
    )
    writeFileSync(join(location.clusterPath, 'backup_label'), rows[0]?.labelfile ?? '')
  })
  writeFileSync(join(location.clusterPath, 'standby.signal'), '')
  appendFileSync(
    join(location.clusterPath, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${primary.socketFolder} port=${SOCKET_PORT} user=${SUPERUSER}'\n`,
  )
  if (location.account !== null) chownTree(location.clusterPath, location.account)
  const programs = prepareBinaries(findBinaries(), location, silentLog)
  const settings = { fsync: 'off', shared_buffers: '16MB', log_statement: 'all' }
  const postmaster = await launchPostmaster({ location, programs, settings, log })
  atEnd(t, postmaster.stop)
  const host = location.socketFolder
  return { url: urlOf(host), host, stop: postmaster.stop }
}
