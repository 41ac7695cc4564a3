// The reasons that sources gave for listings and allowances. Only explanations show them, so they
// are not in the snapshot.

import { sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { textArray } from '../../kernel/db/sql-array.ts'
import type { StatementTable } from '../facts/source-kinds.ts'

export interface StatementReason {
  readonly table: StatementTable
  readonly subject: string
  /** Name of the list or tag. */
  readonly name: string
  readonly source: string
  readonly reason: string
}

/** The reasons of all active listings and allowances of the subjects, in any order. */
export async function listReasons(
  db: Db,
  subjects: readonly string[],
): Promise<readonly StatementReason[]> {
  const among = textArray(subjects)
  const { rows } = await sql<StatementReason>`
    select 'listing' as table, subject, fact.name, source.name as source, reason
    from listing fact join intel_source source on source.id = source_id
    where is_active and reason is not null and subject = any(${among}::text[])
    union all
    select 'allowance', subject, fact.name, source.name, reason
    from allowance fact join intel_source source on source.id = source_id
    where is_active and reason is not null and subject = any(${among}::text[])`.execute(db)
  return rows
}
