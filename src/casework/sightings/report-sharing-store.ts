// SQL of the tenants whose reports write sightings: the setting (columns of `tenant`), and whether
// it is carried out (table `report_sharing`).

import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import { PLANNED_ALONE } from '../../kernel/db/planner.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'

export interface SharingWork extends TenantScope {
  readonly isWanted: boolean
  /** The setting is the default, and nobody's choice. */
  readonly isDefault: boolean
  readonly hasOthers: boolean
  readonly reportersMin: number
  /** Null: its sightings are not shared yet, or no longer. */
  readonly sourceKey: string | null
  /** The setting that its sightings were written with. */
  readonly appliedMin: number | null
}

// The other tenants follow with the next pass. Those that have waited longest come first, so that
// busy tenants do not keep others waiting for ever.
const TENANTS_MAX = 100

/**
 * Tenants of which something is to be done, those with a changed setting first. Of all tenants: it
 * is the instance's own work.
 */
export async function listSharingWork(
  db: Db,
  reportersDefault: number,
): Promise<readonly SharingWork[]> {
  return (await sharingWork(reportersDefault).execute(db)).rows
}

/** Whether there is any (kernel/db/due-poll.ts). */
export function hasSharingWork(reportersDefault: number): RawBuilder<boolean> {
  return sql<boolean>`exists (${sharingWork(reportersDefault)})`
}

function sharingWork(reportersDefault: number): RawBuilder<SharingWork> {
  return sql<SharingWork>`
    select "tenantId", "isWanted", "isDefault", "hasOthers", "reportersMin", "sourceKey", "appliedMin" from (
      select tenant.id as "tenantId", share_sightings is true as "isWanted",
        share_sightings_origin = 'default' as "isDefault", (select count(*) from tenant) > 1 as "hasOthers",
        coalesce((settings ->> 'unverified_reporters_min')::integer, ${sql.lit(reportersDefault)}) as "reportersMin",
        report_sharing.source_key as "sourceKey", report_sharing.reporters_min as "appliedMin"
      from ${apart('tenant')} left join ${apart('report_sharing')} on report_sharing.tenant_id = tenant.id
      where share_sightings or report_sharing.tenant_id is not null
    ) as one
    cross join lateral (
      select "isWanted" <> ("sourceKey" is not null) or "appliedMin" <> "reportersMin" as "isChanged"
    ) as setting
    left join (
      select tenant_id, min(due_at) as "dueAt" from report_sighting_change
      where due_at <= now() group by tenant_id
    ) as waiting on waiting.tenant_id = "tenantId"
    where "isChanged" or "dueAt" is not null
    order by "isChanged" desc, "dueAt", "tenantId" limit ${sql.lit(TENANTS_MAX)}`
}

// A server process of Citus 13.2 ends by a segmentation fault, and the database with it, when it
// plans a join of these two beside a distributed table under row level security. Behind an offset
// each is a query of its own.
function apart(table: 'tenant' | 'report_sharing'): RawBuilder<unknown> {
  return sql`(select * from ${sql.table(table)} ${PLANNED_ALONE}) as ${sql.table(table)}`
}

/** False while another node works for the tenant, and when it does not share. */
export async function lockSharing(tx: Tx, { tenantId }: TenantScope): Promise<boolean> {
  const found = await sql`
    select from report_sharing where tenant_id = ${tenantId} for update skip locked`.execute(tx)
  return found.rows.length > 0
}

/** False when another node was first. */
export async function insertSharing(
  tx: Tx,
  { tenantId }: TenantScope,
  sourceKey: string,
  reportersMin: number,
): Promise<boolean> {
  const done = await sql`
    insert into report_sharing (tenant_id, source_key, reporters_min)
    values (${tenantId}, ${sourceKey}, ${reportersMin}) on conflict (tenant_id) do nothing`.execute(
    tx,
  )
  return done.numAffectedRows === 1n
}

export async function setReportersMin(
  tx: Tx,
  { tenantId }: TenantScope,
  reportersMin: number,
): Promise<void> {
  await sql`
    update report_sharing set reporters_min = ${reportersMin} where tenant_id = ${tenantId}`.execute(
    tx,
  )
}

export async function deleteSharing(tx: Tx, { tenantId }: TenantScope): Promise<void> {
  await sql`delete from report_sharing where tenant_id = ${tenantId}`.execute(tx)
}

export interface SharingCounts {
  readonly tenants: number
  readonly sharing: number
  /** Items whose sightings are to be counted again. */
  readonly waiting: number
}

/** For the report of the service about itself. */
export async function countSharing(db: Db): Promise<SharingCounts> {
  const found = await sql<SharingCounts>`
    select count(*) as tenants, count(*) filter (where share_sightings) as sharing,
      (select coalesce(sum(cardinality(items)), 0)::bigint from report_sighting_change) as waiting
    from tenant`.execute(db)
  const [row] = found.rows
  if (row === undefined) throw new Error('a count gave no row')
  return row
}
