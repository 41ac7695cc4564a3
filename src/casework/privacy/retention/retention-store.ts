// Removes raw reports, reports and events that are past their time, a bounded batch at a time, and
// counts what is due.

import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { writeCounters } from '../../cases/case-counters-store.ts'
import { NOT_READ_YET } from '../../reports/report-tables.ts'
import { type EventItems, noteItems } from '../../sightings/sighting-change-store.ts'
import {
  blockNewLegalHolds,
  isReportWithoutLegalHold,
  listCasesOnLegalHold,
} from '../legal-holds/legal-hold-store.ts'
import type { RetentionBounds } from './retention-policy.ts'

export interface RetentionTurn {
  readonly tenantId: string
  readonly settings: Readonly<Record<string, unknown>>
}

/** A tenant that is due, leased to the caller: no other node gets it before the lease ends. */
export async function claimRetentionTurn(
  db: Db,
  leaseSeconds: number,
): Promise<RetentionTurn | null> {
  const claimed = await sql<RetentionTurn>`
    update tenant set retention_at = now() + ${leaseSeconds} * interval '1 second'
    where id = (
      select id from tenant where settings ? 'retention' and retention_at <= now()
      order by retention_at limit 1 for no key update skip locked
    ) returning id as "tenantId", settings`.execute(db)
  return claimed.rows[0] ?? null
}

/** The next turn of the tenant comes after this time. */
export async function endRetentionTurn(
  db: Db,
  scope: TenantScope,
  afterSeconds: number,
): Promise<void> {
  await sql`update tenant set retention_at = now() + ${afterSeconds} * interval '1 second'
    where id = ${scope.tenantId}`.execute(db)
}

const IS_READ = sql`reason is distinct from ${sql.lit(NOT_READ_YET)}`

/**
 * Removes the bytes of up to `limit` reports before this id; the reports stay. Returns how many.
 */
export async function removeRawReports(
  tx: Tx,
  scope: TenantScope,
  before: string,
  limit: number,
): Promise<number> {
  await blockNewLegalHolds(tx, scope)
  const onHold = await listCasesOnLegalHold(tx, scope)
  const marked = await sql<{ sha256: Buffer }>`
    update report set is_raw_removed = true from (
      select id from report
      where tenant_id = ${scope.tenantId} and not is_raw_removed and id < ${before}::uuid and ${IS_READ}
        and ${isReportWithoutLegalHold(scope, onHold)}
      order by id limit ${limit} for update skip locked
    ) as due
    where report.tenant_id = ${scope.tenantId} and report.id = due.id
    returning report.sha256`.execute(tx)
  await removeUnusedBytes(
    tx,
    scope,
    marked.rows.map((row) => row.sha256),
  )
  return marked.rows.length
}

/** Removes up to `limit` reports before this id, with their bytes. Returns how many. */
export async function removeReports(
  tx: Tx,
  scope: TenantScope,
  before: string,
  limit: number,
): Promise<number> {
  await blockNewLegalHolds(tx, scope)
  const onHold = await listCasesOnLegalHold(tx, scope)
  const removed = await sql<{ id: string; sha256: Buffer }>`
    delete from report using (
      select id from report where tenant_id = ${scope.tenantId} and id < ${before}::uuid and ${IS_READ}
        and ${isReportWithoutLegalHold(scope, onHold)}
      order by id limit ${limit} for update skip locked
    ) as due
    where report.tenant_id = ${scope.tenantId} and report.id = due.id
    returning report.id, report.sha256`.execute(tx)
  await removeCorrections(
    tx,
    scope,
    removed.rows.map((row) => row.id),
  )
  await removeUnusedBytes(
    tx,
    scope,
    removed.rows.map((row) => row.sha256),
  )
  return removed.rows.length
}

/** Removes the corrections of these reports, with the fingerprints of events that they withdrew. */
async function removeCorrections(
  tx: Tx,
  scope: TenantScope,
  reportIds: readonly string[],
): Promise<void> {
  if (reportIds.length === 0) return
  const gone = await sql<{ eventIds: readonly string[] }>`
    delete from report_correction
    where tenant_id = ${scope.tenantId} and report_id = any(${[...reportIds]}::uuid[])
    returning withdrawn_event_ids as "eventIds"`.execute(tx)
  await removeTraces(
    tx,
    scope,
    gone.rows.flatMap(({ eventIds }) => eventIds),
  )
}

/**
 * Removes bytes that no report of the tenant has any more. In two statements: the first waits for a
 * transaction that stores a report with the same bytes (report-store.ts touches their row), so that
 * the second sees that report.
 */
