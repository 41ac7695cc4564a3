// Deletes listings, taggings and allowances that expired or were withdrawn some days ago. The
// snapshot leaves them out at the same age by itself (index/fact-columns.ts,
// snapshot/merge-snapshots.ts), so no verdict changes and nothing is noted in the change log.

import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { StatementTable } from '../../facts/source-kinds.ts'

// About 20 ms of the database.
const STEP_ROWS = 5_000
// From the end of one pass over a table to the beginning of the next: 10 million entries are 40 s
// of the database in each.
const PASS_PAUSE_SECONDS = 3_600

export const SWEEP_TABLES: readonly StatementTable[] = ['listing', 'tagging', 'allowance']

export interface SweepStep {
  readonly removed: number
  /** There may be more at once. */
  readonly isMore: boolean
}

/**
 * Looks at the next entries of a table and deletes those that ran out before `before`. Nodes take
 * turns; `isMore` is false at the end of the table, and while another node is at work.
 */
export async function sweepEntries(
  db: Db,
  table: StatementTable,
  before: Date,
  limit = STEP_ROWS,
): Promise<SweepStep> {
  const from = sql.table(table)
  const { rows } = await sql<{ looked: number; removed: number }>`
    with turn as (
      select fact_table, subject, source_id, name from fact_sweep
      where fact_table = ${table} and next_at <= now()
      for update skip locked
    ),
    looked as (
      select entry.* from turn
      cross join lateral (
        select subject, source_id, name from ${from}
        where (subject, source_id, name) > (turn.subject, turn.source_id, turn.name)
        order by subject, source_id, name
        limit ${limit}
      ) as entry
    ),
    last as (
      select subject, source_id, name from looked
      order by subject desc, source_id desc, name desc limit 1
    ),
    gone as (
      delete from ${from} as entry using looked
      where (entry.subject, entry.source_id, entry.name) = (looked.subject, looked.source_id, looked.name)
        and (entry.expires_at <= ${before} or (not entry.is_active and entry.last_seen <= ${before}))
      returning 1
    ),
    counted as (select count(*) as looked from looked),
    moved as (
      update fact_sweep set
        subject = case when is_end then '' else coalesce(last.subject, '') end,
        source_id = case when is_end then 0 else coalesce(last.source_id, 0) end,
        name = case when is_end then '' else coalesce(last.name, '') end,
        next_at = case when is_end then pass.later else next_at end
      from turn
      cross join (
        select looked < ${limit} as is_end, now() + make_interval(secs => ${PASS_PAUSE_SECONDS}) as later from counted
      ) as pass
      left join last on true
      where fact_sweep.fact_table = turn.fact_table
    )
    select looked, (select count(*) from gone) as removed from counted`.execute(db)
  const { looked = 0, removed = 0 } = rows[0] ?? {}
  return { removed, isMore: looked === limit }
}
