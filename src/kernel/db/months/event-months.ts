// Which months of arrival hold the events of a value, for statements that name no time. The planner
// opens 27 indexes of each month that it cannot leave out, which costs about a millisecond a month,
// while reading the few events of an address costs a tenth of one. The database keeps the plans of
// the function of migration 0119 for each connection, so the question itself is planned once.

import { type RawBuilder, sql } from 'kysely'
import { buildUuidFloor, readUuidTimeMs } from '../../ids.ts'
import type { Db } from '../database.ts'
import { floorOfMonth, startOfMonth } from './months.ts'

/**
 * What the events have in common: one of these ids, addresses, domains or senders (in lower case),
 * a domain or a name below it, or an address from the first to the last of two CIDR blocks.
 */
export type EventValue = 'case' | 'customer' | 'ip' | 'domain' | 'sender' | 'site' | 'range'

// The 48 bits of a UUIDv7.
const ID_TIME_MAX_MS = 2 ** 48 - 1
// The highest id of all. The function answers with it where there are more than 1,000 events.
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * A condition on `event.event_id` that all events of these values meet, so that a statement leaves
 * out other months. Null when there are more than 1,000: then they may be in any month.
 */
export async function findEventMonths(
  db: Db,
  { tenantId }: { readonly tenantId: string },
  kind: EventValue,
  values: readonly string[],
): Promise<RawBuilder<unknown> | null> {
  const rows = await readMonths(db, tenantId, kind, values)
  if (rows[0]?.high === LAST_ID) return null
  if (rows.length === 0) return sql`false`
  return isInMonths(rows, sql`event.event_id`)
}

/** As `findEventMonths`, for a statement that looks into all months where there are many events. */
export async function chooseEventMonths(
  db: Db,
  scope: { readonly tenantId: string },
  kind: EventValue,
  values: readonly string[],
): Promise<RawBuilder<unknown>> {
  return (await findEventMonths(db, scope, kind, values)) ?? sql`true`
}

/** Whether the tenant has an event of these values. */
export async function hasEvents(
  db: Db,
  { tenantId }: { readonly tenantId: string },
  kind: EventValue,
  values: readonly string[],
): Promise<boolean> {
  return (await readMonths(db, tenantId, kind, values)).length > 0
}

/** The lowest and the highest id of events of a month, or of a part of it. */
export interface MonthOfEvents {
  readonly low: string
  readonly high: string
}

/** A condition on a column of ids: those of these months, and of some more where they are many. */
export function isInMonths(
  months: readonly MonthOfEvents[],
  column: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const spans = joinMonths(months).map((span) => selectSpan(span, column))
  return sql`(${sql.join(spans, sql` or `)})`
}

/** Months that follow each other without a gap. */
interface Span {
  readonly from: string
  readonly untilMs: number
}

// Each time that a statement names the table, the planner compares each partition with each span:
// with 36 spans the statement of 100 addresses took three times as long as without any.
const SPANS_MAX = 4

// Spans begin and end with whole months: with the ids themselves as bounds the planner would rather
// read the primary key between them than the index of the value. More spans than SPANS_MAX become
// one, from the first to the last.
function joinMonths(months: readonly MonthOfEvents[]): readonly Span[] {
  const spans: Span[] = []
  for (const { low, high } of months.toSorted((a, b) => (a.low < b.low ? -1 : 1))) {
    const floor = floorOfMonth(readUuidTimeMs(low))
    // An id of another version may lie below the first UUIDv7 of its month.
    const from = low < floor ? low : floor
    const untilMs = startOfMonth(readUuidTimeMs(high), 1)
    const last = spans.at(-1)
    if (last === undefined || readUuidTimeMs(from) > last.untilMs) spans.push({ from, untilMs })
    else spans[spans.length - 1] = { from: last.from, untilMs }
  }
  const [first, last] = [spans[0], spans.at(-1)]
  if (spans.length <= SPANS_MAX || first === undefined || last === undefined) return spans
  return [{ from: first.from, untilMs: last.untilMs }]
}

function selectSpan({ from, untilMs }: Span, column: RawBuilder<unknown>): RawBuilder<unknown> {
  const since = sql`${column} >= ${from}::uuid`
  // An id of a wrong clock may lie in the last month that an id can tell.
  if (untilMs > ID_TIME_MAX_MS) return since
  return sql`(${since} and ${column} < ${buildUuidFloor(untilMs)}::uuid)`
}

async function readMonths(
  db: Db,
  tenantId: string,
  kind: EventValue,
  values: readonly string[],
): Promise<readonly MonthOfEvents[]> {
  if (values.length === 0) return []
  const { rows } = await sql<MonthOfEvents>`
    select low, high from find_months_of_events(${tenantId}, ${kind}, ${[...values]}::text[])`.execute(
    db,
  )
  return rows
}
