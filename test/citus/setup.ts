// The global set-up of `npm run test:citus`: a Citus cluster in the place of the embedded
// PostgreSQL, and a template database that `migrate --distribute` has sharded.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Pool } from 'pg'
import { shardDatabase } from '../../src/app/sharding/shard-database.ts'
import { migrate, readMigrations } from '../../src/kernel/db/migrate.ts'
import { PROGRAM_ROLE } from '../../src/kernel/postgres/program-role.ts'
import { findPackageRoot } from '../../src/values/resources.ts'
import { ROWS_OF_ALL_TENANTS, TEMPLATE_DATABASE } from '../harness.ts'
import { prepareFolder } from '../setup.ts'
import { type Cluster, closeCluster, onEachNode, openCluster } from './cluster.ts'
import { type ClusterConnection, createClusterDatabase, prepareRoles } from './cluster-database.ts'

let folder: string | undefined
let cluster: Cluster | undefined

export async function globalSetup(): Promise<void> {
  folder = await prepareFolder()
  cluster = await openCluster()
  const { host, port } = cluster.coordinator
  const connection = { host, port, user: PROGRAM_ROLE, database: TEMPLATE_DATABASE }
  await createTemplate(cluster, connection)
  process.env['CASEWORK_TEST_POSTGRES'] = JSON.stringify(connection)
  process.env['CASEWORK_TEST_NODES'] = JSON.stringify([cluster.coordinator, ...cluster.workers])
  process.env['CASEWORK_TEST_CLUSTER'] = JSON.stringify(cluster)
}

export async function globalTeardown(): Promise<void> {
  if (cluster !== undefined) closeCluster(cluster)
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
}

async function createTemplate(made: Cluster, connection: ClusterConnection): Promise<void> {
  await prepareRoles(made)
  await createClusterDatabase(made, connection)
  const pool = new Pool({ ...connection, options: ROWS_OF_ALL_TENANTS, max: 1 })
  await migrate(pool, readMigrations(join(findPackageRoot(), 'migrations')))
  await pool.end()
  await shardDatabase(connection)
  // A template can be cloned only while nobody is connected to it; Citus is, in the background.
  await onEachNode(made, 'postgres', [
    `alter database ${TEMPLATE_DATABASE} with allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${TEMPLATE_DATABASE}'`,
  ])
}
