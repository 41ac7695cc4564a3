// A kept report as its reader needs it, bytes and all: the next that nobody has read, one that was just kept, or one to be read again.

import { type RawBuilder, sql } from 'kysely'
import type { TenantScope } from '../../kernel/auth/caller.ts'
import type { Db, Tx } from '../../kernel/db/database.ts'
import type { MailAuthentication } from '../model/mail-authentication.ts'
import { fetchRawBytes, type RawBytesPlace } from './raw-bytes.ts'
import { type Envelope, NOT_READ_YET, type ReportDoor, type ReportState } from './report-tables.ts'

export interface KeptReport extends Envelope {
  readonly tenantId: string
  readonly id: string
  readonly receivedAt: Date
  readonly receivedBy: string
  readonly mediaType: string
  readonly fallbackReporter: string | null
  readonly state: ReportState
  readonly via: ReportDoor
  readonly authentication: MailAuthentication | null
  readonly bytes: Buffer
}

const COLUMNS = sql`report.tenant_id as "tenantId", report.id, report.received_at as "receivedAt",
  report.received_by as "receivedBy", report.media_type as "mediaType", report.fallback_reporter as "fallbackReporter",
  report.state, report.via, report.envelope_from as "from", report.envelope_to as "to",
  report.remote_address as "remoteAddress", report.helo, report.authentication, report.sha256, report.byte_length as "byteLength"`
// A parameter in place of the sentence would keep the planner from the index.
const IS_UNREAD = sql`report.reason = ${sql.lit(NOT_READ_YET)}`

/** The oldest unread report after `afterId` that came before `before`, locked; null when there is none that nobody else has. */
export async function claimUnreadReport(
  tx: Tx,
  afterId: string,
  before: Date,
): Promise<KeptReport | null> {
  return await findOne(
    tx,
    sql`${IS_UNREAD} and report.id > ${afterId}::uuid and report.received_at < ${before}
      order by report.id limit 1 for update of report skip locked`,
  )
}

/** This report, locked; null when somebody has read it already or is at it. */
export async function claimNewReport(
  tx: Tx,
  scope: TenantScope,
  reportId: string,
): Promise<KeptReport | null> {
  return await findOne(
    tx,
    sql`${IS_UNREAD} and report.tenant_id = ${scope.tenantId} and report.id = ${reportId}::uuid
      for update of report skip locked`,
  )
}

/** This report, whatever its state; null when there is none. */
export async function findKeptReport(
  db: Db,
  scope: TenantScope,
  reportId: string,
): Promise<KeptReport | null> {
  return await findOne(
    db,
    sql`report.tenant_id = ${scope.tenantId} and report.id = ${reportId}::uuid`,
  )
}

async function findOne(db: Db, condition: RawBuilder<unknown>): Promise<KeptReport | null> {
  const result = await sql<Omit<KeptReport, 'bytes'> & RawBytesPlace>`
    select ${COLUMNS} from report where ${condition}`.execute(db)
  const row = result.rows[0]
  if (row === undefined) return null
  const { sha256, byteLength, ...report } = row
  const bytes = await fetchRawBytes(db, { tenantId: report.tenantId, sha256, byteLength })
  return bytes === null ? null : { ...report, bytes }
}
