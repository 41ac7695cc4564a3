// SQL of corrections: the lock and the verdict of the corrected report, and the corrections that
// are kept with it (migration 0048).

import { sql } from 'kysely'
import { type Db, seeTables, type Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { Actor } from '../../cases/case-tables.ts'
import { noteChange } from '../../changes/outbox-store.ts'
import { floorOfReport } from '../../events/event-window.ts'
import { NOT_READ_YET, type ReportState, type ReportTables } from '../report-tables.ts'
import type { EventContent } from './event-content.ts'

export interface CorrectedChange {
  readonly event_id: string
  readonly kind: 'changed' | 'withdrawn' | 'added'
  readonly before?: EventContent
  readonly after?: EventContent
}

export interface StoredCorrection {
  readonly id: string
  readonly version: number
  readonly at: Date
  readonly correctedBy: string
  readonly reason: string | null
  readonly formerState: ReportState
  readonly formerReason: string | null
  readonly changes: readonly CorrectedChange[]
}

export interface LockedReport {
  readonly version: number
  readonly state: ReportState
  readonly reason: string | null
  readonly isRead: boolean
  readonly repeatedCount: number
}

/** Locked until the transaction ends; null when the tenant has no such report. */
export async function lockReport(
  tx: Tx,
  { tenantId }: TenantScope,
  reportId: string,
): Promise<LockedReport | null> {
  const row = await seeTables<ReportTables>(tx)
    .selectFrom('report')
    .select(['version', 'state', 'reason', 'repeated_event_ids'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', reportId)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return null
  const { version, state, reason, repeated_event_ids: repeated } = row
  const isRead = reason !== NOT_READ_YET
  return { version, state, reason, isRead, repeatedCount: repeated?.length ?? 0 }
}

/** Up to `limit` of the events that the report brought, by id. */
export async function listOwnEventIds(
  db: Db,
  { tenantId }: TenantScope,
  reportId: string,
  limit: number,
): Promise<readonly string[]> {
  const found = await sql<{ id: string }>`
    select event_id as id from event where tenant_id = ${tenantId} and report_id = ${reportId}::uuid
      and event_id >= ${floorOfReport(reportId)}::uuid
    order by event_id limit ${limit}`.execute(db)
  return found.rows.map(({ id }) => id)
}

export async function countOwnEvents(
  db: Db,
  { tenantId }: TenantScope,
  reportId: string,
): Promise<number> {
  const found = await sql<{ count: number }>`
    select count(*) as count from event
    where tenant_id = ${tenantId} and report_id = ${reportId}::uuid
      and event_id >= ${floorOfReport(reportId)}::uuid`.execute(db)
  return found.rows[0]?.count ?? 0
}

const NOTHING_REPORTED = 'A person corrected it: it reports nothing.'

interface CorrectedVerdict {
  readonly version: number
  readonly eventCount: number
  readonly by: Actor
}

/** The verdict of the corrected report; the caller has locked it. */
export async function writeCorrectedVerdict(
  tx: Tx,
  { tenantId }: TenantScope,
  reportId: string,
  { version, eventCount, by }: CorrectedVerdict,
): Promise<void> {
  const isReport = eventCount > 0
  await seeTables<ReportTables>(tx)
    .updateTable('report')
    .set({
      version,
      state: isReport ? 'accepted' : 'rejected',
      reason: isReport ? null : NOTHING_REPORTED,
      problems: null,
      event_count: eventCount,
    })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', reportId)
    .execute()
  await noteChange(
    tx,
    { tenantId },
    {
      kind: 'report',
      what: 'corrected',
      subjectId: reportId,
      caseId: null,
      actorKind: by.kind,
      actor: by.id,
      causeId: null,
    },
  )
}

export async function insertCorrection(
  tx: Tx,
  { tenantId }: TenantScope,
  reportId: string,
  correction: StoredCorrection,
): Promise<void> {
  const { changes } = correction
  const withdrawn = changes.flatMap(({ kind, event_id: id }) => (kind === 'withdrawn' ? [id] : []))
  await sql`
    insert into report_correction (tenant_id, report_id, version, id, at, corrected_by, reason, former_state, former_reason,
      changes, withdrawn_event_ids)
    values (${tenantId}, ${reportId}, ${correction.version}, ${correction.id}, ${correction.at}, ${correction.correctedBy},
      ${correction.reason}, ${correction.formerState}, ${correction.formerReason}, ${JSON.stringify(changes)}::jsonb,
      ${withdrawn}::uuid[])`.execute(tx)
}

/** In the order in which they were made. */
export async function listCorrections(
  db: Db,
  { tenantId }: TenantScope,
  reportId: string,
): Promise<readonly StoredCorrection[]> {
  const found = await sql<StoredCorrection>`
    select id, version, at, corrected_by as "correctedBy", reason, former_state as "formerState",
      former_reason as "formerReason", changes
    from report_correction where tenant_id = ${tenantId} and report_id = ${reportId}::uuid order by version`.execute(
    db,
  )
  return found.rows
}
