// SQL of the columns of cases that ingest keeps up to date, one statement for a whole batch: sums
// of events, new cases, sealed cases and reopened cases. The caller has the correlation lock.

import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../kernel/db/database.ts'
import { NOT_COPIED } from '../../kernel/db/not-copied.ts'
import { inTheirOrder } from '../../kernel/db/planner.ts'
import { writeLists, writeWords } from '../../kernel/db/write-arrays.ts'
import { defineRows } from '../../kernel/db/write-rows.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { CorrelationKey } from './case.ts'
import { type CaseSummary, SUMMARY_VALUES_MAX } from './case.ts'
import type { CaseState } from './case-state.ts'
import type { Severity } from './case-tables.ts'
import { copyStates, type LaterEvents, moveLastEvents } from './lists/last-event-store.ts'

/** The values that decide whether an event may join a case. */
export interface LockedCase {
  readonly caseId: string
  readonly firstEventDate: string
  readonly lastEventDate: string
  readonly state: CaseState
  /** It takes no more events. */
  readonly isSealed: boolean
}

interface LockedColumns {
  readonly id: string
  readonly state: CaseState
  readonly isSealed: boolean
  readonly first_event_date: Date
  readonly last_event_date: Date
}

/** Locks existing cases until the transaction ends. By id. */
export async function lockForIngest(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<ReadonlyMap<string, LockedCase>> {
  if (caseIds.length === 0) return new Map()
  // One probe of the primary key for each id. For a list of ids the planner, without statistics of
  // a young table, scans another index from end to end, which takes a hundred times longer.
  const result = await sql<LockedColumns>`
    select locked.* from unnest(${writeWords(caseIds.toSorted())}::text[]) as given (id)
    cross join lateral (
      select id, state, sealed_at is not null as "isSealed", first_event_date, last_event_date
      from abuse_case where tenant_id = ${scope.tenantId} and id = given.id for update
    ) as locked`.execute(tx)
  return new Map(
    result.rows.map((row) => [
      row.id,
      {
        caseId: row.id,
        firstEventDate: row.first_event_date.toISOString(),
        lastEventDate: row.last_event_date.toISOString(),
        state: row.state,
        isSealed: row.isSealed,
      },
    ]),
  )
}

/**
 * Adds the sums of new events to their cases, which are locked in the order of their ids. False
 * when one of the cases is gone; the caller then has to roll back. New values are compared in the
 * database, so that a case with a hundred reporters is neither read nor sent as a whole for one
 * more. A case whose events have all moved away keeps its dates until the next event comes, whose
 * dates then count alone. The form of the comparison of ids belongs to `inTheirOrder`.
 */
export async function addToCases(
  tx: Tx,
  scope: TenantScope,
  additions: readonly CaseSummary[],
  at: Date,
): Promise<boolean> {
  if (additions.length === 0) return true
  const sums = additions.toSorted((one, other) => (one.caseId < other.caseId ? -1 : 1))
  const { types, ips, reporters, tags } = writeValues(sums)
  const result = await sql<{ changed: number } & LaterEvents>`
    with changed as (
      update abuse_case set event_count = abuse_case.event_count + given.event_count,
        first_event_date = case when abuse_case.event_count = 0 then given.first else least(abuse_case.first_event_date, given.first) end,
        last_event_date = case when abuse_case.event_count = 0 then given.last else greatest(abuse_case.last_event_date, given.last) end,
        former_last_event_date = abuse_case.last_event_date,
        event_types = ${addValues('event_types', 'types')}, event_ips = ${addValues('event_ips', 'ips')},
        event_reporters = ${addValues('event_reporters', 'reporters')}, event_tags = ${addValues('event_tags', 'tags')},
        updated_at = ${at}
      from (${inTheirOrder(sql`
        select id, event_count, first, last, ${types.read('types')} as types, ${ips.read('ips')} as ips,
          ${reporters.read('reporters')} as reporters, ${tags.read('tags')} as tags
        from unnest(
          ${writeWords(sums.map((sum) => sum.caseId))}::text[],
          ${writeWords(sums.map((sum) => sum.eventCount))}::bigint[],
          ${writeWords(sums.map((sum) => sum.firstEventDate))}::timestamptz[],
          ${writeWords(sums.map((sum) => sum.lastEventDate))}::timestamptz[],
          ${types.written}::text[], ${ips.written}::text[], ${reporters.written}::text[], ${tags.written}::text[]
        ) as rows (id, event_count, first, last, types, ips, reporters, tags)`)}
      ) as given
      where abuse_case.tenant_id = ${scope.tenantId} and abuse_case.id = any (array[given.id])
      returning abuse_case.id, former_last_event_date, abuse_case.last_event_date,
        former_last_event_date <> abuse_case.last_event_date as is_moved
    )
    select count(*)::integer as changed, (array_agg(id) filter (where is_moved))::text as ids,
      (array_agg(former_last_event_date) filter (where is_moved))::text as before,
      (array_agg(last_event_date) filter (where is_moved))::text as next
    from changed`.execute(tx)
  const [summary] = result.rows
  if (summary?.changed !== sums.length) return false
  // A statement of its own: the one above may have waited for another batch, and does not see the
  // rows that the other batch moved.
  await moveLastEvents(tx, scope, summary)
  return true
}

function writeValues(summaries: readonly CaseSummary[]) {
  return {
    types: writeLists(summaries.map((one) => one.eventTypes)),
    ips: writeLists(summaries.map((one) => one.eventIps)),
    reporters: writeLists(summaries.map((one) => one.eventReporters)),
    tags: writeLists(summaries.map((one) => one.eventTags)),
  }
}

/** As `mergeValues` of case.ts: new values behind the present ones, up to the limit. */
function addValues(
  column: `event_${'types' | 'ips' | 'reporters' | 'tags'}`,
  given: string,
): RawBuilder<unknown> {
  const max = sql.lit(SUMMARY_VALUES_MAX)
  const [present, coming] = [sql.ref(`abuse_case.${column}`), sql.ref(`given.${given}`)]
  // Mostly there is one new value; the last branch is for batches with several events of one case.
  // It slices inside of the sub-select: outside, a server process of Citus 13.2 ends by a fault.
  return sql`case
    when ${coming} is null or ${coming} <@ ${present} then ${present}
    when cardinality(${coming}) = 1 then (${present} || ${coming})[1:${max}]
    else (select (${present} || array_agg(value))[1:${max}] from unnest(${coming}) as new (value) where value <> all (${present}))
    end`
}

export interface NewCase extends CaseSummary, CorrelationKey {
  readonly customerId: string
  readonly contractId: string | null
  readonly linkedCaseId: string | null
  readonly severity: Severity | null
}

const writeNewCases = defineRows<NewCase>({
  id: ['text', ({ caseId }) => caseId],
  case_group_id: ['text', ({ caseGroupId }) => caseGroupId],
  key_hash: ['bytea', ({ keyHash }) => keyHash],
  customer_id: ['text', ({ customerId }) => customerId],
  contract_id: ['text', ({ contractId }) => contractId],
  linked_case_id: ['text', ({ linkedCaseId }) => linkedCaseId],
  event_count: ['bigint', ({ eventCount }) => eventCount],
  first_event_date: ['timestamptz', ({ firstEventDate }) => firstEventDate],
  last_event_date: ['timestamptz', ({ lastEventDate }) => lastEventDate],
  event_types: ['text[]', ({ eventTypes }) => eventTypes],
  event_ips: ['text[]', ({ eventIps }) => eventIps],
  event_reporters: ['text[]', ({ eventReporters }) => eventReporters],
  event_tags: ['text[]', ({ eventTags }) => eventTags],
  severity: ['text', ({ severity }) => severity],
})

export async function insertCases(
  tx: Tx,
  scope: TenantScope,
  cases: readonly NewCase[],
  at: Date,
): Promise<void> {
  if (cases.length === 0) return
  const { names, values, given } = writeNewCases(cases)
  await sql`
    with opened as (
      insert into abuse_case (tenant_id, state, created_at, updated_at, laws, ${names})
      select ${scope.tenantId}, 'NEW', ${at}, ${at}, ${selectLaws(scope)}, ${values} from ${given}
      returning last_event_date, id, created_at, customer_id, contract_id, case_group_id
    )
    insert into case_last_event (tenant_id, last_event_date, id, state, created_at, customer_id, contract_id, case_group_id)
    select ${scope.tenantId}, last_event_date, id, 'NEW', created_at, customer_id, contract_id, case_group_id
    from opened ${NOT_COPIED}`.execute(tx)
}

// The laws whose deadlines the tenant has switched on, read once a statement.
function selectLaws({ tenantId }: TenantScope): RawBuilder<unknown> {
  return sql`coalesce(
    (select array(select jsonb_array_elements_text(settings -> 'legal_deadlines')) from tenant where id = ${tenantId}), '{}')`
}

/** Seals open cases: they take no more events, and their keys go to the cases that follow them. */
export async function sealCases(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
  at: Date,
): Promise<void> {
  if (caseIds.length === 0) return
  await sql`
    update abuse_case set sealed_at = ${at}, updated_at = ${at}
    where tenant_id = ${scope.tenantId} and id = any(${[...caseIds]}::text[])`.execute(tx)
}

/**
 * Reopens locked RESOLVED cases, as a move to IN_PROGRESS does (case-move-store.ts). The caller
 * gives them their keys.
 */
export async function reopenResolvedCases(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
  at: Date,
): Promise<void> {
  if (caseIds.length === 0) return
  await sql`
    update abuse_case set state = 'IN_PROGRESS', resolution = null, resolved_at = null, ended_at = null, sealed_at = null,
      waiting_on = coalesce(run_waits_for, 'none'), reopen_count = reopen_count + 1, version = version + 1, updated_at = ${at}
    where tenant_id = ${scope.tenantId} and id = any(${[...caseIds]}::text[])`.execute(tx)
  await copyStates(tx, scope, caseIds)
}
