// SQL of the list of cases, its filters and orders.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import {
  buildPage,
  buildRange,
  type PageRequest,
  type PageSql,
  type TimeRange,
} from '../../../kernel/db/page-request.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { CaseState } from '../case-state.ts'
import type { Severity, WaitingOn } from '../case-tables.ts'

export interface CaseSummaryRow {
  readonly id: string
  readonly state: CaseState
  readonly created_at: Date
  readonly first_event_date: Date
  readonly last_event_date: Date
  readonly customer_id: string
  readonly contract_id: string | null
  readonly due_at: Date | null
}

export interface CaseFilter {
  /** Any of these. */
  readonly states?: readonly CaseState[]
  readonly customerId?: string
  readonly contractId?: string
  readonly caseGroupId?: string
  readonly createdAt?: TimeRange
  readonly assigneeUserId?: string
  readonly severity?: Severity
  readonly waitingOn?: WaitingOn
  readonly tag?: string
  /** Cases with a deadline before this time. ISO 8601. */
  readonly dueBefore?: string
}

/** By `due_at` there are only the cases that have something to be done until then. */
export type CaseSort = 'created_at' | 'first_event_date' | 'last_event_date' | 'due_at'

/** Up to `limit` rows and one more. */
export async function listCases(
  db: Db,
  scope: TenantScope,
  filter: CaseFilter,
  sort: CaseSort,
  page: PageRequest,
): Promise<readonly CaseSummaryRow[]> {
  const keyset = buildPage(
    [
      { name: sort, type: 'timestamptz' },
      { name: 'id', type: 'text' },
    ],
    page,
  )
  const isDirect = isFoundByKey(filter, sort)
  const found = chooseSearch(filter, sort)(scope, filter, sort, keyset, page)
  if (isDirect) return (await found.execute(db)).rows
  const listed = sql<CaseSummaryRow>`
    select shown.* from (${found}) as page cross join lateral (
      select ${SHOWN} from abuse_case where tenant_id = ${scope.tenantId} and id = page.id offset 0
    ) as shown ${keyset.order}`
  return (await listed.execute(db)).rows
}

function chooseSearch(
  { dueBefore, states: _states, createdAt: _range, caseGroupId: _group, ...narrowed }: CaseFilter,
  sort: CaseSort,
) {
  if (dueBefore === undefined || sort === 'due_at') return findInOrder
  // What is narrowed down further is of few, which are found by that.
  const isNarrowed = Object.values(narrowed).some((value) => value !== undefined)
  return sort === 'created_at' && !isNarrowed ? findDueByWeek : findAmongDue
}

/** Walks the index of the order; what the case is found by is among its columns. */
function findInOrder(
  scope: TenantScope,
  filter: CaseFilter,
  sort: CaseSort,
  keyset: PageSql,
): RawBuilder<CaseSummaryRow> {
  const conditions = [
    ...buildCaseConditions(scope, filter),
    ...(sort === 'due_at' ? [sql`due_at is not null`] : []),
    ...keyset.conditions,
  ]
  const table = sql.table(chooseTable(filter, sort))
  const columns = isFoundByKey(filter, sort) ? SHOWN : sql`id, ${sql.ref(sort)}`
  const find = (more: readonly RawBuilder<unknown>[]): RawBuilder<CaseSummaryRow> => sql`
    select ${columns} from ${table}
    where ${sql.join([...conditions, ...more], sql` and `)} ${keyset.orderAndLimit}`
  if (filter.states === undefined) return find([])
  // One ordered range of the index for each state, merged: a condition on several states would be
  // sorted as a whole.
  const parts = filter.states.map((state) => sql`(${find([sql`state = ${state}`])})`)
  return sql`select * from (${sql.join(parts, sql` union all `)}) as found ${keyset.orderAndLimit}`
}

/**
 * Finds what is due before it is sorted. What is due soonest is mostly oldest, so in another order
 * it comes last, and the planner, which takes it to lie anywhere, would walk all of that order's
 * index. Read from the end where the page most likely begins, nearly all that follows is put aside
 * by one comparison (a fifth less time a page of those that are due among 100,000 cases, measured).
 */
function findAmongDue(
  scope: TenantScope,
  filter: CaseFilter,
  sort: CaseSort,
  keyset: PageSql,
  { order }: PageRequest,
): RawBuilder<CaseSummaryRow> {
  const conditions = buildFilterConditions(scope, filter)
  const after =
    keyset.conditions.length === 0
      ? sql``
      : sql`where ${sql.join([...keyset.conditions], sql` and `)}`
  return sql`
    select id, ${sql.ref(sort)}
    from (
      select id, ${sql.ref(sort)} from abuse_case where ${sql.join(conditions, sql` and `)} order by due_at ${sql.raw(order)} offset 0
    ) as due
    ${after} ${keyset.orderAndLimit}`
}

// In the words of the index (migration 0031), or it would not be used.
function weekOf(time: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`floor(extract(epoch from ${time} at time zone 'UTC') / 604800)`
}

