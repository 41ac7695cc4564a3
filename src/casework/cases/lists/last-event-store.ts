// SQL of the list of cases by their last event (table case_last_event, migration 0026; decision 7).
// No index of abuse_case contains a column that an event changes, so that its row is updated in
// place. The order by last event is kept here, one row for a case, found by its former date. The
// caller has locked the cases.

import { sql } from 'kysely'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import { oneByOne } from '../../../kernel/db/planner.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'

/**
 * Cases with a new last event: three arrays of one order, as text in the database's own notation,
 * which goes back as it came. Null without such cases.
 */
export interface LaterEvents {
  readonly ids: string | null
  /** The former dates. */
  readonly before: string | null
  readonly next: string | null
}

export async function moveLastEvents(
  tx: Tx,
  scope: TenantScope,
  { ids, before, next }: LaterEvents,
): Promise<void> {
  if (ids === null) return
  await sql`
    update case_last_event set last_event_date = given.next
    from (
      select * from unnest(${before}::timestamptz[], ${ids}::text[], ${next}::timestamptz[])
        as rows (before, id, next) where ${oneByOne('id')}
    ) as given
    where case_last_event.tenant_id = ${scope.tenantId} and case_last_event.last_event_date = given.before
      and case_last_event.id = given.id`.execute(tx)
}

/** Removes cases from the list, before their row is deleted or gets another date. */
export async function forgetLastEvents(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<void> {
  await sql`delete from case_last_event using abuse_case as one where ${isOneOf(scope, caseIds)}`.execute(
    tx,
  )
}

/** Adds cases to the list with their present values. */
export async function addLastEvents(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<void> {
  await sql`
    insert into case_last_event (tenant_id, last_event_date, id, state, created_at, customer_id, contract_id, case_group_id)
    select tenant_id, last_event_date, id, state, created_at, customer_id, contract_id, case_group_id from abuse_case
    where tenant_id = ${scope.tenantId} and id = any(${[...caseIds]}::text[])`.execute(tx)
}

/** Copies the states of cases to the list, after a move. */
export async function copyStates(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<void> {
  await sql`
    update case_last_event set state = one.state from abuse_case as one where ${isOneOf(scope, caseIds)}`.execute(
    tx,
  )
}

function isOneOf({ tenantId }: TenantScope, caseIds: readonly string[]) {
  return sql`one.tenant_id = ${tenantId} and one.id = any(${[...caseIds]}::text[])
    and case_last_event.tenant_id = one.tenant_id and case_last_event.last_event_date = one.last_event_date
    and case_last_event.id = one.id`
}

export interface ListedCase {
  readonly caseId: string
  readonly lastEventDate: Date
}

// A page takes some milliseconds.
const LISTED_AT_ONCE = 1_000

/**
 * The entries of the next page after `after` whose case does not exist or has other values, and the
 * last entry of the page; null at the end.
 */
export async function listStrayLastEvents(
  db: Db,
  scope: TenantScope,
  after: ListedCase | null,
): Promise<{ readonly stray: readonly ListedCase[]; readonly last: ListedCase | null }> {
  const found = await sql<ListedCase & { isRight: boolean }>`
    select listed.id as "caseId", listed.last_event_date as "lastEventDate", one.id is not null as "isRight"
    from (
      select * from case_last_event where tenant_id = ${scope.tenantId}
        and (last_event_date, id) > (${after?.lastEventDate ?? '-infinity'}::timestamptz, ${after?.caseId ?? ''})
      order by last_event_date, id limit ${LISTED_AT_ONCE}
    ) as listed
    left join abuse_case as one on one.tenant_id = ${scope.tenantId} and one.id = listed.id
      and one.last_event_date = listed.last_event_date and one.state = listed.state
    order by listed.last_event_date, listed.id`.execute(db)
  const stray = found.rows.filter(({ isRight }) => !isRight)
  return { stray, last: found.rows.at(-1) ?? null }
}

/** Rewrites the entry of a case, whatever the list says of it. Scans the whole list. */
export async function relistCase(tx: Tx, scope: TenantScope, caseId: string): Promise<void> {
  await sql`delete from case_last_event where tenant_id = ${scope.tenantId} and id = ${caseId}`.execute(
    tx,
  )
  await addLastEvents(tx, scope, [caseId])
}
