// SQL of the search: words in events, comments and customers, and records by their ids. Each
// statement begins behind a position and ends at its limit. The newest comes first: ids are UUIDv7.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { startOfNewestMonths } from '../../../kernel/db/months/event-floor.ts'
import { listEventsById } from '../../../kernel/db/months/events-by-id.ts'
import { floorOfMonth } from '../../../kernel/db/months/months.ts'
import { PLANNED_ALONE } from '../../../kernel/db/planner.ts'
import { buildWordQuery, EVENT_WORDS, listByWords } from '../../../kernel/db/word-query.ts'
import { readUuidTimeMs } from '../../../kernel/ids.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'

/** Rows after this id (exclusive), the newest first; null for the first ones. */
export interface SearchPosition {
  readonly after: string | null
  readonly count: number
}

/** Set on later pages of words that more events have than the index may name. */
interface EventPosition extends SearchPosition {
  readonly isFrequent: boolean
}

export interface FoundEvent {
  readonly event_id: string
  readonly event_type: string
  readonly event_date: Date
  readonly ip: string | null
  readonly domain: string | null
  readonly case_id: string | null
  readonly details: Record<string, unknown> | null
}

export interface FoundEvents {
  readonly rows: readonly FoundEvent[]
  /** The id behind which the search goes on, though there were fewer rows than asked for. */
  readonly next: string | null
}

// Some 10 ms: a word of every hundredth event fills a page here. The index would name thousands of
// events of such a word, each of them in another block of the table.
const FIRST_SCAN_MAX = 3_000
// Rows that the index of words may name: 20 to 40 ms.
const NAMED_MAX = 10_000
// Events that one request scans in their order: 50 ms.
const SCANNED_MAX = 5_000

/**
 * Events with these words. Frequent words fill a page among the newest events. Rare ones are found
 * by the index. For words between the two each request scans some thousand events, and returns
 * where the next request goes on.
 */
export async function findEventsByWords(
  db: Db,
  scope: TenantScope,
  text: string,
  place: EventPosition,
): Promise<FoundEvents> {
  const query = buildWordQuery(text)
  // A page before has found that the index would name too many.
  if (place.isFrequent) return await findByScan(db, scope, query, place)
  const newest = await scanNewestMonths(db, scope, query, place, FIRST_SCAN_MAX)
  if (newest === null || newest.ids.length === place.count) {
    return { rows: await readEvents(db, scope, newest?.ids ?? []), next: null }
  }
  const { after, count } = place
  const named = await sql<{ id: string; total: number }>`
    select event_id as id, (count(*) over ())::integer as total
    from ${listByWords(scope, query, { after, most: NAMED_MAX + 1 })} order by event_id desc limit ${count}`.execute(
    db,
  )
  if ((named.rows[0]?.total ?? 0) <= NAMED_MAX) {
    const ids = named.rows.map(({ id }) => id)
    return { rows: await readEvents(db, scope, ids), next: null }
  }
  return await findByScan(db, scope, query, place)
}

async function findByScan(
  db: Db,
  scope: TenantScope,
  query: RawBuilder<unknown>,
  place: SearchPosition,
): Promise<FoundEvents> {
  const { ids, next } = await scanInOrder(db, scope, query, place, SCANNED_MAX)
  const isFull = ids.length === place.count
  return { rows: await readEvents(db, scope, ids), next: isFull ? null : next }
}

interface ScannedEvents {
  readonly ids: readonly string[]
  /** The last event that was scanned, if there are more. */
  readonly next: string | null
}

/** Most often the newest months have as many events, so the others are left out at first. */
async function scanInOrder(
  db: Db,
  scope: TenantScope,
  query: RawBuilder<unknown>,
  place: SearchPosition,
  most: number,
): Promise<ScannedEvents> {
  const newest = await scanNewestMonths(db, scope, query, place, most)
  if (newest === null) return { ids: [], next: null }
  if (newest.next !== null) return newest
  return await scanSince(db, scope, { query, place, most, floor: sql`` })
}

/** Null when there is no event. */
async function scanNewestMonths(
  db: Db,
  scope: TenantScope,
  query: RawBuilder<unknown>,
  place: SearchPosition,
  most: number,
): Promise<ScannedEvents | null> {
  const newest = await findNewestId(db, scope, place)
  if (newest === null) return null
  const startMs = startOfNewestMonths(readUuidTimeMs(newest))
  const floor = sql`and event_id >= ${floorOfMonth(startMs)}::uuid`
  return await scanSince(db, scope, { query, place, most, floor })
}

/** Planned once for each connection (migration 0119). */
async function findNewestId(
  db: Db,
  { tenantId }: TenantScope,
  { after }: SearchPosition,
): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`
    select find_newest_event(${tenantId}, ${after}::uuid) as id`.execute(db)
  return rows[0]?.id ?? null
}

