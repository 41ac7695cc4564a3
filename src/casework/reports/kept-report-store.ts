// Kept reports with their bytes, as a reader needs them, and the list of unread ones.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { MailAuthentication } from '../../vocabulary/mail-authentication.ts'
import { fetchRawBytes, type RawBytesLocation } from './raw-bytes.ts'
import {
  type Envelope,
  NOT_READ_YET,
  type ReportChannel,
  type ReportState,
} from './report-tables.ts'

export interface KeptReport extends Envelope {
  readonly tenantId: string
  readonly id: string
  readonly receivedAt: Date
  readonly receivedBy: string
  readonly mediaType: string
  readonly fallbackReporter: string | null
  readonly state: ReportState
  readonly via: ReportChannel
  readonly authentication: MailAuthentication | null
  /** More than 1 when a person corrected it. */
  readonly version: number
  readonly bytes: Buffer
}

const COLUMNS = sql`report.tenant_id as "tenantId", report.id, report.received_at as "receivedAt",
  report.received_by as "receivedBy", report.media_type as "mediaType", report.fallback_reporter as "fallbackReporter",
  report.state, report.via, report.envelope_from as "from", report.envelope_to as "to",
  report.remote_address as "remoteAddress", report.helo, report.authentication, report.version, report.sha256, report.byte_length as "byteLength"`
// A parameter in place of the sentence would prevent the planner from using the index.
const IS_UNREAD = sql`report.reason = ${sql.lit(NOT_READ_YET)}`

export interface UnreadReport {
  readonly tenantId: string
  readonly id: string
  readonly receivedAt: Date
  readonly byteLength: number
}

/** The oldest unread reports of all tenants after `afterId` that came before `before`. */
export async function listUnreadReports(
  db: Db,
  afterId: string,
  before: Date,
  limit: number,
): Promise<readonly UnreadReport[]> {
  const result = await sql<UnreadReport>`
    select report.tenant_id as "tenantId", report.id, report.received_at as "receivedAt", report.byte_length as "byteLength"
    from report where ${IS_UNREAD} and report.id > ${afterId}::uuid and report.received_at < ${before}
    order by report.id limit ${limit}`.execute(db)
  return result.rows
}

/**
 * Locks this report until the transaction ends; false when it has been read, or another process
 * reads it.
 */
export async function claimReport(tx: Tx, scope: TenantScope, reportId: string): Promise<boolean> {
  const result = await sql`
    select from report
    where ${IS_UNREAD} and report.tenant_id = ${scope.tenantId} and report.id = ${reportId}::uuid
    for update skip locked`.execute(tx)
  return result.rows.length === 1
}

/** Locks this report until the transaction ends; false when a person has corrected it. */
export async function claimUncorrected(
  tx: Tx,
  scope: TenantScope,
  reportId: string,
): Promise<boolean> {
  const result = await sql`
    select from report
    where report.tenant_id = ${scope.tenantId} and report.id = ${reportId}::uuid and version = 1
    for update`.execute(tx)
  return result.rows.length === 1
}

export interface LockedVerdict {
  readonly state: ReportState
  readonly isUnread: boolean
  readonly eventCount: number
  readonly version: number
}

/** Locks the report until the transaction ends; null when there is none. */
export async function lockVerdict(
  tx: Tx,
  { tenantId }: TenantScope,
  reportId: string,
): Promise<LockedVerdict | null> {
  const found = await sql<LockedVerdict>`
    select state, coalesce(${IS_UNREAD}, false) as "isUnread", event_count as "eventCount", version from report
    where tenant_id = ${tenantId} and id = ${reportId}::uuid for update`.execute(tx)
  return found.rows[0] ?? null
}

/** This report, whatever its state; null when there is none. */
export async function findKeptReport(
  db: Db,
  scope: TenantScope,
  reportId: string,
): Promise<KeptReport | null> {
  const result = await sql<Omit<KeptReport, 'bytes'> & RawBytesLocation>`
    select ${COLUMNS} from report
    where report.tenant_id = ${scope.tenantId} and report.id = ${reportId}::uuid`.execute(db)
  const row = result.rows[0]
  if (row === undefined) return null
  const { sha256, byteLength, ...report } = row
  const bytes = await fetchRawBytes(db, { tenantId: report.tenantId, sha256, byteLength })
  return bytes === null ? null : { ...report, bytes }
}
