// SQL of the timeline of a case: what several features keep about it, on one axis of time. Each
// kind gives its rows behind the position of the page. Kinds of which a case may have many are read
// in the order of an index, no more of them than the page takes.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { PageRequest } from '../../../kernel/db/page-request.ts'
import { buildUuidFloor } from '../../../kernel/ids.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { chooseMonthsOfCase } from '../../cases/case-months.ts'
import type { TimelineKind } from './timeline-wire.ts'

export interface TimelineRow {
  readonly kind: TimelineKind
  readonly id: string
  readonly at_ms: number
  readonly what: string
  readonly actor: string | null
  readonly text: string | null
  readonly is_foreign: boolean
  readonly data: Record<string, unknown>
}

/** Up to `limit` entries and one more. A position is the time in ms, the kind and the id. */
export async function listTimeline(
  db: Db,
  scope: TenantScope,
  caseId: string,
  kinds: readonly TimelineKind[],
  page: PageRequest,
): Promise<readonly TimelineRow[]> {
  const readsEvents = kinds.some((kind) => kind === 'event' || kind === 'report')
  const months = readsEvents ? await chooseMonthsOfCase(db, scope, caseId) : sql`true`
  const search = describeSearch(scope, caseId, page, months)
  const direction = sql.raw(page.order)
  const parts = kinds.map((kind) => {
    return sql`(
      select * from (
        select ${kind}::text collate "C" as kind, one.* from (${SOURCES[kind](search)}) as one
      ) as entry
      ${search.beyond} order by at_ms ${direction}, id ${direction} limit ${page.limit + 1})`
  })
  const found = await sql<TimelineRow>`
    select kind, id, at_ms, what, actor, text, is_foreign, jsonb_strip_nulls(data) as data
    from (${sql.join(parts, sql` union all `)}) as entry
    order by at_ms ${direction}, kind ${direction}, id ${direction} limit ${page.limit + 1}`.execute(
    db,
  )
  return found.rows
}

interface Search {
  /** Of every table that names its case. */
  readonly ofCase: RawBuilder<unknown>
  /** Of events: the months that have some of the case. */
  readonly months: RawBuilder<unknown>
  readonly tenantId: RawBuilder<unknown>
  readonly direction: RawBuilder<unknown>
  readonly behind: RawBuilder<unknown>
  /** Exactly the rows behind the position. */
  readonly beyond: RawBuilder<unknown>
  /** The same within a kind, of these expressions of the time in ms and the id. */
  readonly beyondIn: (
    kind: TimelineKind,
    at: RawBuilder<unknown>,
    id: RawBuilder<unknown>,
  ) => RawBuilder<unknown>
  /**
   * As many rows as a page takes, in the order of an index on this column. The column of an id has
   * its table before it, or the order would be that of the selected text. Rows of one time are
   * taken together, since the page orders them by their ids as text.
   */
  readonly first: (column: string) => RawBuilder<unknown>
  /** As `beyond`, less exact and by an index: of a column of times, of ids that begin with one. */
  readonly fromTime: (column: string) => RawBuilder<unknown>
  readonly fromId: (column: string) => RawBuilder<unknown>
}

function describeSearch(
  { tenantId }: TenantScope,
  caseId: string,
  { order, position, limit }: PageRequest,
  months: RawBuilder<unknown>,
): Search {
  const isAscending = order === 'asc'
  const [behind, direction] = [sql.raw(isAscending ? '>' : '<'), sql.raw(order)]
  const [ms = '0', kind = '', id = ''] = position ?? []
  const isFirst = position === null
  const at = new Date(Number(ms)).toISOString()
  const boundary = buildUuidFloor(Number(ms) + (isAscending ? 0 : 1))
  return {
    ofCase: sql`tenant_id = ${tenantId} and case_id = ${caseId}`,
    months,
    tenantId: sql`${tenantId}`,
    direction,
    behind,
    beyond: isFirst
      ? sql``
      : sql`where (at_ms, kind, id collate "C") ${behind} (${ms}::bigint, ${kind}::text, ${id}::text)`,
    beyondIn: (of, atOfRow, idOfRow) =>
      isFirst
        ? sql`true`
        : sql`(${atOfRow}, ${of}::text collate "C", ${idOfRow} collate "C") ${behind} (${ms}::bigint, ${kind}::text, ${id}::text)`,
    first: (column) =>
      sql`order by ${sql.ref(column)} ${direction} fetch first ${limit + 1} rows with ties`,
    fromTime: (column) =>
      isFirst ? sql`true` : sql`${sql.ref(column)} ${behind}= ${at}::timestamptz`,
    fromId: (column) =>
      isFirst ? sql`true` : sql`${sql.ref(column)} ${behind}= ${boundary}::uuid`,
  }
}

/** The millisecond in a UUIDv7. The function of PostgreSQL for it is newer than version 15. */
function readIdTime(column: string): RawBuilder<unknown> {
  return sql`('x' || translate(left(${sql.ref(column)}::text, 13), '-', ''))::bit(48)::bigint`
}

function readTime(column: string): RawBuilder<unknown> {
  return sql`floor(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`
}

const VISIT_ID = sql`(run_id || '/' || token_id || '/' || visit)`

