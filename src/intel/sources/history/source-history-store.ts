// SQL of the history of a source: what each sync of its list left behind, summed up by day. A sync
// writes one row and removes those that are too old, so no job is needed.

import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'

/** A year to compare with, and some weeks more. */
export const HISTORY_DAYS_MAX = 400

/** The replacement of the whole list of a source. */
export interface Sync {
  readonly sourceId: number
  /** Number of entries of the new list. */
  readonly entries: number
  readonly added: number
  readonly removed: number
}

/** Inside the transaction that replaces the list, which has locked the row of the source. */
export async function noteSync(db: Db, { sourceId, entries, added, removed }: Sync): Promise<void> {
  await sql`
    delete from source_history
    where source_id = ${sourceId} and day <= (now() at time zone 'UTC')::date - ${HISTORY_DAYS_MAX}::integer`.execute(
    db,
  )
  await sql`
    insert into source_history as known (source_id, day, entries, added, removed, syncs)
    values (${sourceId}, (now() at time zone 'UTC')::date, ${entries}, ${added}, ${removed}, 1)
    on conflict (source_id, day) do update set
      entries = excluded.entries,
      added = known.added + excluded.added,
      removed = known.removed + excluded.removed,
      syncs = known.syncs + 1`.execute(db)
}

export interface SourceDay {
  /** As 2026-11-20, in UTC. */
  readonly date: string
  readonly entries: number
  readonly added: number
  readonly removed: number
  readonly syncs: number
}

/**
 * The days with a sync from this one on, in order. The newest day before them comes first, since
 * its entries are those of the days that follow without a sync.
 */
export async function listSourceDays(
  db: Db,
  sourceId: number,
  fromDate: string,
): Promise<readonly SourceDay[]> {
  const { rows } = await sql<SourceDay>`
    select to_char(day, 'YYYY-MM-DD') as date, entries, added, removed, syncs
    from source_history
    where source_id = ${sourceId} and day >= coalesce(
      (select max(day) from source_history where source_id = ${sourceId} and day <= ${fromDate}::date),
      ${fromDate}::date
    )
    order by source_history.day`.execute(db)
  return rows
}