async function scanSince(
  db: Db,
  { tenantId }: TenantScope,
  {
    query,
    place,
    most,
    floor,
  }: {
    readonly query: RawBuilder<unknown>
    readonly place: SearchPosition
    readonly most: number
    readonly floor: RawBuilder<unknown>
  },
): Promise<ScannedEvents> {
  const looked = await sql<{ id: string; total: number; last: string; has_words: boolean }>`
    with looked as materialized (
      select event_id, coalesce(${EVENT_WORDS} @@ ${query}, false) as has_words from event
      where tenant_id = ${tenantId} ${isAfter(sql`event_id`, place)} ${floor}
      order by event_id desc limit ${most}
    ), ends as (
      select count(*)::integer as total, (select event_id from looked order by event_id limit 1) as last from looked
    )
    select found.event_id as id, ends.total, ends.last, found.event_id is not null as has_words
    from ends left join (
      select event_id from looked where has_words order by event_id desc limit ${place.count}
    ) as found on true
    order by found.event_id desc`.execute(db)
  const [first] = looked.rows
  const ids = looked.rows.filter((row) => row.has_words).map(({ id }) => id)
  return { ids, next: first !== undefined && first.total === most ? first.last : null }
}

async function readEvents(
  db: Db,
  scope: TenantScope,
  ids: readonly string[],
): Promise<readonly FoundEvent[]> {
  if (ids.length === 0) return []
  const found = await sql<FoundEvent>`
    select event_id, event_type, event_date, ip, domain, case_id, details
    from ${listEventsById(scope, ids)} order by event_id desc`.execute(db)
  return found.rows
}

export interface FoundComment {
  readonly id: string
  readonly case_id: string
  readonly text: string
  readonly created_at: Date
}

export async function findCommentsByWords(
  db: Db,
  { tenantId }: TenantScope,
  text: string,
  place: SearchPosition,
): Promise<readonly FoundComment[]> {
  const words = sql`to_tsvector('simple', text) @@ ${buildWordQuery(text)}`
  const columns = sql.raw('id, case_id, text, created_at')
  const named = await sql<FoundComment & { total: number }>`
    with found as materialized (
      select ${columns} from (
        select ${columns} from case_comment where tenant_id = ${tenantId} and ${words} ${PLANNED_ALONE}
      ) as named
      where true ${isAfter(sql`id`, place)}
      limit ${NAMED_MAX + 1}
    )
    select ${columns}, (count(*) over ())::integer as total from found order by id desc limit ${place.count}`.execute(
    db,
  )
  if ((named.rows[0]?.total ?? 0) <= NAMED_MAX) return named.rows
  // So many soon fill a page in the order of the ids.
  const newest = await sql<FoundComment>`
    select ${columns} from case_comment
    where tenant_id = ${tenantId} and ${words} ${isAfter(sql`id`, place)}
    order by tenant_id desc, id desc limit ${place.count}`.execute(db)
  return newest.rows
}

export interface FoundCase {
  readonly id: string
  readonly state: string
  readonly customer_id: string
  readonly event_types: readonly string[]
  readonly created_at: Date
}

/** Cases whose id begins so, in upper case. */
export async function findCasesByIdBeginning(
  db: Db,
  { tenantId }: TenantScope,
  beginning: string,
  { after, count }: SearchPosition,
): Promise<readonly FoundCase[]> {
  const before = after === null ? sql`` : sql`and id < ${after}`
  const found = await sql<FoundCase>`
    select ${CASE_COLUMNS} from abuse_case
    where tenant_id = ${tenantId} and id >= ${beginning} and id <= ${`${beginning}Z`} ${before}
    order by id desc limit ${count}`.execute(db)
  return found.rows
}

const CASE_COLUMNS = sql.raw('id, state, customer_id, event_types, created_at')

