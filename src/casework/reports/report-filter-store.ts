// SQL of the filters of the list of reports that search: by reporter and by text. A search that
// many reports match finds a page among the newest ones; one that few match is read by its indexes
// (migration 0104). So the newest are read first, and all only when they do not fill the page.

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { PageRequest } from '../../kernel/db/page-request.ts'
import { buildWordQuery, EVENT_WORDS } from '../../kernel/db/word-query.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'

export interface ReportSearch {
  /** In lower case. */
  readonly reporter?: string
  readonly text?: string
}

/** Reports that are read one after the other; some 10 ms. */
const NEWEST_MAX = 2_000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'
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

/** What a report and one of its events must have; one of both is enough. */
interface SearchParts {
  readonly ofReport: RawBuilder<SqlBool>
  readonly ofEvent: readonly RawBuilder<SqlBool>[]
}

function partsOf({ reporter, text }: ReportSearch): readonly SearchParts[] {
  const parts: SearchParts[] = []
  if (reporter !== undefined) {
    parts.push({
      ofReport: sql`${SENDER} = ${reporter}`,
      ofEvent: [sql`lower(event.sender_email) = ${reporter}`],
    })
  }
  if (text !== undefined) {
    const begin = text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)
    parts.push({
      ofReport: sql`${TEXTS} like ${`%${begin}%`}`,
      // A mail that came through the API has its sender in its events only.
      ofEvent: [
        sql`event.details is not null and ${EVENT_WORDS} @@ ${buildWordQuery(text)}`,
        sql`lower(event.sender_email) like ${`${begin}%`}`,
      ],
    })
  }
  return parts
}

export function isSearch({ reporter, text }: ReportSearch): boolean {
  return reporter !== undefined || text !== undefined
}

/** For the newest reports of the page: each of them is looked at. */
export function searchNewest(
  { tenantId }: TenantScope,
  search: ReportSearch,
  { order, position }: PageRequest,
): readonly RawBuilder<SqlBool>[] {
  const isRising = order === 'asc'
  const id = position?.[0]
  const behind = id === undefined ? sql`` : sql`and id ${sql.raw(isRising ? '>' : '<')} ${id}::uuid`
  const end = sql`coalesce((
    select id from report where tenant_id = ${tenantId} ${behind}
    order by id ${sql.raw(order)} offset ${sql.lit(NEWEST_MAX)} limit 1
  ), ${isRising ? LAST_ID : FIRST_ID}::uuid)`
  const within = isRising ? sql<SqlBool>`report.id <= ${end}` : sql<SqlBool>`report.id >= ${end}`
  const conditions = partsOf(search).map(({ ofReport, ofEvent }) => {
    const events = ofEvent.map(
      (one) => sql`exists (
        select from event
        where event.tenant_id = ${tenantId} and event.report_id = report.id and ${one}
      )`,
    )
    return sql<SqlBool>`(${sql.join([ofReport, ...events], sql` or `)})`
  })
  return [within, ...conditions]
}

/** For all reports: those that match are found by their indexes. */
export function searchAll(
  { tenantId }: TenantScope,
  search: ReportSearch,
): readonly RawBuilder<SqlBool>[] {
  return partsOf(search).map(({ ofReport, ofEvent }) => {
    const found = [
      sql`select id from report where tenant_id = ${tenantId} and ${ofReport}`,
      ...ofEvent.map(
        (one) => sql`select report_id from event
          where tenant_id = ${tenantId} and report_id is not null and ${one}`,
      ),
    ]
    return sql<SqlBool>`report.id in (${sql.join(found, sql` union all `)})`
  })
}
