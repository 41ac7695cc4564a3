// The list of cases by their last event (migration 0026). What an arriving event changes of a case
// is in no index of cases, so that its row changes in place; the one order that needs the date is
// kept here, a row a case, found by the date it had. Whoever calls holds the case.

import { sql } from 'kysely'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import { ONE_BY_ONE } from '../../../kernel/db/write-arrays.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'

/**
 * Cases with a later last event, as the database writes arrays, in one order; null where there is
 * none. It goes round as it came.
 */
export interface LaterEvents {
  readonly ids: string | null
  /** What the cases said until now. */
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
      select ${scope.tenantId} as tenant_id, rows.* from unnest(${before}::timestamptz[], ${ids}::text[], ${next}::timestamptz[])
        as rows (before, id, next) ${ONE_BY_ONE}
    ) as given
    where case_last_event.tenant_id = given.tenant_id and case_last_event.last_event_date = given.before
      and case_last_event.id = given.id`.execute(tx)
}

/** Takes cases off the list, before their row goes or gets another date. */
export async function forgetLastEvents(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<void> {
  await sql`delete from case_last_event using abuse_case as one where ${isOneOf(scope, caseIds)}`.execute(
    tx,
  )
}

/** Puts cases on the list as they are now. */
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

/** After a move. */
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

// Some milliseconds a page.
const LISTED_AT_ONCE = 1_000

/**
 * What the list says of no case, or of one that says otherwise, among the next after `after`; and
 * the last that was looked at, null at the end.
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

/** Whatever the list says of the case; reads all of the list. */
export async function relistCase(tx: Tx, scope: TenantScope, caseId: string): Promise<void> {
  await sql`delete from case_last_event where tenant_id = ${scope.tenantId} and id = ${caseId}`.execute(
    tx,
  )
  await addLastEvents(tx, scope, [caseId])
}