const SOURCES: Readonly<Record<TimelineKind, (search: Search) => RawBuilder<unknown>>> = {
  // An event stands at the time of the abuse, not of its arrival.
  event: (search) => sql`
      select event_id::text collate "C" as id, ${readTime('event_date')} as at_ms, event_type as what, sender_email as actor,
        null::text as text, false as is_foreign,
        jsonb_build_object('ip', ip, 'domain', domain, 'report_id', report_id, 'resolved', resolved) as data
      from event where ${search.ofCase} and ${search.months} and ${search.fromTime('event_date')}
        and ${search.beyondIn('event', readTime('event_date'), sql`event_id::text`)}
      ${search.first('event_date')}`,
  // A comment has its own entry, with its text.
  history: (search) => sql`
      select id::text collate "C" as id, ${readIdTime('id')} as at_ms, kind as what, actor, reason as text, false as is_foreign,
        jsonb_build_object('actor_kind', actor_kind, 'from_state', from_state, 'to_state', to_state, 'cause_id', cause_id, 'changes', changes) as data
      from case_history where ${search.ofCase} and kind <> 'comment' and ${search.fromId('id')}
        and ${search.beyondIn('history', readIdTime('id'), sql`id::text`)}
      ${search.first('case_history.id')}`,
  comment: (search) => sql`
      select id::text collate "C" as id, ${readIdTime('id')} as at_ms, case when party is null then 'comment' else 'answer' end as what,
        author as actor, text, party is not null as is_foreign,
        jsonb_build_object('author_user_id', author_user_id, 'party', party, 'is_automatic', nullif(is_automatic, false), 'report_id', report_id) as data
      from case_comment where ${search.ofCase} and ${search.fromId('id')}
        and ${search.beyondIn('comment', readIdTime('id'), sql`id::text`)}
      ${search.first('case_comment.id')}`,
  notice: (search) => sql`
      select id::text collate "C" as id, ${readIdTime('id')} as at_ms, state as what, created_by as actor, subject as text,
        false as is_foreign,
        jsonb_build_object('purpose', purpose, 'template', template, 'party', party, 'recipient', recipient, 'reason', reason) as data
      from notice where ${search.ofCase} and ${search.fromId('id')}
        and ${search.beyondIn('notice', readIdTime('id'), sql`id::text`)}
      ${search.first('notice.id')}`,
  mitigation: (search) => sql`
      select id::text collate "C" as id, ${readIdTime('id')} as at_ms, state as what, created_by as actor, nullif(note, '') as text,
        false as is_foreign,
        jsonb_build_object('kind', kind, 'target_type', target_type, 'target', target, 'port', nullif(port, 0), 'adapter', adapter,
          'reason', reason, 'expires_at', expires_at) as data
      from mitigation where ${search.ofCase} and ${search.fromId('id')}
        and ${search.beyondIn('mitigation', readIdTime('id'), sql`id::text`)}
      ${search.first('mitigation.id')}`,
  visit: (search) => sql`
      select ${VISIT_ID} collate "C" as id, ${readTime('left_at')} as at_ms, kind as what, actor,
        null::text as text, false as is_foreign,
        jsonb_build_object('run_id', run_id, 'node', node, 'path', path, 'entered_at', entered_at) as data
      from visit where ${search.ofCase} and ${search.fromTime('left_at')}
        and ${search.beyondIn('visit', readTime('left_at'), VISIT_ID)}
      ${search.first('left_at')}`,
  attempt: (search) => sql`
      select (run_id || '/' || token_id || '/' || visit || '/' || attempt) collate "C" as id, ${readTime('started_at')} as at_ms,
        coalesce(outcome, 'under_way') as what, null::text as actor, null::text as text, false as is_foreign,
        jsonb_build_object('of', 'run', 'run_id', run_id, 'node', node, 'attempt', attempt, 'ended_at', ended_at) as data
      from run_attempt where (tenant_id, run_id) in (select tenant_id, id from run where ${search.ofCase})
      union all
      select (notice_id || '/' || attempt) collate "C", ${readTime('started_at')}, outcome, null, failure, false,
        jsonb_build_object('of', 'notice', 'notice_id', notice_id, 'attempt', attempt, 'duration_ms', duration_ms, 'reply_code', reply_code)
      from notice_attempt where (tenant_id, notice_id) in (select tenant_id, id from notice where ${search.ofCase})
      union all
      select (mitigation_id || '/' || attempt) collate "C", ${readTime('started_at')}, coalesce(outcome, 'under_way'), null, failure, false,
        jsonb_build_object('of', 'mitigation', 'mitigation_id', mitigation_id, 'attempt', attempt, 'action', action, 'duration_ms', duration_ms,
          'status', status)
      from mitigation_attempt where (tenant_id, mitigation_id) in (select tenant_id, id from mitigation where ${search.ofCase})`,
  // One probe of the index for each report, however many events of it the case has.
  report: (search) => {
    const { direction, behind } = search
    const next = sql`select report_id from event where ${search.ofCase} and ${search.months} and report_id is not null`
    const one = sql`order by report_id ${direction} limit 1`
    return sql`
        select report.id::text collate "C" as id, ${readIdTime('report.id')} as at_ms, report.state as what, report.received_by as actor,
          report.reason as text, false as is_foreign,
          jsonb_build_object('media_type', report.media_type, 'format', report.format, 'event_count', report.event_count) as data
        from (
          with recursive found (report_id) as (
            (${next} and ${search.fromId('report_id')} ${one})
            union all
            select (${next} and report_id ${behind} found.report_id ${one}) from found where found.report_id is not null
          )
          select report_id from found where report_id is not null
        ) as found
        join report on report.tenant_id = ${search.tenantId} and report.id = found.report_id`
  },
}
