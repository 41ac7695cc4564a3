// The months of arrival that a list of events looks into: those that its filters leave, and of them
// the ones that soon fill its page (docs/decisions/0019-months.md).

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { floorOfEventDate } from '../../kernel/db/months/event-floor.ts'
import { type EventValue, findEventMonths } from '../../kernel/db/months/event-months.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { chooseMonthsSinceCase } from '../cases/case-months.ts'
import type { EventFilter, EventSearch } from './event-list-store.ts'
import { chooseRecentMonths, floorOfReport } from './event-window.ts'
import { chooseMonthsById, chooseMonthsOfHours, type FirstMonths } from './first-hours-store.ts'

export interface ListMonths {
  /** All events of the list meet them; they leave out partitions. */
  readonly conditions: readonly RawBuilder<unknown>[]
  /** Whether they leave a few months only. */
  readonly isFew: boolean
}

/** By the times of the list, by its report, or else by a value that few events have. */
export async function findListMonths(
  db: Db,
  scope: TenantScope,
  search: EventSearch,
  nowMs: number,
): Promise<ListMonths> {
  const { filter } = search
  const until = readUntil(search)
  const conditions = [
    ...listFloors(search).map(isSince),
    ...(until === null ? [] : await selectUntil(db, scope, until)),
  ]
  if (isOfReport(filter) || isShort(filter, nowMs)) return { conditions, isFew: true }
  for (const [kind, values] of listValues(filter)) {
    // Mostly there is one.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const held = await findEventMonths(db, scope, kind, values)
    if (held !== null) return { conditions: [...conditions, held], isFew: true }
  }
  const { caseId } = filter
  const since = caseId === undefined ? [] : [await chooseMonthsSinceCase(db, scope, caseId)]
  return { conditions: [...conditions, ...since], isFew: false }
}

// In a month of two such hours a busy tenant has a page.
const BUSY_HOURS = 2

/** Null where that leaves out nothing. */
type ChooseMonths = (db: Db, scope: TenantScope) => Promise<FirstMonths | null>

/** One after the other, until the page is found; afterwards the list looks into all its months. */
export function listFirstMonths(
  { filter, sort, page }: EventSearch,
  nowMs: number,
): readonly ChooseMonths[] {
  const { after = null, before } = filter.eventDate ?? {}
  const recent = chooseRecentMonths(sort, page, { nowMs, before })
  if (recent !== null) {
    const isPage: FirstMonths['isPage'] = async (rows) => recent.isPage(rows, page.limit)
    return [async () => ({ condition: isSince(recent.floor), isPage })]
  }
  if (sort === 'create_date') {
    return [(db, scope) => chooseMonthsById(db, scope, page, after)]
  }
  const since = page.position?.[0] ?? after
  return [BUSY_HOURS, page.limit + 1].map(
    (hours) => (db, scope) => chooseMonthsOfHours(db, scope, { limit: page.limit, hours, since }),
  )
}

function isOfReport({ report }: EventFilter): boolean {
  return report !== undefined && report.repeatedIds.length === 0
}

// Its months cost no more to plan than to find out which of them have events of a value.
const SHORT_MS = 62 * 24 * 60 * 60 * 1_000

function isShort({ eventDate = {} }: EventFilter, nowMs: number): boolean {
  const { after, before } = eventDate
  if (after === undefined) return false
  const endMs = before === undefined ? nowMs : Math.min(nowMs, Date.parse(before))
  return endMs - Date.parse(after) <= SHORT_MS
}

/** The time that no event of the list is later than. */
function readUntil({ filter, sort, page }: EventSearch): string | null {
  const before = filter.eventDate?.before ?? null
  const last = page.position?.[0]
  if (sort !== 'event_date' || page.order === 'asc' || typeof last !== 'string') return before
  return before === null || Date.parse(last) < Date.parse(before) ? last : before
}

/** Up to the last hour of arrival that has events of this time or before (migration 0029). */
async function selectUntil(
  db: Db,
  { tenantId }: TenantScope,
  until: string,
): Promise<readonly RawBuilder<unknown>[]> {
  const { rows } = await sql<{ until_id: string }>`
    select until_id from event_hour
    where tenant_id = ${tenantId} and first_event_date <= ${until}::timestamptz order by from_id desc limit 1`.execute(
    db,
  )
  return rows.map(({ until_id: id }) => sql`event.event_id < ${id}::uuid`)
}

function listValues({
  caseId,
  customerId,
  ip,
  domain,
  senderEmail,
  site,
  range,
}: EventFilter): readonly (readonly [EventValue, readonly string[]])[] {
  const [first, last] = [range?.ranges[0]?.text, range?.ranges.at(-1)?.text]
  const values: readonly (readonly [EventValue, readonly (string | undefined)[]])[] = [
    ['case', [caseId]],
    ['ip', [ip]],
    ['domain', [domain]],
    ['customer', [customerId]],
    ['sender', [senderEmail]],
    ['site', [site]],
    ['range', [first, last]],
  ]
  return values.flatMap(([kind, texts]) => {
    const given = texts.filter((text) => text !== undefined)
    return given.length === 0 ? [] : [[kind, given] as const]
  })
}

function isSince(floor: string): RawBuilder<unknown> {
  return sql`event.event_id >= ${floor}::uuid`
}

/** Ids below which no event of the list is, so that partitions of earlier months are left out. */
function listFloors({ filter, sort, page }: EventSearch): readonly string[] {
  const { report, eventDate } = filter
  const floors: string[] = []
  if (report !== undefined && isOfReport(filter)) floors.push(floorOfReport(report.reportId))
  if (eventDate?.after !== undefined) floors.push(floorOfEventDate(eventDate.after))
  const first = page.position?.[0]
  if (page.order === 'asc' && sort === 'event_date' && typeof first === 'string') {
    floors.push(floorOfEventDate(first))
  }
  return floors
}
