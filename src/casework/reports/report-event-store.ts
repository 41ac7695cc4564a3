// SQL of the links between reports, their events and their cases (migration 0033).

import { type Selectable, sql } from 'kysely'
import { type Db, seeTables } from '../../kernel/db/database.ts'
import type { PageRequest } from '../../kernel/db/page-request.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { chooseMonthsOfCase } from '../cases/case-months.ts'
import { floorOfReport } from '../events/event-window.ts'
import { type ReportRecord, readReportRow } from './report-store.ts'
import type { ReportTables } from './report-tables.ts'

/** Events of the report that earlier reports had brought; empty for an unknown report. */
export async function findRepeatedEvents(
  db: Db,
  scope: TenantScope,
  reportId: string,
): Promise<readonly string[]> {
  const row = await seeTables<ReportTables>(db)
    .selectFrom('report')
    .select('repeated_event_ids')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', reportId)
    .executeTakeFirst()
  return row?.repeated_event_ids ?? []
}

/** The events that the report holds, also those that earlier reports had brought. */
export async function listEventIdsOfReport(
  db: Db,
  scope: TenantScope,
  reportId: string,
): Promise<readonly string[]> {
  const result = await sql<{ id: string }>`
    select event_id as id from event where tenant_id = ${scope.tenantId} and report_id = ${reportId}::uuid
      and event_id >= ${floorOfReport(reportId)}::uuid`.execute(db)
  return [...result.rows.map(({ id }) => id), ...(await findRepeatedEvents(db, scope, reportId))]
}

/**
 * Up to `limit` reports and one more that brought events which are in this case now, in the order
 * of arrival. One probe of the index for each report, however many events of it the case has.
 */
export async function listReportsOfCase(
  db: Db,
  scope: TenantScope,
  caseId: string,
  { limit, order, position }: PageRequest,
): Promise<readonly ReportRecord[]> {
  const months = await chooseMonthsOfCase(db, scope, caseId)
  const direction = sql.raw(order)
  const beyond = sql.raw(order === 'asc' ? '>' : '<')
  const first = position?.[0]
  const ofCase = sql`select report_id from event
    where tenant_id = ${scope.tenantId} and case_id = ${caseId} and report_id is not null and ${months}`
  const next = sql`order by report_id ${direction} limit 1`
  const result = await sql<Selectable<ReportTables['report']>>`
    with recursive found (report_id) as (
      (${ofCase} ${first === undefined ? sql`` : sql`and report_id ${beyond} ${first}::uuid`} ${next})
      union all
      select (${ofCase} and report_id ${beyond} found.report_id ${next}) from found
      where found.report_id is not null
    )
    select report.* from found
    join report on report.tenant_id = ${scope.tenantId} and report.id = found.report_id
    limit ${limit + 1}`.execute(db)
  return result.rows.map(readReportRow)
}
