// Reports as they came: the bytes once for equal content, and a row for each arrival with its
// verdict.

import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { type Db, seeTables, type Tx } from '../../kernel/db/database.ts'
import type { PageRequest, TimeRange } from '../../kernel/db/page-request.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { MailAuthentication } from '../../vocabulary/mail-authentication.ts'
import { noteChange } from '../changes/outbox-store.ts'
import { floorOfReport } from '../events/event-window.ts'
import type { KeptReport } from './kept-report-store.ts'
import { fetchRawBytes } from './raw-bytes.ts'
import { isSearch, type ReportSearch, searchAll, searchNewest } from './report-filter-store.ts'
import {
  type Envelope,
  NOT_READ_YET,
  type ReportChannel,
  type ReportState,
  type ReportTables,
  type ReportVerdict,
} from './report-tables.ts'

export interface ReportRecord {
  readonly id: string
  readonly receivedAt: Date
  readonly mediaType: string
  readonly byteLength: number
  /** Lower-case hexadecimal. */
  readonly sha256: string
  readonly state: ReportState
  readonly reason: string | null
  /** Not read for the first time yet. */
  readonly isUnread: boolean
  readonly problems: readonly FieldProblem[]
  readonly format: string | null
  readonly reporterReportId: string | null
  readonly eventCount: number
  readonly via: ReportChannel
  readonly envelope: Envelope
  /** The envelope sender, else who handed it in; null when neither is known. */
  readonly sender: string | null
  readonly messageId: string | null
  readonly isRawRemoved: boolean
  readonly authentication: MailAuthentication | null
  /** 1 as it was read; one more with each correction. */
  readonly version: number
}

export interface NewReport extends Omit<KeptReport, 'state' | 'authentication'> {
  readonly sha256: Buffer
  readonly messageId: string | null
}

/** Stores bytes and arrival; the report is quarantined until `writeVerdict`. */
export async function insertReport(tx: Tx, report: NewReport): Promise<void> {
  const db = seeTables<ReportTables>(tx)
  await db
    .insertInto('report_raw')
    .values({ tenant_id: report.tenantId, sha256: report.sha256, bytes: report.bytes })
    // Touched, so that retention does not remove bytes that an uncommitted report needs
    // (retention-store.ts).
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'sha256']).doUpdateSet({ sha256: report.sha256 }),
    )
    .execute()
  await db
    .insertInto('report')
    .values({
      tenant_id: report.tenantId,
      id: report.id,
      received_at: report.receivedAt,
      media_type: report.mediaType,
      byte_length: report.bytes.length,
      sha256: report.sha256,
      state: 'quarantined',
      reason: NOT_READ_YET,
      problems: null,
      format: null,
      reporter_report_id: null,
      event_count: 0,
      received_by: report.receivedBy,
      fallback_reporter: report.fallbackReporter,
      via: report.via,
      envelope_from: report.from,
      envelope_to: report.to,
      remote_address: report.remoteAddress,
      helo: report.helo,
      message_id: report.messageId,
      authentication: null,
    })
    .execute()
}

export async function writeVerdict(
  tx: Tx,
  scope: TenantScope,
  reportId: string,
  verdict: ReportVerdict,
): Promise<void> {
  await seeTables<ReportTables>(tx)
    .updateTable('report')
    .set({
      state: verdict.state,
      reason: verdict.reason,
      problems: verdict.problems.length === 0 ? null : JSON.stringify(verdict.problems),
      format: verdict.format,
      reporter_report_id: verdict.reporterReportId,
      event_count: verdict.eventCount,
      ...(verdict.isMail === undefined ? {} : { is_mail: verdict.isMail }),
      ...(verdict.repeatedEventIds === undefined || verdict.repeatedEventIds.length === 0
        ? {}
        : { repeated_event_ids: [...verdict.repeatedEventIds] }),
      ...(verdict.authentication === undefined || verdict.authentication === null
        ? {}
        : { authentication: JSON.stringify(verdict.authentication) }),
    })
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', reportId)
    .execute()
  await noteChange(tx, scope, {
    kind: 'report',
    what: verdict.state,
    subjectId: reportId,
    caseId: null,
    actorKind: 'system',
    actor: 'reader',
    causeId: null,
  })
}

export async function findReport(
  db: Db,
  scope: TenantScope,
  reportId: string,
): Promise<ReportRecord | null> {
  const row = await seeTables<ReportTables>(db)
    .selectFrom('report')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', reportId)
    .executeTakeFirst()
  return row === undefined ? null : readReportRow(row)
}

export interface ReportFilters extends ReportSearch {
  readonly state?: ReportState
  readonly via?: ReportChannel
  readonly isCorrected?: boolean
  readonly isUnread?: boolean
  readonly format?: string
  readonly received?: TimeRange
}

/** Up to `limit` rows and one more, in the order of arrival (ids are UUIDv7). */
export async function listReports(
  db: Db,
  scope: TenantScope,
  filters: ReportFilters,
  page: PageRequest,
): Promise<readonly ReportRecord[]> {
  if (!isSearch(filters)) return await readPage(db, scope, { filters, page, search: [] })
  const newest = await searchNewest(db, scope, filters, page)
  const found = await readPage(db, scope, { filters, page, search: newest })
  if (found.length > page.limit) return found
  const all = await searchAll(db, scope, filters)
  return await readPage(db, scope, { filters, page, search: all })
}

