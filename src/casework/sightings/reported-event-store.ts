// Reads what the events of items say for their sightings: those that count, with their reporter and
// what is known of him.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { chooseEventMonths } from '../../kernel/db/months/event-months.ts'
import { textArray } from '../../kernel/db/sql-array.ts'
import { defineRows } from '../../kernel/db/write-rows.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { listTrustedSites, type ReportedEvents, type TrustedReporters } from './report-sighting.ts'

// An item counts at most so many events that were pushed, that trusted reporters reported, and that
// others did. One mail may tell of 10,000 events, at times that its author chooses, so the reports
// share their part: each counts its newest events only.
const EVENTS_OF_ITEM_MAX = 5_000
// The newest reports about an item are looked at: one read of an index each.
const REPORTS_OF_ITEM_MAX = 10_000

// The address of a reporter after his erasure (privacy/erasure/erased-address.ts). What he reported
// no longer counts.
const ERASED_SENDER = 'erased-%@erased.invalid'

// With so many events of an item no report is cut short: of n reports one tells of 141 − n events
// at most, which is no more than its part, 5,000 ÷ n.
const FEW_EVENTS_MAX = 140
// Reading them takes some 3 ms. More than seven items have as many, or one has more than a few.
const READ_AT_ONCE_MAX = 1_000

/** `column`: where events have items of this kind. Muted and withdrawn events are left out. */
export async function listReportedEvents(
  db: Db,
  scope: TenantScope,
  column: 'ip' | 'domain',
  items: readonly string[],
  trusted: TrustedReporters,
): Promise<readonly ReportedEvents[]> {
  if (items.length === 0) return []
  const { few, many } = await findFewEvents(db, scope, column, items)
  return [
    ...(few.length === 0 ? [] : await sumUp(db, scope, listGiven(few))),
    ...(many.length === 0
      ? []
      : await sumUp(db, scope, await chooseMany(db, scope, column, many, trusted))),
  ]
}

interface FewEvents {
  /** Of all items that have a few events. */
  readonly few: readonly CountedEvent[]
  /** Items that have more. */
  readonly many: readonly string[]
}

async function findFewEvents(
  db: Db,
  scope: TenantScope,
  column: 'ip' | 'domain',
  items: readonly string[],
): Promise<FewEvents> {
  const few: CountedEvent[] = []
  const many: string[] = []
  const waiting: (readonly string[])[] = [items]
  // Each turn reads all events of its items, or takes out one of many events, or halves the items.
  for (let some = waiting.pop(); some !== undefined; some = waiting.pop()) {
    if (some.length === 0) continue
    // oxlint-disable-next-line eslint/no-await-in-loop
    const events = await readEvents(db, scope, column, some)
    const byItem = Map.groupBy(events, ({ item }) => item)
    const isMany = (item: string): boolean => (byItem.get(item)?.length ?? 0) > FEW_EVENTS_MAX
    const others = some.filter((item) => !isMany(item))
    many.push(...some.filter(isMany))
    if (events.length <= READ_AT_ONCE_MAX) few.push(...events.filter(({ item }) => !isMany(item)))
    else if (others.length < some.length) waiting.push(others)
    else {
      const half = Math.ceil(some.length / 2)
      waiting.push(some.slice(0, half), some.slice(half))
    }
  }
  return { few, many }
}

interface CountedEvent {
  readonly item: string
  readonly event_type: string
  readonly event_date: Date
  readonly sender_email: string
  readonly report_id: string | null
  readonly case_id: string | null
  readonly mute_rule_id: string | null
}

/**
 * All of them, or more than are read at once. Planned once for each connection (migration 0126).
 */
async function readEvents(
  db: Db,
  { tenantId }: TenantScope,
  column: 'ip' | 'domain',
  items: readonly string[],
): Promise<readonly CountedEvent[]> {
  const { rows } = await sql<CountedEvent>`
    select item, ${COUNTED}
    from find_events_of_items(${tenantId}, ${column}, ${textArray(items)}::text[], ${READ_AT_ONCE_MAX + 1})`.execute(
    db,
  )
  return rows
}

const writeEvents = defineRows<CountedEvent>({
  item: ['text', ({ item }) => item],
  event_type: ['text', (event) => event.event_type],
  event_date: ['timestamptz', (event) => event.event_date.toISOString()],
  sender_email: ['text', (event) => event.sender_email],
  report_id: ['uuid', (event) => event.report_id],
  case_id: ['text', (event) => event.case_id],
  mute_rule_id: ['uuid', (event) => event.mute_rule_id],
})

/** In a statement of their own: Citus runs no function of this kind beside a table. */
function listGiven(events: readonly CountedEvent[]): RawBuilder<unknown> {
  const { names, given } = writeEvents(events)
  return sql`(select ${names} from ${given}) as told`
}

