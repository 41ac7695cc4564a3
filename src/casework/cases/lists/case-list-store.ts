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
import { PLANNED_ALONE } from '../../../kernel/db/planner.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { CaseState } from '../case-state.ts'
import type { Severity, WaitingOn } from '../case-tables.ts'
import { type CaseContent, checkContent, findByContent } from './case-content-store.ts'

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
  /** Cases in any of these states. */
  readonly states?: readonly CaseState[]
  readonly customerId?: string
  readonly contractId?: string
  readonly caseGroupId?: string
  readonly createdAt?: TimeRange
  readonly assigneeUserId?: string
  /** Cases of this user, and of the groups that the user is in. */
  readonly workedBy?: string
  /** Cases without an assignee. */
  readonly isUnassigned?: true
  readonly severity?: Severity
  readonly waitingOn?: WaitingOn
  readonly tag?: string
  /** Cases with a deadline before this time. ISO 8601. */
  readonly dueBefore?: string
  /** Cases with a deadline at this time or later. ISO 8601. */
  readonly dueAfter?: string
  /** Cases with a deadline before this many hours from now. */
  readonly dueWithinHours?: number
  /** Cases created in the last hours, this many. */
  readonly createdWithinHours?: number
  readonly content?: CaseContent
}

/** A filter whose content was looked up. */
export interface FoundFilter extends CaseFilter {
  /** Only these cases, which the content was found in. */
  readonly caseIds?: readonly string[]
}

/** Looks up what a filter says about the content of cases. Throws `filterNotValid`. */
export async function findFilteredCases(
  db: Db,
  scope: TenantScope,
  { content, ...filter }: CaseFilter,
): Promise<FoundFilter> {
  if (content === undefined) return filter
  const { caseIds, rest } = await findByContent(db, scope, content)
  const isLeft = Object.keys(rest).length > 0
  return {
    ...filter,
    ...(caseIds === null ? {} : { caseIds }),
    ...(isLeft ? { content: rest } : {}),
  }
}

/** The order by `due_at` lists only cases that have a deadline. */
export type CaseSort = 'created_at' | 'first_event_date' | 'last_event_date' | 'due_at'

/**
 * The cases of a page: up to `limit` rows, and one more if there is a next page. Throws
 * `filterNotValid`.
 */
export async function listCases(
  db: Db,
  scope: TenantScope,
  asked: CaseFilter,
  sort: CaseSort,
  page: PageRequest,
): Promise<readonly CaseSummaryRow[]> {
  const filter = await findFilteredCases(db, scope, asked)
  const keyset = buildPage(
    [
      { name: sort, type: 'timestamptz' },
      { name: 'id', type: 'text' },
    ],
    page,
  )
  if (filter.caseIds !== undefined) {
    return (await listAmongFound(scope, filter, sort, keyset, filter.caseIds).execute(db)).rows
  }
  const search = chooseSearch(filter, sort)
  const found = search(scope, filter, sort, keyset, page)
  if (isDecidedByIndex(filter, sort)) return (await found.execute(db)).rows
  const listed = sql<CaseSummaryRow>`
    select shown.* from (${found}) as page cross join lateral (
      select ${SHOWN} from abuse_case where tenant_id = ${scope.tenantId} and id = page.id ${PLANNED_ALONE}
    ) as shown ${keyset.order}`
  return (await listed.execute(db)).rows
}

/** Reads each case that was found by its key, and sorts them. */
function listAmongFound(
  scope: TenantScope,
  filter: FoundFilter,
  sort: CaseSort,
  keyset: PageSql,
  caseIds: readonly string[],
): RawBuilder<CaseSummaryRow> {
  // The ids are given once: as a condition too, each case would be compared with all of them.
  const { caseIds: _given, ...others } = filter
  const conditions = [...buildFilterConditions(scope, others), ...keyset.conditions]
  if (sort === 'due_at') conditions.push(sql`due_at is not null`)
  return sql`
    select found.* from unnest(${[...caseIds]}::text[]) as given (id) cross join lateral (
      select ${SHOWN} from abuse_case
      where tenant_id = ${scope.tenantId} and abuse_case.id = given.id collate "C" and ${sql.join(conditions, sql` and `)} ${PLANNED_ALONE}
    ) as found ${keyset.orderAndLimit}`
}

// With these filters alone there may be many due cases in each week.
const FILTERS_BY_WEEK: ReadonlySet<string> = new Set<keyof CaseFilter>([
  'dueBefore',
  'dueAfter',
  'dueWithinHours',
  'states',
  'createdAt',
  'createdWithinHours',
  'caseGroupId',
])

