// Databases on every node of the cluster of the tests.

import { Client } from 'pg'
import { PROGRAM_ROLE, prepareProgramRole } from '../../src/kernel/postgres/program-role.ts'
import { SUPERUSER } from '../harness.ts'
import { type Cluster, onEachNode } from './cluster.ts'

export interface ClusterConnection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

// More shards are more of the same.
const SHARDS = 4

/** The cluster that the global set-up left in the environment. */
export function readCluster(): Cluster {
  const text = process.env['CASEWORK_TEST_CLUSTER']
  if (text === undefined) throw new Error('run these tests with "npm run test:citus"')
  return JSON.parse(text) as Cluster
}

/** The roles of the tests and of the program, on every node. */
export async function prepareRoles(cluster: Cluster): Promise<void> {
  await onEachNode(cluster, 'postgres', [
    `do $$ begin if not exists (select from pg_roles where rolname = '${SUPERUSER}') then
       create role ${SUPERUSER} superuser login; end if; end $$`,
    `do $$ begin if not exists (select from pg_roles where rolname = '${PROGRAM_ROLE}') then
       create role ${PROGRAM_ROLE} login; end if; end $$`,
    // A copy of a database has none of its settings.
    `alter role ${PROGRAM_ROLE} set citus.propagate_set_commands = 'local'`,
    // Some tests break a write by a trigger, which Citus makes on each shard only with this.
    `alter role ${PROGRAM_ROLE} set citus.enable_unsafe_triggers = on`,
  ])
}

/** As docs/guides/shard-by-tenant.md has it made, without anything of Casework. */
export async function createClusterDatabase(
  cluster: Cluster,
  connection: ClusterConnection,
  /** `plain`: without the extension, so the coordinator is any PostgreSQL. */
  kind: 'sharded' | 'plain' = 'sharded',
): Promise<void> {
  const { database } = connection
  await onEachNode(cluster, 'postgres', [
    `drop database if exists ${database} with (force)`,
    `create database ${database} owner ${PROGRAM_ROLE}`,
  ])
  const { coordinator, workers } = cluster
  for (const { host, port } of [coordinator, ...workers]) {
    await asAdministrator({ ...connection, host, port }, async (client) => {
      if (kind === 'sharded') await client.query('create extension citus')
      await prepareProgramRole(client)
    })
  }
  if (kind === 'plain') return
  await asAdministrator(connection, async (client) => {
    await client.query('select citus_set_coordinator_host($1, $2)', [
      coordinator.host,
      coordinator.port,
    ])
    for (const { host, port } of workers) {
      await client.query('select citus_add_node($1, $2)', [host, port])
    }
    await client.query(`alter database ${database} set citus.shard_count = ${SHARDS}`)
  })
}

export async function asAdministrator<Result>(
  connection: ClusterConnection,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ ...connection, user: SUPERUSER })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