/** Of items with more events than a few: those that count, over the months that may have any. */
async function chooseMany(
  db: Db,
  scope: TenantScope,
  column: 'ip' | 'domain',
  items: readonly string[],
  trusted: TrustedReporters,
): Promise<RawBuilder<unknown>> {
  const { tenantId } = scope
  const months = await chooseEventMonths(db, scope, column, items)
  const ofItem = sql`event.tenant_id = ${tenantId} and event.${sql.ref(column)} = given.item collate "C" and ${months}`
  return sql`unnest(${textArray(items)}::text[]) as given (item)
    cross join lateral (
      (
        select given.item, ${COUNTED} from event where ${ofItem} and report_id is null
        order by event_date desc, event_id desc limit ${EVENTS_OF_ITEM_MAX}
      )
      union all
      select newest.* from (${listReports(tenantId, ofItem, trusted)}) as shared cross join lateral (
        select given.item, ${COUNTED} from event where ${ofItem} and report_id = shared.report_id
        order by event_date desc, event_id desc limit greatest(1, ${EVENTS_OF_ITEM_MAX} / shared.sharers)
      ) as newest
    ) as told`
}

/** `events`: a table `told` of those of each item. */
async function sumUp(
  db: Db,
  { tenantId }: TenantScope,
  events: RawBuilder<unknown>,
): Promise<readonly ReportedEvents[]> {
  const found = await sql<ReportedEvents>`
    select told.item, told.event_type as "eventType", floor(extract(epoch from told.event_date) / 86400)::integer as day,
      min(extract(epoch from told.event_date) * 1000)::float8 as "firstMs",
      max(extract(epoch from told.event_date) * 1000)::float8 as "lastMs",
      count(*) as count, lower(told.sender_email) as sender,
      coalesce(told.report_id is null or (report.via in ('api', 'import') and not report.is_mail), false) as "isByToken",
      case when report.authentication -> 'dkim' ->> 'result' = 'pass' then report.authentication -> 'dkim' ->> 'domain' end as "dkimDomain",
      case when report.authentication -> 'dmarc' ->> 'result' = 'pass' then report.authentication -> 'dmarc' ->> 'domain' end as "dmarcDomain",
      report.remote_address as "remoteAddress"
    from ${events}
    left join report on report.tenant_id = ${tenantId} and report.id = told.report_id
    where told.mute_rule_id is null and told.sender_email not like ${ERASED_SENDER} and not exists (
      select from abuse_case
      where abuse_case.tenant_id = ${tenantId} and abuse_case.id = told.case_id and close_reason = 'false_positive'
    )
    group by 1, 2, 3, 7, 8, 9, 10, 11`.execute(db)
  return found.rows
}

const COUNTED = sql.raw('event_type, event_date, sender_email, report_id, case_id, mute_rule_id')

/**
 * The reports about the item that are counted, and how many share the part of theirs. Where there
 * are too many, the newest of each reporter come first, so that none takes the place of another.
 */
function listReports(
  tenantId: string,
  ofItem: RawBuilder<unknown>,
  trusted: TrustedReporters,
): RawBuilder<unknown> {
  const next = (before: RawBuilder<unknown>) => sql`
    select event.report_id, event.sender_email from event where ${ofItem} and event.report_id is not null ${before}
    order by event.report_id desc limit 1`
  return sql`
    with recursive found (report_id, sender_email, number) as (
      (select *, 1 from (${next(sql``)}) as first)
      union all
      select later.*, number + 1 from found
      cross join lateral (${next(sql`and event.report_id < found.report_id`)}) as later
      where number < ${REPORTS_OF_ITEM_MAX}
    ), known as (
      select found.report_id, ${matchTrusted(trusted)} as is_trusted, ${REPORTER} as reporter
      from found left join report on report.tenant_id = ${tenantId} and report.id = found.report_id
    ), ranked as (
      select *, row_number() over (partition by is_trusted, reporter order by report_id desc) as turn from known
    ), placed as (
      select *, row_number() over (partition by is_trusted order by turn, report_id desc) as place,
        count(*) over (partition by is_trusted) as sharers
      from ranked
    )
    select report_id, sharers from placed where place <= ${EVENTS_OF_ITEM_MAX}`
}

// Nearly as `identifyReporter` has it, by the report alone. A cast would fail for fe80::1%eth0.
const REPORTER = sql.raw(`case
  when report.authentication -> 'dmarc' ->> 'result' = 'pass' then report.authentication -> 'dmarc' ->> 'domain'
  when report.authentication -> 'dkim' ->> 'result' = 'pass' then report.authentication -> 'dkim' ->> 'domain'
  when strpos(report.remote_address, ':') > 0
    then coalesce(substring(report.remote_address from '^(?:[0-9a-f]*:){3}'), report.remote_address)
  else regexp_replace(report.remote_address, '[.][0-9]+$', '') end`)

/** Whether events of the report count at once, as `identifyReporter` has it. */
function matchTrusted(trusted: TrustedReporters): RawBuilder<unknown> {
  const { addresses, sites } = listTrustedSites(trusted)
  return sql`coalesce((report.via in ('api', 'import') and not report.is_mail) or exists (
    select from unnest(${textArray(addresses)}::text[], ${textArray(sites)}::text[]) as listed (address, site),
      (values (report.authentication -> 'dkim'), (report.authentication -> 'dmarc')) as checked (answer)
    where answer ->> 'result' = 'pass' and listed.address in ('', lower(found.sender_email))
      and right('.' || (answer ->> 'domain'), length(listed.site) + 1) = '.' || listed.site
  ), false)`
}