function chooseSearch(filter: CaseFilter, sort: CaseSort) {
  if (!isByDue(filter) || sort === 'due_at') return findInOrder
  // A further filter leaves few cases; they are found by its index and sorted afterwards.
  const isNarrowed = Object.entries(filter).some(
    ([name, value]) => value !== undefined && !FILTERS_BY_WEEK.has(name),
  )
  return sort === 'created_at' && !isNarrowed ? findDueByWeek : findAmongDue
}

/** Scans the index of the order, which also contains the columns of the common filters. */
function findInOrder(
  scope: TenantScope,
  filter: CaseFilter,
  sort: CaseSort,
  keyset: PageSql,
): RawBuilder<CaseSummaryRow> {
  const listed = chooseTable(filter, sort)
  const conditions = [
    ...buildCaseConditions(scope, filter, listed),
    ...(sort === 'due_at' ? [sql`due_at is not null`] : []),
    ...keyset.conditions,
  ]
  const table = sql.table(listed)
  const columns = isDecidedByIndex(filter, sort) ? SHOWN : sql`id, ${sql.ref(sort)}`
  const find = (more: readonly RawBuilder<unknown>[]): RawBuilder<CaseSummaryRow> => sql`
    select ${columns} from ${table}
    where ${sql.join([...conditions, ...more], sql` and `)} ${keyset.orderAndLimit}`
  if (filter.states === undefined) return find([])
  // One ordered index range for each state, merged. With one condition on several states the whole
  // result would be sorted.
  const parts = filter.states.map((state) => sql`(${find([sql`state = ${state}`])})`)
  return sql`select * from (${sql.join(parts, sql` union all `)}) as found ${keyset.orderAndLimit}`
}

/**
 * Finds the due cases first and sorts them afterwards. Due cases are mostly the oldest, so they are
 * at the end of another order; the planner expects them anywhere and would scan all of its index.
 * The inner order starts at the end where the page most likely begins, so that the sort skips most
 * of the later rows by one comparison.
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
      select id, ${sql.ref(sort)} from abuse_case where ${sql.join(conditions, sql` and `)} order by due_at ${sql.raw(order)} ${PLANNED_ALONE}
    ) as due
    ${after} ${keyset.orderAndLimit}`
}

// The same expression as in the index (migration 0031), or the planner would not use it.
function weekOf(time: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`floor(extract(epoch from ${time} at time zone 'UTC') / 604800)`
}

/**
 * Finds due cases week by week of their creation, until the page is full: two index probes for each
 * week that has a case with a deadline, then the due cases of that week. PLANNED_ALONE keeps the
 * planner from scanning an index of all cases in the order of the page for each week, which takes
 * seconds on a table without statistics.
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
  const pageStart = position?.[0]
  const conditionsOfWeeks = [
    sql`tenant_id = ${scope.tenantId} and due_at is not null`,
    ...(after === undefined ? [] : [sql`${week} >= ${weekOf(sql`${after}::timestamptz`)}`]),
    ...(before === undefined ? [] : [sql`${week} <= ${weekOf(sql`${before}::timestamptz`)}`]),
    ...(pageStart === undefined
      ? []
      : [sql`${week} ${behind}= ${weekOf(sql`${pageStart}::timestamptz`)}`]),
  ]
  const findWeek = (more: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql`
    select ${week} as number from abuse_case where ${sql.join([...conditionsOfWeeks, ...more], sql` and `)} order by ${week} ${direction} limit 1`
  return sql`
    select * from (
      with recursive week as (
        (${findWeek([])})
        union all
        select (${findWeek([sql`${week} ${behind} week.number`])}) from week where week.number is not null
      )
      select due.id, due.created_at from week cross join lateral (
        select id, created_at from (
          select id, created_at from abuse_case where ${sql.join(conditions, sql` and `)} and ${week} = week.number ${PLANNED_ALONE}
        ) as fitting
        ${keyset.orderAndLimit}
      ) as due
      where week.number is not null
      limit ${limit + 1}
    ) as page ${keyset.order}`
}

const SHOWN = sql`id, state, created_at, first_event_date, last_event_date, customer_id, contract_id, due_at`

/**
 * Whether the columns of one index decide alone: its rows are then the page. Otherwise the ids are
 * found first, so that rows which a filter excludes are not read. The shown columns are in no
 * index, because every event would have to write them there.
 */
