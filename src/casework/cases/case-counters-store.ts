// SQL of the counters of a case: the number, dates and first values of its events, counted from the
// events. New events only add to the counters (case-summary-store.ts). Every change that takes
// events out of a case writes its counters here.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import { chooseEventMonths } from '../../kernel/db/months/event-months.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { SUMMARY_VALUES_MAX } from './case.ts'
import { addLastEvents, forgetLastEvents } from './lists/last-event-store.ts'

export interface CountedEvents {
  readonly caseId: string
  readonly eventCount: number
  /** Null without events. */
  readonly firstEventDate: Date | null
  readonly lastEventDate: Date | null
  /** The first hundred values, in the order of arrival. */
  readonly eventTypes: readonly string[]
  readonly eventIps: readonly string[]
  readonly eventReporters: readonly string[]
  readonly eventTags: readonly string[]
}

/** The counters in the order of the ids. Event ids are UUIDv7, so the smallest id arrived first. */
export async function countEvents(
  db: Db,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<readonly CountedEvents[]> {
  if (caseIds.length === 0) return []
  const months = await chooseEventMonths(db, scope, 'case', caseIds)
  const events = sql`from event where tenant_id = ${scope.tenantId} and case_id = given.id and ${months}`
  const listFirst = (column: string) => sql`(
    select coalesce(array_agg(value order by seen), '{}') from (
      select ${sql.ref(column)} as value, min(event_id::text collate "C") as seen ${events}
        and ${sql.ref(column)} is not null
      group by 1 order by 2 limit ${SUMMARY_VALUES_MAX}
    ) as first)`
  const result = await sql<CountedEvents>`
    select given.id as "caseId", sums.event_count as "eventCount", sums.first as "firstEventDate",
      sums.last as "lastEventDate", ${listFirst('event_type')} as "eventTypes", ${listFirst('ip')} as "eventIps",
      ${listFirst('sender_email')} as "eventReporters",
      (select coalesce(array_agg(value order by seen, value), '{}') from (
        select tag as value, min(event_id::text collate "C") as seen from (select event_id, tags ${events}) as tagged,
          unnest(tagged.tags) as tag
        group by 1 order by 2, 1 limit ${SUMMARY_VALUES_MAX}
      ) as first) as "eventTags"
    from unnest(${[...caseIds]}::text[]) with ordinality as given (id, index)
    cross join lateral (
      select count(*) as event_count, min(event_date) as first, max(event_date) as last ${events}
    ) as sums
    order by given.index`.execute(db)
  return result.rows
}

/**
 * Writes the counters of cases that the caller has locked. A case without events keeps its dates.
 */
export async function writeCounters(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<void> {
  const rows = await countEvents(tx, scope, caseIds)
  await forgetLastEvents(tx, scope, caseIds)
  await sql`
    update abuse_case set event_count = given."eventCount",
      first_event_date = coalesce(given."firstEventDate", abuse_case.first_event_date),
      last_event_date = coalesce(given."lastEventDate", abuse_case.last_event_date), event_types = given."eventTypes",
      event_ips = given."eventIps", event_reporters = given."eventReporters", event_tags = given."eventTags"
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (
      "caseId" text, "eventCount" bigint, "firstEventDate" timestamptz, "lastEventDate" timestamptz, "eventTypes" text[],
      "eventIps" text[], "eventReporters" text[], "eventTags" text[])
    where abuse_case.tenant_id = ${scope.tenantId} and abuse_case.id = given."caseId" collate "C"
      and abuse_case.id = any(${[...caseIds]}::text[])`.execute(tx)
  await addLastEvents(tx, scope, caseIds)
}
