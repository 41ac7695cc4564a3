// SQL of exact counts of cases by state, read from the indexes of the lists (migrations 0003 and
// 0010).

import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { CASE_STATES, type CaseState } from '../case-state.ts'
import { buildFilterConditions, type FoundFilter } from './case-list-store.ts'

export type CaseCounts = Readonly<Record<CaseState, number>>

/**
 * The members by which cases can be grouped. Only these names reach the SQL, never a caller's text.
 */
export const COUNTED_BY = ['case_group', 'customer_id', 'assignee_user_id'] as const
export type CountedBy = (typeof COUNTED_BY)[number]

const COLUMNS = {
  case_group: 'case_group_id',
  customer_id: 'customer_id',
  assignee_user_id: 'assignee_user_id',
} as const satisfies Record<CountedBy, string>

export async function countCases(
  db: Db,
  scope: TenantScope,
  filter: FoundFilter,
): Promise<CaseCounts> {
  const result = await sql<{ state: CaseState; count: number }>`
    select state, count(*) as count from abuse_case
    where ${sql.join(buildFilterConditions(scope, filter), sql` and `)} group by state`.execute(db)
  return readCounts(result.rows)
}

export interface CountedGroup {
  /** Null stands for cases without a value. */
  readonly value: string | null
  readonly counts: CaseCounts
}

/**
 * The groups with the most cases first: up to `limit`, and one more if there are further groups.
 */
export async function countCasesBy(
  db: Db,
  scope: TenantScope,
  filter: FoundFilter,
  by: CountedBy,
  limit: number,
): Promise<readonly CountedGroup[]> {
  const column = sql.ref(COLUMNS[by])
  const result = await sql<{ value: string | null; counts: Record<string, number> }>`
    select value, json_object_agg(state, count) as counts from (
      select ${column} as value, state, count(*) as count from abuse_case
      where ${sql.join(buildFilterConditions(scope, filter), sql` and `)} group by 1, 2
    ) as counted
    group by value order by sum(count) desc, value limit ${limit + 1}`.execute(db)
  return result.rows.map((row) => ({
    value: row.value,
    counts: readCounts(CASE_STATES.map((state) => ({ state, count: row.counts[state] ?? 0 }))),
  }))
}

function readCounts(rows: readonly { state: CaseState; count: number }[]): CaseCounts {
  const counts: Record<CaseState, number> = { NEW: 0, IN_PROGRESS: 0, RESOLVED: 0, CLOSED: 0 }
  for (const { state, count } of rows) counts[state] = count
  return counts
}