function isDecidedByIndex(filter: CaseFilter, sort: CaseSort): boolean {
  const { createdAt, createdWithinHours, ...narrowed } = filter
  if (isByDue(filter)) return false
  const filters = Object.values(narrowed).filter((value) => value !== undefined).length
  if (sort === 'created_at') return filters <= 1
  return (
    sort !== 'last_event_date' && filters === 0 && (createdAt ?? createdWithinHours) === undefined
  )
}

/**
 * The order by the last event uses the table case_last_event, which contains the columns of the
 * common filters. Rare filters (assignee, severity, tag, deadline) use their own index, and the
 * result is sorted.
 */
function chooseTable(filter: CaseFilter, sort: CaseSort): 'abuse_case' | 'case_last_event' {
  const { assigneeUserId, workedBy, isUnassigned, severity, waitingOn, tag } = filter
  const rare = [assigneeUserId, workedBy, isUnassigned, severity, waitingOn, tag]
  const isRare = isByDue(filter) || rare.some((value) => value !== undefined)
  return sort === 'last_event_date' && !isRare ? 'case_last_event' : 'abuse_case'
}

function isByDue({ dueBefore, dueAfter, dueWithinHours }: CaseFilter): boolean {
  return (dueBefore ?? dueAfter ?? dueWithinHours) !== undefined
}

/** The conditions of a filter without the states, which a list reads one by one. */
function buildCaseConditions(
  scope: TenantScope,
  filter: CaseFilter,
  table: 'abuse_case' | 'case_last_event',
): readonly RawBuilder<unknown>[] {
  const { customerId, contractId, caseGroupId, assigneeUserId, severity, waitingOn, tag } = filter
  const { dueBefore, dueAfter, dueWithinHours, createdWithinHours, workedBy } = filter
  return [
    sql`tenant_id = ${scope.tenantId}`,
    ...(customerId === undefined ? [] : [sql`customer_id = ${customerId}`]),
    ...(contractId === undefined ? [] : [sql`contract_id = ${contractId}`]),
    ...(caseGroupId === undefined ? [] : [sql`case_group_id = ${caseGroupId}`]),
    ...(assigneeUserId === undefined ? [] : [sql`assignee_user_id = ${assigneeUserId}`]),
    ...(workedBy === undefined ? [] : [isWorkedBy(scope, workedBy)]),
    ...(filter.isUnassigned === true ? [sql`assignee_user_id is null`] : []),
    ...(severity === undefined ? [] : [sql`severity = ${severity}`]),
    ...(waitingOn === undefined ? [] : [sql`waiting_on = ${waitingOn}`]),
    // Repeats the condition of the partial index: the planner does not know the value of the
    // parameter.
    ...(waitingOn === undefined || waitingOn === 'none' ? [] : [sql`waiting_on <> 'none'`]),
    ...(tag === undefined ? [] : [sql`tags @> array[${tag}]::text[] and tags <> '{}'`]),
    ...(dueBefore === undefined ? [] : [sql`due_at < ${dueBefore}::timestamptz`]),
    ...(dueAfter === undefined ? [] : [sql`due_at >= ${dueAfter}::timestamptz`]),
    ...(dueWithinHours === undefined
      ? []
      : [sql`due_at < now() + make_interval(hours => ${dueWithinHours}::int)`]),
    ...buildRange('created_at', filter.createdAt ?? {}),
    ...(createdWithinHours === undefined
      ? []
      : [sql`created_at >= now() - make_interval(hours => ${createdWithinHours}::int)`]),
    ...(filter.content === undefined ? [] : checkContent(scope, filter.content, table)),
  ]
}

/** An array, so that the index of assignees is used. */
function isWorkedBy({ tenantId }: TenantScope, userId: string): RawBuilder<unknown> {
  return sql`assignee_user_id = any (array(
    select ${userId}::text union all
    select m.group_id from user_group_member m
    where m.tenant_id = ${tenantId} and m.user_id = ${userId}))`
}

/** All conditions of a filter, for statements that do not read in the order of an index. */
export function buildFilterConditions(
  scope: TenantScope,
  filter: FoundFilter,
): readonly RawBuilder<unknown>[] {
  const { states, caseIds } = filter
  return [
    ...buildCaseConditions(scope, filter, 'abuse_case'),
    ...(states === undefined ? [] : [sql`state = any(${[...states]}::text[])`]),
    ...(caseIds === undefined ? [] : [sql`id = any(${[...caseIds]}::text[])`]),
  ]
}