async function removeUnusedBytes(
  tx: Tx,
  scope: TenantScope,
  sha256s: readonly Buffer[],
): Promise<void> {
  if (sha256s.length === 0) return
  await sql`
    select from report_raw where tenant_id = ${scope.tenantId} and sha256 = any(${[...sha256s]}::bytea[])
    order by sha256 for update`.execute(tx)
  await sql`
    delete from report_raw
    where tenant_id = ${scope.tenantId} and sha256 = any(${[...sha256s]}::bytea[]) and not exists (
      select from report where report.tenant_id = report_raw.tenant_id and report.sha256 = report_raw.sha256
        and not report.is_raw_removed)`.execute(tx)
}

export interface EventBatch {
  /** The next batch begins after it; null at the end. */
  readonly lastId: string | null
  readonly removed: number
  /** The number of removed events by case; only ended cases lose events. */
  readonly byCase: ReadonlyMap<string, number>
}

/**
 * Removes events among the next `limit` in this range of ids: events without a case, and events of
 * ended cases that are not on legal hold. These cases are recounted. Cases are locked before
 * events, as everywhere.
 */
export async function removeEvents(
  tx: Tx,
  scope: TenantScope,
  range: { readonly afterId: string | null; readonly before: string },
  limit: number,
): Promise<EventBatch> {
  const { afterId, before } = range
  await blockNewLegalHolds(tx, scope)
  const onHold = new Set(await listCasesOnLegalHold(tx, scope))
  const found = await sql<{ eventId: string; caseId: string | null }>`
    select event_id as "eventId", case_id as "caseId" from event
    where tenant_id = ${scope.tenantId} and event_id < ${before}::uuid
      and event_id > ${afterId ?? FIRST_ID}::uuid
    order by event_id limit ${limit}`.execute(tx)
  const caseIds = new Set(found.rows.flatMap(({ caseId }) => (caseId === null ? [] : [caseId])))
  const ended = await lockEndedCases(
    tx,
    scope,
    [...caseIds].filter((id) => !onHold.has(id)),
  )
  const eventIds = found.rows.map((row) => row.eventId)
  const gone = await sql<EventItems & { eventId: string; caseId: string | null }>`
    delete from event
    where tenant_id = ${scope.tenantId} and event_id = any(${eventIds}::uuid[])
      and (case_id is null or case_id = any(${[...ended]}::text[]))
    returning event_id as "eventId", case_id as "caseId", ip, domain`.execute(tx)
  await noteItems(tx, scope, gone.rows)
  await removeTraces(
    tx,
    scope,
    gone.rows.map((row) => row.eventId),
  )
  const byCase = new Map<string, number>()
  for (const { caseId } of gone.rows) {
    if (caseId !== null) byCase.set(caseId, (byCase.get(caseId) ?? 0) + 1)
  }
  if (byCase.size > 0) await writeCounters(tx, scope, [...byCase.keys()])
  const lastId = found.rows.length < limit ? null : (eventIds.at(-1) ?? null)
  return { lastId, removed: gone.rows.length, byCase }
}

