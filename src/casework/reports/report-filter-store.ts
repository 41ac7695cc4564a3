// SQL of the filters of the list of reports that search: by reporter and by text. A search that
// many reports match finds a page among the newest ones; one that few match is read by its indexes
// (migration 0104). So the newest are read first, and all only when they do not fill the page.

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { chooseEventMonths } from '../../kernel/db/months/event-months.ts'
import type { PageRequest } from '../../kernel/db/page-request.ts'
import { buildWordQuery, EVENT_WORDS, listByWords } from '../../kernel/db/word-query.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { floorOfReport } from '../events/event-window.ts'

export interface ReportSearch {
  /** In lower case. */
  readonly reporter?: string
  readonly text?: string
}

// Reports that are checked one after the other; some 10 ms.
const NEWEST_MAX = 2_000
// All of them: the greatest number of the function's parameter.
const EVENTS_MAX = 2 ** 31 - 1
// Matching reports that are handed to the database as a list of ids; with more, it finds them by
// the condition itself.
const NAMED_MAX = 10_000
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

// As the indexes report_by_sender and report_by_part have them.
const SENDER = sql`lower(case when envelope_from is null or envelope_from = '' then fallback_reporter else envelope_from end)`
const TEXTS = sql`lower(
  case when reason is null then '' else reason end
    || ' ' || case when message_id is null then '' else message_id end
    || ' ' || case when reporter_report_id is null then '' else reporter_report_id end
    || ' ' || case when envelope_from is null then '' else envelope_from end
    || ' ' || case when fallback_reporter is null then '' else fallback_reporter end
)`

const isReportFrom = (reporter: string): RawBuilder<SqlBool> => sql`${SENDER} = ${reporter}`
const isEventFrom = (reporter: string): RawBuilder<SqlBool> =>
  sql`lower(event.sender_email) = ${reporter}`
const hasReportText = (text: string): RawBuilder<SqlBool> =>
  sql`${TEXTS} like ${`%${escapeLike(text)}%`}`
const hasEventWords = (text: string): RawBuilder<SqlBool> =>
  sql`event.details is not null and ${EVENT_WORDS} @@ ${buildWordQuery(text)}`
// A mail that came through the API has its sender in its events only. Compared as a range, because
// `like` is evaluated after row security and so uses no index.
const hasEventSenderStart = (text: string): RawBuilder<SqlBool> => {
  const beginning = text.toLowerCase()
  return sql`(lower(event.sender_email) >= ${beginning} and lower(event.sender_email) < ${`${beginning}\u{10ffff}`})`
}

function escapeLike(text: string): string {
  return text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)
}

export function isSearch({ reporter, text }: ReportSearch): boolean {
  return reporter !== undefined || text !== undefined
}

/**
 * Conditions for the next 2,000 reports of the page. Each of them is checked by itself, with its
 * events, whose ids are later than that of the report.
 */
export async function searchNewest(
  db: Db,
  { tenantId }: TenantScope,
  { reporter, text }: ReportSearch,
  { order, position }: PageRequest,
): Promise<readonly RawBuilder<SqlBool>[]> {
  const isRising = order === 'asc'
  const id = position?.[0]
  const isAfterPosition =
    id === undefined ? sql`` : sql`and id ${sql.raw(isRising ? '>' : '<')} ${id}::uuid`
  const ends = await sql<{ first: string | null; last: string | null }>`
    select (select id from report where tenant_id = ${tenantId} order by id limit 1) as first, (
      select id from report where tenant_id = ${tenantId} ${isAfterPosition}
      order by id ${sql.raw(order)} offset ${sql.lit(NEWEST_MAX)} limit 1
    ) as last`.execute(db)
  const { first = null, last = null } = ends.rows[0] ?? {}
  if (first === null) return [sql`false`]
  const within = isRising
    ? sql<SqlBool>`report.id <= ${last ?? LAST_ID}::uuid`
    : sql<SqlBool>`report.id >= ${last ?? first}::uuid`
  const floor = floorOfReport(isRising ? (id ?? first) : (last ?? first))
  const hasEvent = (condition: RawBuilder<SqlBool>): RawBuilder<SqlBool> => sql`exists (
    select from event
    where event.tenant_id = ${tenantId} and event.report_id = report.id and ${condition} and event.event_id >= ${floor}::uuid
  )`
  const conditions: RawBuilder<SqlBool>[] = [within]
  if (reporter !== undefined) {
    conditions.push(sql`(${isReportFrom(reporter)} or ${hasEvent(isEventFrom(reporter))})`)
  }
  if (text !== undefined) {
    const events = [hasEventWords(text), hasEventSenderStart(text)].map(hasEvent)
    conditions.push(sql`(${sql.join([hasReportText(text), ...events], sql` or `)})`)
  }
  return conditions
}

