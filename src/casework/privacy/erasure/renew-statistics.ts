// The planner's statistics contain values of the tables that an erasure changed, so they are made
// anew after it: at once, and where that fails, as while a worker of Citus is away, by a job.

import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { TenantPass } from '../../../kernel/db/due-tenants.ts'
import { inInstance } from '../../../kernel/db/instance-acts.ts'
import { inTenant } from '../../../kernel/db/row-scope.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { type ErasureRecord, listStatisticsDue, markStatisticsRenewed } from './erasure-store.ts'

/** After an erasure that is finished and stored. Never throws: the job tries again. */
export async function renewStatistics(
  { db, log }: TenantPass,
  scope: TenantScope,
  { id, changed }: Pick<ErasureRecord, 'id' | 'changed'>,
): Promise<void> {
  try {
    await analyzeTables(db, scope, Object.keys(changed))
    await markStatisticsRenewed(db, scope, id)
  } catch (error) {
    log.warn(
      'Statistics of the database could not be renewed after an erasure; that is tried again each minute',
      { tenant_id: scope.tenantId, erasure_id: id, error: String(error) },
    )
  }
}

// Erasures whose statistics one run renews; the next run does those of the others.
const ERASURES_MAX = 100

/** What is still to be done after the erasures of all tenants. Any number of nodes may do it. */
export async function renewDueStatistics(pass: TenantPass, signal: AbortSignal): Promise<void> {
  const due = await inInstance('repeat erasures', () => listStatisticsDue(pass.db, ERASURES_MAX))
  for (const erasure of due) {
    if (signal.aborted) return
    // oxlint-disable-next-line eslint/no-await-in-loop
    await inTenant(erasure, () => renewStatistics(pass, erasure, erasure))
  }
}

/**
 * On Citus of the tenant's shard only, in which alone rows were changed: each table has 32 shards,
 * and each of them a partition for every month. Throws when a worker cannot do it.
 */
export async function analyzeTables(
  db: Db,
  scope: TenantScope,
  tables: readonly string[],
): Promise<void> {
  const found = await sql<{ is_sharded: boolean }>`select is_sharded() as is_sharded`.execute(db)
  const isSharded = found.rows[0]?.is_sharded === true
  for (const table of tables) {
    // Each reads some ten thousand rows.
    // oxlint-disable eslint/no-await-in-loop
    const shard = isSharded ? await findShard(db, scope, table) : null
    if (shard === null) await sql`analyze ${sql.table(table)}`.execute(db)
    else await analyzeShard(db, shard)
    // oxlint-enable eslint/no-await-in-loop
  }
}

/** The table on a worker that has the rows of the tenant; null for a table of the coordinator. */
async function findShard(db: Db, { tenantId }: TenantScope, table: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select shard_name(logicalrelid, get_shard_id_for_distribution_column(logicalrelid, ${tenantId}::text)) as name
    from pg_catalog.pg_dist_partition where logicalrelid = ${table}::regclass and partmethod = 'h'`.execute(
    db,
  )
  return rows[0]?.name ?? null
}

/** Every node is asked, and the one that has the shard does it. */
async function analyzeShard(db: Db, shard: string): Promise<void> {
  // A name that Citus wrote, quoted where it must be.
  const command = `do $$ begin if to_regclass('${shard}') is not null then analyze ${shard}; end if; end $$`
  const { rows } = await sql<{ result: string }>`
    select result from run_command_on_all_nodes(${command}) where not success`.execute(db)
  const [failed] = rows
  if (failed !== undefined) throw new Error(`${shard} was not analyzed: ${failed.result}`)
}