interface ReportQuestion {
  readonly filters: ReportFilters
  readonly page: PageRequest
  readonly search: readonly RawBuilder<SqlBool>[]
}

async function readPage(
  db: Db,
  scope: TenantScope,
  { filters, page, search }: ReportQuestion,
): Promise<readonly ReportRecord[]> {
  const { state, via, isCorrected } = filters
  let query = seeTables<ReportTables>(db)
    .selectFrom('report')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .orderBy('id', page.order)
    .limit(page.limit + 1)
  if (state !== undefined) query = query.where('state', '=', state)
  if (via !== undefined) query = query.where('via', '=', via)
  if (isCorrected !== undefined) {
    query = query.where('version', isCorrected ? '>' : '=', sql.lit(1))
  }
  for (const condition of [...listConditions(filters), ...search]) query = query.where(condition)
  const id = page.position?.[0]
  if (id !== undefined) query = query.where('id', page.order === 'asc' ? '>' : '<', id)
  return (await query.execute()).map(readReportRow)
}

function listConditions({
  isUnread,
  format,
  received = {},
}: ReportFilters): readonly RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = []
  const unread = sql<SqlBool>`reason is not null and reason = ${sql.lit(NOT_READ_YET)}`
  if (isUnread !== undefined) conditions.push(isUnread ? unread : sql`not (${unread})`)
  if (format !== undefined) conditions.push(sql`format = ${format}`)
  if (received.after !== undefined) {
    conditions.push(sql`received_at >= ${received.after}::timestamptz`)
  }
  if (received.before !== undefined) {
    conditions.push(sql`received_at < ${received.before}::timestamptz`)
  }
  return conditions
}

/** What a report reports first. */
export interface FirstEvent {
  readonly eventType: string
  readonly ip: string | null
  readonly domain: string | null
  readonly senderEmail: string
}

/** By the id of the report: its first event. A report without events is left out. */
export async function findFirstEvents(
  db: Db,
  { tenantId }: TenantScope,
  reportIds: readonly string[],
): Promise<ReadonlyMap<string, FirstEvent>> {
  const oldest = reportIds.toSorted()[0]
  if (oldest === undefined) return new Map()
  const floor = floorOfReport(oldest)
  const found = await sql<FirstEvent & { reportId: string }>`
    select given.id as "reportId", first.event_type as "eventType", first.ip, first.domain,
      first.sender_email as "senderEmail"
    from unnest(${[...reportIds]}::uuid[]) as given (id)
    cross join lateral (
      select event_type, ip, domain, sender_email from event
      where event.tenant_id = ${tenantId} and event.report_id = given.id and event.event_id >= ${floor}::uuid
      order by event_date, event_id limit 1
    ) as first`.execute(db)
  return new Map(found.rows.map(({ reportId, ...first }) => [reportId, first]))
}

export interface RawReport {
  readonly bytes: Buffer
  readonly sha256: string
}

export async function findRawReport(
  db: Db,
  scope: TenantScope,
  reportId: string,
): Promise<RawReport | null> {
  const row = await seeTables<ReportTables>(db)
    .selectFrom('report')
    .select(['sha256', 'byte_length'])
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', reportId)
    .executeTakeFirst()
  if (row === undefined) return null
  const { sha256, byte_length: byteLength } = row
  const bytes = await fetchRawBytes(db, { tenantId: scope.tenantId, sha256, byteLength })
  return bytes === null ? null : { bytes, sha256: sha256.toString('hex') }
}

export function readReportRow(row: Selectable<ReportTables['report']>): ReportRecord {
  return {
    id: row.id,
    receivedAt: row.received_at,
    mediaType: row.media_type,
    byteLength: row.byte_length,
    sha256: row.sha256.toString('hex'),
    state: row.state,
    reason: row.reason,
    isUnread: row.reason === NOT_READ_YET,
    problems: readProblems(row.problems),
    format: row.format,
    reporterReportId: row.reporter_report_id,
    eventCount: row.event_count,
    via: row.via,
    envelope: {
      from: row.envelope_from,
      to: row.envelope_to,
      remoteAddress: row.remote_address,
      helo: row.helo,
    },
    sender: row.envelope_from || row.fallback_reporter,
    messageId: row.message_id,
    isRawRemoved: row.is_raw_removed,
    authentication: readAuthentication(row.authentication),
    version: row.version,
  }
}

// Written by writeVerdict only.
function readAuthentication(value: unknown): MailAuthentication | null {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return value === null ? null : (value as MailAuthentication)
}

function readProblems(value: unknown): readonly FieldProblem[] {
  if (!Array.isArray(value)) return []
  return value.map((problem: unknown) => {
    const fields = typeof problem === 'object' && problem !== null ? problem : {}
    return {
      path: 'path' in fields ? String(fields.path) : '/',
      reason: 'reason' in fields ? String(fields.reason) : '',
    }
  })
}
