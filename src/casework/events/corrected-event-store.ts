// SQL of events that a person corrects: their content is written anew, or they are withdrawn. Their
// fingerprints stay, so that the same report, read again, brings none of them back.

import { sql } from 'kysely'
import type { Tx } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { NewEvent } from '../../vocabulary/event.ts'
import type { Actor } from '../cases/case-tables.ts'
import { noteRows } from '../changes/outbox-store.ts'

/** Writes what an event says. The events are locked by this transaction. */
export async function rewriteEvents(
  tx: Tx,
  scope: TenantScope,
  events: readonly { readonly eventId: string; readonly event: NewEvent }[],
): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(({ eventId, event }) => {
    const { eventType, eventSubtypes, xarfClass, ip, domain, details } = event
    return { eventId, eventType, eventSubtypes, xarfClass, ip, domain, details }
  })
  await sql`
    update event set event_type = given."eventType", event_subtypes = given."eventSubtypes", xarf_class = given."xarfClass",
      ip = given.ip, domain = given.domain, details = nullif(given.details, 'null')
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (
      "eventId" uuid, "eventType" text, "eventSubtypes" text[], "xarfClass" text, ip text, domain text, details jsonb)
    where event.tenant_id = ${scope.tenantId} and event.event_id = given."eventId"
      and event.event_id = any(${events.map(({ eventId }) => eventId)}::uuid[])`.execute(tx)
}

/** The events are locked by this transaction, and no longer pending. */
export async function withdrawEvents(
  tx: Tx,
  scope: TenantScope,
  eventIds: readonly string[],
): Promise<void> {
  if (eventIds.length === 0) return
  await sql`
    delete from event
    where tenant_id = ${scope.tenantId} and event_id = any(${[...eventIds]}::uuid[])`.execute(tx)
}

/** `caseId`: where the event was; one that is still there has its case in its own row. */
export interface CorrectedEvent {
  readonly eventId: string
  readonly caseId: string | null
}

/** Notes what happened to these events, for those who listen. */
export async function noteCorrected(
  tx: Tx,
  scope: TenantScope,
  what: 'corrected' | 'withdrawn',
  events: readonly CorrectedEvent[],
  { actor, reportId }: { readonly actor: Actor; readonly reportId: string },
): Promise<void> {
  if (events.length === 0) return
  await sql`${noteRows(
    scope,
    'event',
    sql`(
      select ${what}::text as what, id::text as subject_id, case_id, ${actor.kind}::text as actor_kind,
        ${actor.id}::text as actor, ${reportId}::text as cause_id, now() as at, null::jsonb as data
      from unnest(${events.map(({ eventId }) => eventId)}::uuid[], ${events.map(({ caseId }) => caseId)}::text[]) as given (id, case_id)
      order by id
    ) as changed`,
  )}`.execute(tx)
}
