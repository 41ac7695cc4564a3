// SQL of whole months of events: whether anything keeps a row of one, how it is
// taken out of the table, and what is left to do for its events afterwards.

import { sql } from 'kysely'
import { findTenant } from '../../../access/tenant-store.ts'
import type { TenantSettings } from '../../../access/tenant-wire.ts'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import { floorOfMonth, type MonthPartition } from '../../../kernel/db/months/months.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { writeCounters } from '../../cases/case-counters-store.ts'
import { NOT_READ_YET } from '../../reports/report-tables.ts'
import { type EventItems, noteItems } from '../../sightings/sighting-change-store.ts'
import { blockNewLegalHolds, listCasesOnLegalHold } from '../legal-holds/legal-hold-store.ts'
import { boundRetention, readRetentionDays } from './retention-policy.ts'
import { type EventBatch, removeTraces } from './retention-store.ts'

/**
 * Tenants with events in a partition, each found by one look into its index. One after the other: a
 * sharded database takes no recursive statement over all tenants.
 */
async function* walkTenants(db: Db, name: string): AsyncGenerator<TenantScope> {
  for (let after = ''; ; ) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const next = await sql<{ tenantId: string }>`
      select tenant_id as "tenantId" from ${sql.table(name)} where tenant_id > ${after}
      order by tenant_id limit 1`.execute(db)
    const [found] = next.rows
    if (found === undefined) return
    yield found
    after = found.tenantId
  }
}

/** True when no setting, open case, unread report or legal hold keeps an event of the month. */
export async function isUnkept(db: Db, month: MonthPartition, nowMs: number): Promise<boolean> {
  for await (const scope of walkTenants(db, month.name)) {
    // oxlint-disable eslint/no-await-in-loop
    const tenant = await findTenant(db, scope.tenantId)
    if (isKeptBySetting(tenant?.settings ?? {}, month, nowMs)) return false
    if (await hasKeptEvents(db, scope, month)) return false
    // oxlint-enable eslint/no-await-in-loop
  }
  return true
}

function isKeptBySetting(
  settings: TenantSettings,
  { untilMs }: MonthPartition,
  nowMs: number,
): boolean {
  const { eventsBefore } = boundRetention(readRetentionDays(settings), nowMs)
  return eventsBefore === null || eventsBefore < floorOfMonth(untilMs)
}

async function hasKeptEvents(
  db: Db,
  scope: TenantScope,
  { name, untilMs }: MonthPartition,
): Promise<boolean> {
  const { tenantId } = scope
  const onHold = await listCasesOnLegalHold(db, scope)
  const found = await sql`
    select from ${sql.table(name)} as one
    where tenant_id = ${tenantId} and case_id is not null and (
      case_id = any(${[...onHold]}::text[])
      or not exists (select from abuse_case where tenant_id = ${tenantId} and id = one.case_id and ended_at is not null))
    union all
    select from report join ${sql.table(name)} as one on one.tenant_id = ${tenantId} and one.report_id = report.id
    where report.tenant_id = ${tenantId} and report.reason = ${sql.lit(NOT_READ_YET)} and report.id < ${floorOfMonth(untilMs)}::uuid
    limit 1`.execute(db)
  return found.rows.length > 0
}

// While a statement waits for its lock, all later ones on the table wait behind it.
const LOCK_MS = 300

/**
 * Takes the month out of the table of events in one step, unless something keeps an event of it
 * after all. Its cases are locked first, as everywhere, so that none of them opens meanwhile.
 */
export async function detachUnkept(tx: Tx, month: MonthPartition, nowMs: number): Promise<boolean> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_MS)}`.execute(tx)
  for await (const scope of walkTenants(tx, month.name)) {
    const { tenantId } = scope
    // oxlint-disable-next-line eslint/no-await-in-loop
    await blockNewLegalHolds(tx, scope)
    // oxlint-disable-next-line eslint/no-await-in-loop
    await sql`
      select count(*) from (
        select from abuse_case where tenant_id = ${tenantId} and ended_at is not null and id in (
          select case_id from ${sql.table(month.name)} where tenant_id = ${tenantId} and case_id is not null)
        order by id for share
      ) as ended`.execute(tx)
  }
  await sql`lock table ${sql.table(month.name)} in share mode`.execute(tx)
  if (!(await isUnkept(tx, month, nowMs))) return false
  await sql`alter table event detach partition ${sql.table(month.name)}`.execute(tx)
  return true
}

/** Months that were taken out and still have rows. */
export async function listDetachedMonths(db: Db): Promise<readonly string[]> {
  const found = await sql<{ name: string }>`
    select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and not relispartition
      and relname ~ '^event_(until_)?[0-9]{4}_[0-9]{2}$' order by 1`.execute(db)
  return found.rows.map((row) => row.name)
}

/** A tenant with rows in a detached month, but none of `passedOver`; null when there is none. */
export async function findTenantOfMonth(
  db: Db,
  name: string,
  passedOver: ReadonlySet<string> = new Set(),
): Promise<string | null> {
  const found = await sql<{ tenantId: string }>`
    select tenant_id as "tenantId" from ${sql.table(name)}
    where tenant_id <> all(${[...passedOver]}::text[]) limit 1`.execute(db)
  return found.rows[0]?.tenantId ?? null
}

/**
 * Does for up to `limit` events of a detached month what their removal entails: fingerprints go,
 * reports of an item and counters of cases are counted again.
 */
export async function removeDetached(
  tx: Tx,
  scope: TenantScope,
  name: string,
  limit: number,
): Promise<EventBatch> {
  const { tenantId } = scope
  const found = await sql<EventItems & { eventId: string; caseId: string | null }>`
    select event_id as "eventId", case_id as "caseId", ip, domain from ${sql.table(name)}
    where tenant_id = ${tenantId} order by event_id limit ${limit}`.execute(tx)
  const byCase = new Map<string, number>()
  for (const { caseId } of found.rows) {
    if (caseId !== null) byCase.set(caseId, (byCase.get(caseId) ?? 0) + 1)
  }
  const caseIds = [...byCase.keys()]
  await sql`
    select from abuse_case where tenant_id = ${tenantId} and id = any(${caseIds}::text[])
    order by id for update`.execute(tx)
  const eventIds = found.rows.map((row) => row.eventId)
  await sql`
    delete from ${sql.table(name)} where tenant_id = ${tenantId} and event_id = any(${eventIds}::uuid[])`.execute(
    tx,
  )
  await noteItems(tx, scope, found.rows)
  await removeTraces(tx, scope, eventIds)
  if (caseIds.length > 0) await writeCounters(tx, scope, caseIds)
  return { lastId: null, removed: eventIds.length, byCase }
}

/** False when it has rows after all. */
export async function dropDetachedMonth(tx: Tx, name: string): Promise<boolean> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_MS)}`.execute(tx)
  await sql`lock table ${sql.table(name)} in access exclusive mode`.execute(tx)
  if ((await findTenantOfMonth(tx, name)) !== null) return false
  await sql`drop table ${sql.table(name)}`.execute(tx)
  return true
}