/** Removes hours of arrival before this id (migration 0029) without events. Returns how many. */
export async function removeEmptyHours(
  tx: Tx,
  scope: TenantScope,
  before: string,
  limit: number,
): Promise<number> {
  const gone = await sql`
    delete from event_hour using (
      select from_id from event_hour as hour
      where tenant_id = ${scope.tenantId} and until_id <= ${before}::uuid and not exists (
        select from event where tenant_id = ${scope.tenantId} and event_id >= hour.from_id and event_id < hour.until_id
      )
      limit ${limit}
    ) as empty
    where event_hour.tenant_id = ${scope.tenantId} and event_hour.from_id = empty.from_id`.execute(
    tx,
  )
  return Number(gone.numAffectedRows ?? 0)
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

async function lockEndedCases(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<readonly string[]> {
  if (caseIds.length === 0) return []
  const ended = await sql<{ id: string }>`
    select id from abuse_case
    where tenant_id = ${scope.tenantId} and id = any(${[...caseIds]}::text[]) and ended_at is not null
    order by id for update`.execute(tx)
  return ended.rows.map((row) => row.id)
}

/** Removes the rows beside an event: its fingerprint, and its row as a pending event. */
export async function removeTraces(
  tx: Tx,
  scope: TenantScope,
  eventIds: readonly string[],
): Promise<void> {
  if (eventIds.length === 0) return
  const ids = sql`${[...eventIds]}::uuid[]`
  await sql`delete from event_fingerprint where tenant_id = ${scope.tenantId} and event_id = any(${ids})`.execute(
    tx,
  )
  await sql`delete from held_event where tenant_id = ${scope.tenantId} and event_id = any(${ids})`.execute(
    tx,
  )
}

export interface DueCounts {
  readonly rawReports: number
  readonly rawBytes: number
  readonly events: number
  readonly reports: number
  readonly cases: number
}

/** Each count stops at `countMax`, which bounds the cost. */
export async function countDue(
  db: Db,
  scope: TenantScope,
  { rawReportsBefore, eventsBefore, casesEndedBefore }: RetentionBounds,
  countMax: number,
): Promise<DueCounts> {
  const onHold = await listCasesOnLegalHold(db, scope)
  const isFree = isReportWithoutLegalHold(scope, onHold)
  const isOnHold = sql`any(${[...onHold]}::text[])`
  const counted = await sql<DueCounts>`
    select raw.count as "rawReports", raw.bytes::bigint as "rawBytes", events.count as "events",
      reports.count as "reports", cases.count as "cases"
    from (select count(*), coalesce(sum(byte_length), 0) as bytes from (
        select byte_length from report
        where tenant_id = ${scope.tenantId} and not is_raw_removed and id < ${rawReportsBefore}::uuid and ${IS_READ}
          and ${isFree}
        limit ${countMax}) as due) as raw,
      (select count(*) from (
        select from event where tenant_id = ${scope.tenantId} and event_id < ${eventsBefore}::uuid
          and (case_id is null or case_id <> all(${[...onHold]}::text[]) and exists (
            select from abuse_case where tenant_id = ${scope.tenantId} and id = event.case_id and ended_at is not null))
        limit ${countMax}) as due) as events,
      (select count(*) from (
        select from report where tenant_id = ${scope.tenantId} and id < ${eventsBefore}::uuid and ${IS_READ}
          and ${isFree}
        limit ${countMax}) as due) as reports,
      (select count(*) from (
        with recursive tree as (
          select id from abuse_case
          where tenant_id = ${scope.tenantId} and ended_at < ${casesEndedBefore}::timestamptz and merged_into is null
            and not id = ${isOnHold} and not ${hasMitigations(scope)}
          union all
          select child.id from tree join abuse_case as child
            on child.tenant_id = ${scope.tenantId} and child.merged_into = tree.id
        ) select from tree limit ${countMax}) as due) as cases`.execute(db)
  const [row] = counted.rows
  if (row === undefined) throw new Error('a count gave no row')
  return row
}

/** The contents (SHA-256) of these reports, as far as their bytes are still stored. */
export async function findContents(
  db: Db,
  scope: TenantScope,
  reportIds: readonly string[],
): Promise<readonly Buffer[]> {
  if (reportIds.length === 0) return []
  const found = await sql<{ sha256: Buffer }>`
    select distinct sha256 from report
    where tenant_id = ${scope.tenantId} and id = any(${[...reportIds]}::uuid[]) and not is_raw_removed`.execute(
    db,
  )
  return found.rows.map((row) => row.sha256)
}

const ERASED_UNREAD = 'Its bytes were erased before it was read.'

/** Removes these bytes from all reports that have them; the reports stay. */
export async function eraseRawBytes(
  tx: Tx,
  scope: TenantScope,
  sha256s: readonly Buffer[],
): Promise<void> {
  if (sha256s.length === 0) return
  await sql`
    update report set is_raw_removed = true,
      reason = case when reason = ${sql.lit(NOT_READ_YET)} then ${ERASED_UNREAD} else reason end
    where tenant_id = ${scope.tenantId} and sha256 = any(${[...sha256s]}::bytea[]) and not is_raw_removed`.execute(
    tx,
  )
  await removeUnusedBytes(tx, scope, sha256s)
}

/**
 * The condition for rows of `abuse_case` that have a mitigation which is, or may be, in force:
 * their own one, or one of a case that was merged into them. Without its record nobody could undo
 * it.
 */
export function hasMitigations({ tenantId }: TenantScope): RawBuilder<unknown> {
  return sql`exists (
    with recursive tree as (
      select abuse_case.id as id
      union all
      select child.id from tree join abuse_case as child on child.tenant_id = ${tenantId} and child.merged_into = tree.id
    )
    select from tree join mitigation on mitigation.tenant_id = ${tenantId} and mitigation.case_id = tree.id
    where mitigation.state in ('pending', 'active', 'removing'))`
}