/** Conditions for all reports: the indexes find those that match. */
export async function searchAll(
  db: Db,
  scope: TenantScope,
  { reporter, text }: ReportSearch,
): Promise<readonly RawBuilder<SqlBool>[]> {
  const { tenantId } = scope
  const isFound = (
    ofReport: RawBuilder<SqlBool>,
    ...ofEvents: readonly RawBuilder<unknown>[]
  ): RawBuilder<SqlBool> => {
    const found = [
      sql`select id from report where tenant_id = ${tenantId} and ${ofReport}`,
      ...ofEvents.map((events) => sql`select report_id from ${events} and report_id is not null`),
    ]
    return sql`report.id in (${sql.join(found, sql` union all `)})`
  }
  const eventsWith = (condition: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`event where tenant_id = ${tenantId} and ${condition}`
  const conditions: RawBuilder<SqlBool>[] = []
  if (reporter !== undefined) {
    const months = await chooseEventMonths(db, scope, 'sender', [reporter])
    const events = eventsWith(sql`${isEventFrom(reporter)} and ${months}`)
    conditions.push(isFound(isReportFrom(reporter), events))
  }
  if (text !== undefined) {
    const byWords = (await findReportsByWords(db, scope, text)) ?? eventsWith(hasEventWords(text))
    const bySender =
      (await findReportsBySender(db, scope, text)) ?? eventsWith(hasEventSenderStart(text))
    conditions.push(isFound(hasReportText(text), byWords, bySender))
  }
  return conditions
}

/**
 * The reports of the events with these words, as a table; null when there are too many. In a
 * statement of its own: Citus runs no function of this kind beside a table.
 */
async function findReportsByWords(
  db: Db,
  scope: TenantScope,
  text: string,
): Promise<RawBuilder<unknown> | null> {
  const { rows } = await sql<{ id: string }>`
    select distinct report_id as id from ${listByWords(scope, buildWordQuery(text), { most: EVENTS_MAX })}
    where report_id is not null limit ${NAMED_MAX + 1}`.execute(db)
  return rows.length > NAMED_MAX ? null : writeTable(rows, 'named')
}

/** The reports of reporters whose address begins with the text; null as above. */
async function findReportsBySender(
  db: Db,
  { tenantId }: TenantScope,
  text: string,
): Promise<RawBuilder<unknown> | null> {
  const { rows } = await sql<{ id: string; events: number }>`
    select report_id as id, (sum(count(*)) over ())::integer as events
    from find_reports_of_senders(${tenantId}, ${text.toLowerCase()}, ${NAMED_MAX + 1}) group by report_id`.execute(
    db,
  )
  return (rows[0]?.events ?? 0) > NAMED_MAX ? null : writeTable(rows, 'sent')
}

function writeTable(rows: readonly { readonly id: string }[], table: string): RawBuilder<unknown> {
  return sql`unnest(${rows.map(({ id }) => id)}::uuid[]) as ${sql.ref(table)} (report_id) where true`
}
