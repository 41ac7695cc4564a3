// SQL of the outbox of changes. A change is noted in its own transaction, so it is there exactly
// when the change is. A tenant for whom nobody listens has no rows.

import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import { type DueRows, hasDueRows } from '../../kernel/db/due-tenants.ts'
import { NOT_COPIED } from '../../kernel/db/not-copied.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { Change, ChangeKind } from './change.ts'

/**
 * An insert for a WITH clause, beside the insert of the rows that changed: noting costs no round
 * trip. `rows` is the name of a relation with the columns what, subject_id, case_id, actor_kind,
 * actor, cause_id, data and at, in the order of the changes.
 */
export function noteRows(
  { tenantId }: TenantScope,
  kind: ChangeKind,
  rows: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    insert into change (tenant_id, kind, what, subject_id, case_id, actor_kind, actor, cause_id, data, at)
    select ${tenantId}, ${kind}, what, subject_id, case_id, actor_kind, actor, cause_id, data, at
    from ${rows}
    where exists (
      select 1 from change_listener where tenant_id = ${tenantId} and kinds @> array[${kind}]::text[]
    )
    ${NOT_COPIED}`
}

export interface NewChange {
  readonly kind: ChangeKind
  readonly what: string
  readonly subjectId: string
  readonly caseId: string | null
  readonly actorKind: string
  readonly actor: string
  readonly causeId: string | null
}

/** Notes one change of now, for writers whose statement has no rows to note from. */
export async function noteChange(tx: Tx, scope: TenantScope, change: NewChange): Promise<void> {
  const { kind, what, subjectId, caseId, actorKind, actor, causeId } = change
  await sql`${noteRows(
    scope,
    kind,
    sql`(select ${what}::text as what, ${subjectId}::text as subject_id, ${caseId}::text as case_id,
      ${actorKind}::text as actor_kind, ${actor}::text as actor, ${causeId}::text as cause_id,
      null::jsonb as data, now() as at) as changed`,
  )}`.execute(tx)
}

/** From the commit on, changes of these kinds are noted for `listener`; none removes it. */
export async function setListener(
  tx: Tx,
  { tenantId }: TenantScope,
  listener: string,
  kinds: readonly ChangeKind[],
): Promise<void> {
  if (kinds.length === 0) {
    await sql`delete from change_listener where tenant_id = ${tenantId} and listener = ${listener}`.execute(
      tx,
    )
    return
  }
  await sql`
    insert into change_listener (tenant_id, listener, kinds)
    values (${tenantId}, ${listener}, ${[...kinds]}::text[])
    on conflict (tenant_id, listener) do update set kinds = excluded.kinds`.execute(tx)
}

/** From the commit on, nothing of the tenant is noted for `listener`. */
export async function removeListener(tx: Tx, scope: TenantScope, listener: string): Promise<void> {
  await setListener(tx, scope, listener, [])
}

/** True where changes of the tenant are noted for `listener`. */
export function hasListener(tenantId: RawBuilder<unknown>, listener: string): RawBuilder<unknown> {
  return sql`exists (
    select from change_listener where change_listener.tenant_id = ${tenantId} and change_listener.listener = ${listener})`
}

/** A change that is handed on, with the number of times that this has failed. */
export interface NotedChange extends Change {
  readonly attempts: number
}

export const DUE_CHANGES: DueRows = {
  table: 'change',
  isDue: sql`due_at <= now()`,
  since: sql`due_at`,
}

/** Whether there are changes to hand on (kernel/db/due-poll.ts). */
export const HAS_DUE_CHANGES = hasDueRows(DUE_CHANGES)

/**
 * Takes up to `limit` due changes of a tenant out of the outbox, in the order in which they were
 * noted. They are back if the transaction fails. Changes that another node takes are left out.
 */
export async function takeChanges(
  tx: Tx,
  { tenantId }: TenantScope,
  limit: number,
): Promise<readonly NotedChange[]> {
  const taken = await sql<NotedChange>`
    with due as (
      select id from change where tenant_id = ${tenantId} and due_at <= now()
      order by due_at, id limit ${limit} for update skip locked
    ), taken as (
      delete from change using due
      where change.tenant_id = ${tenantId} and change.id = due.id
      returning change.*
    )
    select tenant_id as "tenantId", id, kind, what, subject_id as "subjectId", case_id as "caseId",
      actor_kind as "actorKind", actor, cause_id as "causeId", data, at, attempts
    from taken order by id`.execute(tx)
  return taken.rows
}

/** Takes exactly this change; null when it is no longer there or another node has it. */
export async function takeChange(
  tx: Tx,
  { tenantId, id }: Pick<Change, 'tenantId' | 'id'>,
): Promise<NotedChange | null> {
  const taken = await sql<NotedChange>`
    with due as (
      select id from change where tenant_id = ${tenantId} and id = ${id} for update skip locked
    )
    delete from change using due
    where change.tenant_id = ${tenantId} and change.id = due.id
    returning change.tenant_id as "tenantId", change.id, kind, what, subject_id as "subjectId",
      case_id as "caseId", actor_kind as "actorKind", actor, cause_id as "causeId", data, at, attempts`.execute(
    tx,
  )
  return taken.rows[0] ?? null
}

/** Lets a change that could not be handed on wait. */
export async function postponeChange(
  db: Db,
  { tenantId, id }: Pick<Change, 'tenantId' | 'id'>,
  delaySeconds: number,
): Promise<void> {
  await sql`
    update change set attempts = attempts + 1, due_at = now() + ${delaySeconds} * interval '1 second'
    where tenant_id = ${tenantId} and id = ${id}`.execute(db)
}

/** Removes a change that can never be handed on. */
export async function removeChange(
  db: Db,
  { tenantId, id }: Pick<Change, 'tenantId' | 'id'>,
): Promise<void> {
  await sql`delete from change where tenant_id = ${tenantId} and id = ${id}`.execute(db)
}