/** By id; ids that the tenant does not have are left out. */
export async function findCases(
  db: Db,
  { tenantId }: TenantScope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FoundCase>> {
  if (ids.length === 0) return new Map()
  const found = await sql<FoundCase>`
    select ${CASE_COLUMNS} from abuse_case
    where tenant_id = ${tenantId} and id = any(${[...ids]}::text[])`.execute(db)
  return new Map(found.rows.map((row) => [row.id, row]))
}

export interface FoundCustomer {
  readonly id: string
  readonly name: string | null
  readonly created_at: Date
}

// Not `coalesce`, which row level security keeps from the index (migration 0091).
const CUSTOMER_TEXT = sql.raw(`id || ' ' || case when name is null then '' else name end`)
// Three letters are the least that the index of parts finds.
const PART_LENGTH_MIN = 3

/**
 * By id or name, in the order of the ids: customers with every word as a part of them where that
 * index is there, else as a whole word, of which the last may be the beginning of one.
 */
export async function findCustomersByWords(
  db: Db,
  { tenantId }: TenantScope,
  text: string,
  { after, count }: SearchPosition,
): Promise<readonly FoundCustomer[]> {
  const condition = (await hasIndexOfParts(db))
    ? (buildParts(text) ?? hasWords(text))
    : hasWords(text)
  const behind = after === null ? sql`` : sql`and id > ${after}`
  const columns = sql.raw('id, name, created_at')
  const named = await sql<FoundCustomer & { total: number }>`
    with found as materialized (
      select ${columns} from (
        select ${columns} from customer where tenant_id = ${tenantId} and ${condition} ${PLANNED_ALONE}
      ) as named
      where true ${behind}
      limit ${NAMED_MAX + 1}
    )
    select ${columns}, (count(*) over ())::integer as total from found order by id limit ${count}`.execute(
    db,
  )
  if ((named.rows[0]?.total ?? 0) <= NAMED_MAX) return named.rows
  // So many soon fill a page in the order of the ids.
  const first = await sql<FoundCustomer>`
    select ${columns} from customer
    where tenant_id = ${tenantId} and ${condition} ${behind} order by id limit ${count}`.execute(db)
  return first.rows
}

function hasWords(text: string): RawBuilder<unknown> {
  return sql`to_tsvector('simple', ${CUSTOMER_TEXT}) @@ ${buildWordQuery(text)}`
}

/**
 * Null when no word is long enough for the index of parts. An id such as `customer-77` is one part
 * here, while its words would be `customer`, which all customers may have, and `-77`.
 */
function buildParts(text: string): RawBuilder<unknown> | null {
  const words = text.toLowerCase().split(/\s+/)
  if (words.every((word) => word.length < PART_LENGTH_MIN)) return null
  const parts = words.map((word) => {
    const part = `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    return sql`lower(${CUSTOMER_TEXT}) like ${part}`
  })
  return sql.join(parts, sql` and `)
}

/** An extension of PostgreSQL, which a database may not have (migration 0070). */
async function hasIndexOfParts(db: Db): Promise<boolean> {
  const found = await sql<{ has: boolean }>`
    select to_regclass('customer_by_part') is not null as has`.execute(db)
  return found.rows[0]?.has === true
}

/** Customers with one of these addresses among their contacts. */
export async function findCustomersByContact(
  db: Db,
  { tenantId }: TenantScope,
  addresses: readonly string[],
  { after, count }: SearchPosition,
): Promise<readonly FoundCustomer[]> {
  const holds = addresses.map((email) => sql`contacts @> ${JSON.stringify([{ email }])}::jsonb`)
  const behind = after === null ? sql`` : sql`and id > ${after}`
  const found = await sql<FoundCustomer>`
    select id, name, created_at from customer
    where tenant_id = ${tenantId} and (${sql.join(holds, sql` or `)}) ${behind}
    order by id limit ${count}`.execute(db)
  return found.rows
}

export async function findCustomer(
  db: Db,
  { tenantId }: TenantScope,
  id: string,
): Promise<FoundCustomer | null> {
  const found = await sql<FoundCustomer>`
    select id, name, created_at from customer where tenant_id = ${tenantId} and id = ${id}`.execute(
    db,
  )
  return found.rows[0] ?? null
}

export interface FoundReport {
  readonly id: string
  readonly state: string
  readonly format: string | null
  readonly media_type: string
  readonly received_at: Date
}

/** Reports of this id, ours or that of their reporter, or of this Message-ID. */
export async function findReportsById(
  db: Db,
  { tenantId }: TenantScope,
  id: string,
  place: SearchPosition,
): Promise<readonly FoundReport[]> {
  const select = (condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select id, state, format, media_type, received_at from report
    where tenant_id = ${tenantId} and ${condition} ${isAfter(sql`id`, place)}`
  const parts = [
    select(sql`id = (case when ${id} ~ ${UUID_PATTERN} then ${id} end)::uuid`),
    select(sql`reporter_report_id = ${id}`),
    select(sql`message_id = any(${[id, `<${id}>`]}::text[])`),
  ]
  const found = await sql<FoundReport>`
    select * from (${sql.join(parts, sql` union `)}) as found order by id desc limit ${place.count}`.execute(
    db,
  )
  return found.rows
}

const UUID_PATTERN = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

function isAfter(column: RawBuilder<unknown>, { after }: SearchPosition): RawBuilder<unknown> {
  return after === null ? sql`` : sql`and ${column} < ${after}::uuid`
}
