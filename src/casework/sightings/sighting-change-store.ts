// SQL of the items whose sightings must be counted again. The transaction that stores, changes or
// removes an event notes its items; the worker collects them (collect-sightings.ts).

import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import { floorOfEventDate } from '../../kernel/db/months/event-floor.ts'
import { chooseEventMonths } from '../../kernel/db/months/event-months.ts'
import { NOT_COPIED } from '../../kernel/db/not-copied.ts'
import { textArray } from '../../kernel/db/sql-array.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'

/** The address and the host of an event. */
export interface EventItems {
  readonly ip: string | null
  readonly domain: string | null
}

/** One row for all items of a transaction; none for a tenant that does not share sightings. */
export async function noteItems(
  tx: Tx,
  { tenantId }: TenantScope,
  events: readonly EventItems[],
): Promise<void> {
  const items = new Set<string>()
  for (const { ip, domain } of events) {
    if (ip !== null) items.add(ip)
    if (domain !== null) items.add(domain)
  }
  if (items.size === 0) return
  await sql`
    insert into report_sighting_change (tenant_id, items)
    select tenant.id, ${textArray([...items])}::text[] from tenant
    where tenant.id = ${tenantId} and share_sightings ${NOT_COPIED}`.execute(tx)
}

/** The items of all events of these cases. */
export async function noteItemsOfCases(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<void> {
  const months = await chooseEventMonths(tx, scope, 'case', caseIds)
  await noteItemsWhere(tx, scope, sql`case_id = any(${[...caseIds]}::text[]) and ${months}`)
}

/** The same, if one of the cases is a false positive: events that leave or join it change. */
export async function noteItemsOfWithdrawn(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<void> {
  const ids = sql`any(${[...caseIds]}::text[])`
  const months = await chooseEventMonths(tx, scope, 'case', caseIds)
  await noteItemsWhere(
    tx,
    scope,
    sql`case_id = ${ids} and ${months} and exists (
      select from abuse_case where tenant_id = ${scope.tenantId} and id = ${ids} and close_reason = 'false_positive')`,
  )
}

// All events of a month, some ten million, in one statement that a person asked for.
const ALL_ITEMS_TIMEOUT_MS = 300_000

/** The items of all events dated since then. */
export async function noteItemsSince(tx: Tx, scope: TenantScope, since: Date): Promise<void> {
  await sql.raw(`set local statement_timeout = ${ALL_ITEMS_TIMEOUT_MS}`).execute(tx)
  const floor = floorOfEventDate(since)
  await noteItemsWhere(tx, scope, sql`event_date >= ${since} and event.event_id >= ${floor}::uuid`)
}

// The worker takes whole rows, so a row must not hold millions of items.
const ITEMS_A_ROW = 1_000

async function noteItemsWhere(
  tx: Tx,
  { tenantId }: TenantScope,
  condition: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    insert into report_sighting_change (tenant_id, items)
    select tenant.id, packed.items
    from tenant cross join lateral (
      select array_agg(item) as items from (
        select item, row_number() over () as number from (
          select distinct named.item from event cross join lateral (values (ip), (domain)) as named (item)
          where event.tenant_id = ${tenantId} and named.item is not null and ${condition}
        ) as items
      ) as numbered
      group by number / ${sql.lit(ITEMS_A_ROW)}
    ) as packed
    where tenant.id = ${tenantId} and share_sightings ${NOT_COPIED}`.execute(tx)
}

export interface NotedItems {
  readonly ids: readonly string[]
  /** Each once. */
  readonly items: readonly string[]
}

/** Rows that are due, with about `itemsMax` items. The caller has locked the tenant's sharing. */
export async function listNotedItems(
  tx: Tx,
  { tenantId }: TenantScope,
  limits: { readonly rowsMax: number; readonly itemsMax: number },
): Promise<NotedItems> {
  const found = await sql<{ id: string; items: string[] }>`
    select id, items from report_sighting_change
    where tenant_id = ${tenantId} and due_at <= now()
    order by due_at limit ${limits.rowsMax}`.execute(tx)
  const ids: string[] = []
  const items = new Set<string>()
  for (const row of found.rows) {
    if (items.size >= limits.itemsMax) break
    ids.push(row.id)
    for (const item of row.items) items.add(item)
  }
  return { ids, items: [...items] }
}

/** Items that were noted in the last second and wait. */
export async function countNewItems(tx: Tx, { tenantId }: TenantScope): Promise<number> {
  const found = await sql<{ count: number }>`
    select coalesce(sum(cardinality(items)), 0)::bigint as count from report_sighting_change
    where tenant_id = ${tenantId} and due_at > now() - interval '1 second' and due_at <= now()`.execute(
    tx,
  )
  return found.rows[0]?.count ?? 0
}

export async function deleteNotedItems(
  tx: Tx,
  { tenantId }: TenantScope,
  ids: readonly string[],
): Promise<void> {
  await sql`
    delete from report_sighting_change
    where tenant_id = ${tenantId} and id = any(${[...ids]}::uuid[])`.execute(tx)
}

/** Notes items again that are counted after a pause. */
export async function deferItems(
  tx: Tx,
  { tenantId }: TenantScope,
  items: readonly string[],
  pauseMs: number,
): Promise<void> {
  if (items.length === 0) return
  await sql`
    insert into report_sighting_change (tenant_id, items, due_at)
    values (${tenantId}, ${textArray(items)}::text[], now() + ${pauseMs} * interval '1 millisecond')`.execute(
    tx,
  )
}

export async function deleteAllNotedItems(db: Db, { tenantId }: TenantScope): Promise<void> {
  await sql`delete from report_sighting_change where tenant_id = ${tenantId}`.execute(db)
}
