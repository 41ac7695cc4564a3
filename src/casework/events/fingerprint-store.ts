// Which events are stored already, by their fingerprints, and how often each has arrived;
// event-store.ts claims and counts them.

import { sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { Repeats } from './incoming-event.ts'

/** Those of the fingerprints (64 hexadecimal digits each) under which an event is stored. */
export async function findKnownFingerprints(
  db: Db,
  scope: TenantScope,
  fingerprints: readonly string[],
): Promise<ReadonlySet<string>> {
  if (fingerprints.length === 0) return new Set()
  const result = await sql<{ fingerprint: string }>`
    select given.fingerprint from unnest(${[...fingerprints]}::text[]) as given (fingerprint)
    join event_fingerprint on event_fingerprint.tenant_id = ${scope.tenantId}
      and event_fingerprint.fingerprint = decode(given.fingerprint, 'hex')`.execute(db)
  return new Set(result.rows.map((row) => row.fingerprint))
}

/** The ids of events by their fingerprints; those that are not stored are left out. */
export async function findEventsOfFingerprints(
  db: Db,
  scope: TenantScope,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (fingerprints.length === 0) return new Map()
  const known = await sql<{ fingerprint: string; event_id: string }>`
    select given.fingerprint, event_fingerprint.event_id from unnest(${[...fingerprints]}::text[]) as given (fingerprint)
    join event_fingerprint on event_fingerprint.tenant_id = ${scope.tenantId}
      and event_fingerprint.fingerprint = decode(given.fingerprint, 'hex')`.execute(db)
  if (known.rows.length === 0) return new Map()
  // By ids that the planner knows, which leaves out the partitions of other months.
  const stored = await sql<{ event_id: string }>`
    select event_id from event
    where tenant_id = ${scope.tenantId} and event_id = any(${known.rows.map((row) => row.event_id)}::uuid[])`.execute(
    db,
  )
  const ids = new Set(stored.rows.map((row) => row.event_id))
  return new Map(
    known.rows.flatMap((row) => (ids.has(row.event_id) ? [[row.fingerprint, row.event_id]] : [])),
  )
}

/** Null when the tenant has no such event. */
export async function findRepeats(
  db: Db,
  scope: TenantScope,
  eventId: string,
): Promise<Repeats | null> {
  const result = await sql<Repeats>`
    select seen_count as "seenCount", last_seen as "lastSeen" from event_fingerprint
    where tenant_id = ${scope.tenantId} and event_id = ${eventId}::uuid`.execute(db)
  return result.rows[0] ?? null
}
