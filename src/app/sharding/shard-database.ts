// What `casework migrate --distribute` does: checks the cluster, brings the schema up to date, and
// shards it by tenant.

import type { ClientBase } from 'pg'
import type { DatabaseConnection } from '../../kernel/db/database-hosts.ts'
import { prepareLedger } from '../../kernel/db/migrate.ts'
import { openClient } from '../../kernel/db/open-client.ts'
import { clusterNotUsable, noCitus, nodesRunning } from './errors.ts'
import {
  isSharded,
  type ShardingClients,
  type ShardingResult,
  shardSchema,
  takeMigrationLock,
} from './shard-schema.ts'
import { describeSilentNodes } from './silent-nodes.ts'

// By which a server lists connections. Those of running nodes are counted, so ours has another one.
const NAME = 'casework migrate'
const NODE_NAME = 'casework'

/**
 * Refuses, before anything is changed, what would leave the database half sharded: a server without
 * Citus or workers, a worker that is away, another migration, running nodes. `place` names the
 * database without credentials.
 */
export async function checkCluster(connection: DatabaseConnection, place: string): Promise<void> {
  await withClients(connection, async ({ guard, client }) => {
    const citus = await client.query(`select from pg_extension where extname = 'citus'`)
    if (citus.rows.length === 0) throw noCitus(place)
    await assertCluster(client)
    await assertNoNodes(client)
    await prepareLedger(client)
    await takeMigrationLock(guard, 'now')
    await guard.query('rollback')
  })
}

async function assertCluster(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ is_coordinator: boolean; workers: number }>(
    `select coalesce(bool_or(groupid = 0 and groupid = (select groupid from pg_dist_local_group)), false) as is_coordinator,
       (count(*) filter (where shouldhaveshards))::integer as workers from pg_dist_node`,
  )
  const [facts] = rows
  if (facts?.is_coordinator !== true) {
    throw clusterNotUsable(
      'this node is not its coordinator, or the coordinator does not know its own address; run "select citus_set_coordinator_host(...)" there, and point DATABASE_URL at it',
    )
  }
  if (facts.workers === 0) {
    throw clusterNotUsable('it has no worker; add each of them with "select citus_add_node(...)"')
  }
  const silent = await describeSilentNodes(client)
  if (silent !== null) throw clusterNotUsable(silent)
}

async function assertNoNodes(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and application_name = $1`,
    [NODE_NAME],
  )
  const count = rows[0]?.count ?? 0
  if (count > 0) throw nodesRunning(count)
}

/** Shards the schema, which is up to date. */
export async function shardDatabase(connection: DatabaseConnection): Promise<ShardingResult> {
  return await withClients(connection, async (clients) => {
    const { client } = clients
    const { rows } = await client.query<{ name: string }>(
      'select quote_ident(current_database()) as name',
    )
    // Without it the workers do not learn whose rows a transaction may see, and show none
    // (docs/decisions/0020-sharding-by-tenant.md).
    await client.query(`alter database ${rows[0]?.name} set citus.propagate_set_commands = 'local'`)
    return await shardSchema(clients, 'now')
  })
}

/** After an upgrade of a sharded database: distributes the tables that its migrations made. */
export async function shardNewTables(
  connection: DatabaseConnection,
): Promise<ShardingResult | null> {
  return await withClients(connection, async (clients) =>
    (await isSharded(clients.client)) ? await shardSchema(clients, 'wait') : null,
  )
}

async function withClients<Result>(
  connection: DatabaseConnection,
  work: (clients: ShardingClients) => Promise<Result>,
): Promise<Result> {
  const guard = await openClient(connection, NAME)
  try {
    const worker = await openClient(connection, NAME)
    try {
      return await work({ guard: guard.client, client: worker.client })
    } finally {
      await worker.close()
    }
  } finally {
    await guard.close()
  }
}