/**
 * Week by week of when they were opened: two looks at an index for each week in which any case with
 * a deadline was, and all that are due of those that have some, until the page is full. Fenced off,
 * since the order of the page would else choose an index of all cases and walk it for each week (of
 * a table without statistics: seconds).
 */
function findDueByWeek(
  scope: TenantScope,
  filter: CaseFilter,
  _sort: CaseSort,
  keyset: PageSql,
  { order, limit, position }: PageRequest,
): RawBuilder<CaseSummaryRow> {
  const conditions = [...buildFilterConditions(scope, filter), ...keyset.conditions]
  const week = weekOf(sql`created_at`)
  const [direction, behind] = [sql.raw(order), sql.raw(order === 'asc' ? '>' : '<')]
  const { after, before } = filter.createdAt ?? {}
  const from = position?.[0]
  const weeks = [
    sql`tenant_id = ${scope.tenantId} and due_at is not null`,
    ...(after === undefined ? [] : [sql`${week} >= ${weekOf(sql`${after}::timestamptz`)}`]),
    ...(before === undefined ? [] : [sql`${week} <= ${weekOf(sql`${before}::timestamptz`)}`]),
    ...(from === undefined ? [] : [sql`${week} ${behind}= ${weekOf(sql`${from}::timestamptz`)}`]),
  ]
  const findWeek = (more: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql`
    select ${week} as number from abuse_case where ${sql.join([...weeks, ...more], sql` and `)} order by ${week} ${direction} limit 1`
  return sql`
    select * from (
      with recursive week as (
        (${findWeek([])})
        union all
        select (${findWeek([sql`${week} ${behind} week.number`])}) from week where week.number is not null
      )
      select due.id, due.created_at from week cross join lateral (
        select id, created_at from (
          select id, created_at from abuse_case where ${sql.join(conditions, sql` and `)} and ${week} = week.number offset 0
        ) as fitting
        ${keyset.orderAndLimit}
      ) as due
      where week.number is not null
      limit ${limit + 1}
    ) as page ${keyset.order}`
}

const SHOWN = sql`id, state, created_at, first_event_date, last_event_date, customer_id, contract_id, due_at`

/**
 * Whether the key of one index is all that decides: its rows are then the page. Otherwise they are
 * found first, without a look at the rows of those that a filter leaves out. What is shown is in no
 * index: it would have to be written there for every event.
 */
function isFoundByKey(filter: CaseFilter, sort: CaseSort): boolean {
  const { createdAt, ...narrowed } = filter
  if (filter.dueBefore !== undefined) return false
  const filters = Object.values(narrowed).filter((value) => value !== undefined).length
  if (sort === 'created_at') return filters <= 1
  return sort !== 'last_event_date' && filters === 0 && createdAt === undefined
}

/**
 * By the last event the cases are found in their own list, which knows what most of them have in
 * common. What few of them have is found in its own index, and sorted.
 */
function chooseTable(filter: CaseFilter, sort: CaseSort): 'abuse_case' | 'case_last_event' {
  const { assigneeUserId, severity, waitingOn, tag, dueBefore } = filter
  const isOfFew = [assigneeUserId, severity, waitingOn, tag, dueBefore].some(
    (value) => value !== undefined,
  )
  return sort === 'last_event_date' && !isOfFew ? 'case_last_event' : 'abuse_case'
}

/** All of a filter but the states, which a list reads one by one. */
function buildCaseConditions(
  scope: TenantScope,
  filter: CaseFilter,
): readonly RawBuilder<unknown>[] {
  const { customerId, contractId, caseGroupId, assigneeUserId, severity, waitingOn, tag } = filter
  const { dueBefore } = filter
  return [
    sql`tenant_id = ${scope.tenantId}`,
    ...(customerId === undefined ? [] : [sql`customer_id = ${customerId}`]),
    ...(contractId === undefined ? [] : [sql`contract_id = ${contractId}`]),
    ...(caseGroupId === undefined ? [] : [sql`case_group_id = ${caseGroupId}`]),
    ...(assigneeUserId === undefined ? [] : [sql`assignee_user_id = ${assigneeUserId}`]),
    ...(severity === undefined ? [] : [sql`severity = ${severity}`]),
    ...(waitingOn === undefined ? [] : [sql`waiting_on = ${waitingOn}`]),
    // Said once more, or the index of what is awaited would not be used: the planner does not know
    // the value.
    ...(waitingOn === undefined || waitingOn === 'none' ? [] : [sql`waiting_on <> 'none'`]),
    ...(tag === undefined ? [] : [sql`tags @> array[${tag}]::text[] and tags <> '{}'`]),
    ...(dueBefore === undefined ? [] : [sql`due_at < ${dueBefore}::timestamptz`]),
    ...buildRange('created_at', filter.createdAt ?? {}),
  ]
}

/** All of a filter, for what is not read in the order of an index. */
export function buildFilterConditions(
  scope: TenantScope,
  filter: CaseFilter,
): readonly RawBuilder<unknown>[] {
  const { states } = filter
  return [
    ...buildCaseConditions(scope, filter),
    ...(states === undefined ? [] : [sql`state = any(${[...states]}::text[])`]),
  ]
}
