// How many reports of all tenants wait for their reader, and how long the oldest has waited.

import { sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { NOT_READ_YET } from './report-tables.ts'

export interface UnreadReports {
  /** Counted to 10,000. */
  readonly count: number
  /** Null when none waits. */
  readonly oldestSeconds: number | null
}

/** More tell a person no more, and would make the count slow. */
const COUNTED_MAX = 10_000

/** Reads an index that holds the unread reports only, oldest first (ids begin with the time). */
export async function countUnreadReports(db: Db): Promise<UnreadReports> {
  const { rows } = await sql<UnreadReports>`
    select count(*)::integer as count,
      extract(epoch from now() - min(received_at))::float8 as "oldestSeconds"
    from (
      select received_at from report where reason = ${sql.lit(NOT_READ_YET)} order by id limit ${COUNTED_MAX}
    ) as unread`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a count has no row')
  return row
}
