// SQL of calendars: the business hours of a tenant, which its playbooks name.

import { sql } from 'kysely'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { Calendar } from './calendar.ts'
import type { CalendarSettings, StoredCalendar } from './calendar-wire.ts'
import { readCalendar } from './read-calendar.ts'

const COLUMNS = sql`name, settings, updated_at as "updatedAt"`

/** Stores or replaces a calendar. Timers that are set already keep their time. */
export async function putCalendar(
  tx: Tx,
  { tenantId }: TenantScope,
  name: string,
  settings: CalendarSettings,
): Promise<StoredCalendar> {
  const stored = await sql<StoredCalendar>`
    insert into calendar (tenant_id, name, settings) values (${tenantId}, ${name}, ${JSON.stringify(settings)}::jsonb)
    on conflict (tenant_id, name) do update set settings = excluded.settings, updated_at = excluded.updated_at
    returning ${COLUMNS}`.execute(tx)
  const [row] = stored.rows
  if (row === undefined) throw new Error('a calendar was stored and not returned')
  return row
}

/** Null when there is none. No other transaction changes it before this one ends. */
export async function lockCalendar(
  tx: Tx,
  { tenantId }: TenantScope,
  name: string,
): Promise<StoredCalendar | null> {
  const found = await sql<StoredCalendar>`
    select ${COLUMNS} from calendar where tenant_id = ${tenantId} and name = ${name} for update`.execute(
    tx,
  )
  return found.rows[0] ?? null
}

/** Those of these names that there are; none is deleted before the transaction ends. */
export async function keepCalendars(
  tx: Tx,
  { tenantId }: TenantScope,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const kept = await sql<{ name: string }>`
    select name from calendar where tenant_id = ${tenantId} and name = any(${[...names]}::text[])
    order by name for key share`.execute(tx)
  return new Set(kept.rows.map(({ name }) => name))
}

/** All of them by name, or those of these names. */
export async function listCalendars(
  db: Db,
  { tenantId }: TenantScope,
  names: readonly string[] | null = null,
): Promise<readonly StoredCalendar[]> {
  const ofNames = names === null ? sql`true` : sql`name = any(${[...names]}::text[])`
  const found = await sql<StoredCalendar>`
    select ${COLUMNS} from calendar where tenant_id = ${tenantId} and ${ofNames} order by name`.execute(
    db,
  )
  return found.rows
}

/** By name. */
export async function loadCalendars(
  db: Db,
  scope: TenantScope,
  names: readonly string[],
): Promise<ReadonlyMap<string, Calendar>> {
  const found = await listCalendars(db, scope, names)
  return new Map(
    found.flatMap(({ name, settings }) => {
      const calendar = readCalendar(settings, [])
      return calendar === null ? [] : [[name, calendar] as const]
    }),
  )
}

export async function deleteCalendar(
  tx: Tx,
  { tenantId }: TenantScope,
  name: string,
): Promise<void> {
  await sql`delete from calendar where tenant_id = ${tenantId} and name = ${name}`.execute(tx)
}

/** The name of a playbook whose runs may ask for the calendar; null when there is none. */
export async function findCalendarUse(
  tx: Tx,
  { tenantId }: TenantScope,
  name: string,
): Promise<string | null> {
  const found = await sql<{ name: string }>`
    select playbook.name from playbook_version as version
    join playbook on playbook.tenant_id = version.tenant_id and playbook.id = version.playbook_id
    where version.tenant_id = ${tenantId} and (version.state in ('active', 'draining') or exists (
        select from run where run.tenant_id = ${tenantId} and run.playbook_id = version.playbook_id
          and run.version = version.version and run.state in ('active', 'paused')))
      and jsonb_path_exists(version.graph, '$.nodes[*].config.** ? (@.calendar == $name)', jsonb_build_object('name', ${name}::text), true)
    order by playbook.name limit 1`.execute(tx)
  return found.rows[0]?.name ?? null
}
