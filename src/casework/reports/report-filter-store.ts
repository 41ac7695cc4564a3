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

/** Reports that are read one after the other; some 10 ms. */
const NEWEST_MAX = 2_000
const EVENTS_MAX = 2 ** 31 - 1
/** Reports that are named one by one to the database; beyond, it finds them by itself. */
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

const isSender = (reporter: string): RawBuilder<SqlBool> => sql`${SENDER} = ${reporter}`
const isOfSender = (reporter: string): RawBuilder<SqlBool> =>
  sql`lower(event.sender_email) = ${reporter}`
const hasText = (text: string): RawBuilder<SqlBool> => sql`${TEXTS} like ${`%${escapeLike(text)}%`}`
const hasWords = (text: string): RawBuilder<SqlBool> =>
  sql`event.details is not null and ${EVENT_WORDS} @@ ${buildWordQuery(text)}`
// A mail that came through the API has its sender in its events only.
// By comparison: `like` is run behind row security only, and so uses no index.
const isOfSenderLike = (text: string): RawBuilder<SqlBool> => {
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
 * For the newest reports of the page: each of them is looked at, with its events, which came after
 * it.
 */
export async function searchNewest(
  db: Db,
  { tenantId }: TenantScope,
  { reporter, text }: ReportSearch,
  { order, position }: PageRequest,
): Promise<readonly RawBuilder<SqlBool>[]> {
  const isRising = order === 'asc'
  const id = position?.[0]
  const behind = id === undefined ? sql`` : sql`and id ${sql.raw(isRising ? '>' : '<')} ${id}::uuid`
  const ends = await sql<{ first: string | null; last: string | null }>`
    select (select id from report where tenant_id = ${tenantId} order by id limit 1) as first, (
      select id from report where tenant_id = ${tenantId} ${behind}
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
    conditions.push(sql`(${isSender(reporter)} or ${hasEvent(isOfSender(reporter))})`)
  }
  if (text !== undefined) {
    const events = [hasWords(text), isOfSenderLike(text)].map(hasEvent)
    conditions.push(sql`(${sql.join([hasText(text), ...events], sql` or `)})`)
  }
  return conditions
}

/** For all reports: those that match are found by their indexes. */
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
  const among = (condition: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`event where tenant_id = ${tenantId} and ${condition}`
  const conditions: RawBuilder<SqlBool>[] = []
  if (reporter !== undefined) {
    const months = await chooseEventMonths(db, scope, 'sender', [reporter])
    const events = among(sql`${isOfSender(reporter)} and ${months}`)
    conditions.push(isFound(isSender(reporter), events))
  }
  if (text !== undefined) {
    const named = (await findNamedReports(db, scope, text)) ?? among(hasWords(text))
    const sent = (await findSentReports(db, scope, text)) ?? among(isOfSenderLike(text))
    conditions.push(isFound(hasText(text), named, sent))
  }
  return conditions
}

/**
 * The reports of the events with these words, as a table; null when there are too many. In a
 * statement of its own: Citus runs no function of this kind beside a table.
 */
async function findNamedReports(
  db: Db,
  scope: TenantScope,
  text: string,
): Promise<RawBuilder<unknown> | null> {
  const { rows } = await sql<{ id: string }>`
    select distinct report_id as id from ${listByWords(scope, buildWordQuery(text), { most: EVENTS_MAX })}
    where report_id is not null limit ${NAMED_MAX + 1}`.execute(db)
  return rows.length > NAMED_MAX ? null : nameReports(rows, 'named')
}

/** The reports of reporters whose address begins so; null when they have too many events. */
async function findSentReports(
  db: Db,
  { tenantId }: TenantScope,
  text: string,
): Promise<RawBuilder<unknown> | null> {
  const { rows } = await sql<{ id: string; events: number }>`
    select report_id as id, (sum(count(*)) over ())::integer as events
    from find_reports_of_senders(${tenantId}, ${text.toLowerCase()}, ${NAMED_MAX + 1}) group by report_id`.execute(
    db,
  )
  return (rows[0]?.events ?? 0) > NAMED_MAX ? null : nameReports(rows, 'sent')
}

function nameReports(rows: readonly { readonly id: string }[], table: string): RawBuilder<unknown> {
  return sql`unnest(${rows.map(({ id }) => id)}::uuid[]) as ${sql.ref(table)} (report_id) where true`
}
