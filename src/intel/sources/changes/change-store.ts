// Reads pages of the change log for callers who keep a copy of the set: the subjects of each push
// in their order, and their present entries. A push may have a million subjects, so a page may
// begin and end within one.

import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { textArray } from '../../../kernel/db/sql-array.ts'
import type { FactTable } from '../../facts/source-kinds.ts'
import { ENTRIES_MAX } from './change-wire.ts'

/**
 * How far a caller has read: all pushes up to `serial`, and the first `subjects` subjects of the
 * push after it.
 */
export interface LogPosition {
  readonly serial: number
  readonly subjects: number
}

export interface LogBounds {
  /** The log holds every change after this serial. */
  readonly keptAfter: number
  readonly newest: number
}

/** The serials that the log covers now. */
export async function readLogBounds(db: Db): Promise<LogBounds> {
  const { rows } = await sql<{ kept_after: number; newest: number }>`
    select serial as newest, (select coalesce(min(serial), 1) - 1 from intel_push) as kept_after
    from intel_serial`.execute(db)
  const row = rows[0]
  if (row === undefined) throw new Error('the row of the serial is gone')
  // The row of serial 0 exists from the beginning and has no changes.
  return { keptAfter: Math.max(row.kept_after, 0), newest: row.newest }
}

export interface LoggedSubject {
  readonly serial: number
  readonly atMs: number
  /** The table that the push wrote to; null for pushes of an older version. */
  readonly table: FactTable | null
  readonly subject: string
}

export interface LogPage {
  readonly subjects: readonly LoggedSubject[]
  readonly next: LogPosition
}

interface PushRecord {
  readonly serial: number
  readonly id: number
  readonly subject_count: number
  readonly at_ms: number
  readonly fact_table: FactTable | null
}

/** A part of one push: its subjects `from + 1` to `to`, counted from 1. */
interface Slice {
  readonly push: PushRecord
  readonly from: number
  readonly to: number
}

/**
 * The next subjects after a position, at most `limit`. Null for a position that no page of this log
 * ends at.
 */
export async function readLogPage(
  db: Db,
  after: LogPosition,
  limit: number,
): Promise<LogPage | null> {
  // A push has at least one subject, so a page needs at most `limit` pushes.
  const { rows } = await sql<PushRecord>`
    select serial, id, subject_count, fact_table, date_part('epoch', created_at) * 1000 as at_ms
    from intel_push
    where serial > ${after.serial} and subject_count > 0
    order by serial
    limit ${limit}`.execute(db)
  if (after.subjects > 0 && !isInside(after, rows[0])) return null
  const slices: Slice[] = []
  let next = after
  let room = limit
  for (const push of rows) {
    if (room === 0) break
    // Only the first push can have been read in part before.
    const from = slices.length === 0 ? after.subjects : 0
    const to = Math.min(push.subject_count, from + room)
    slices.push({ push, from, to })
    room -= to - from
    next =
      to === push.subject_count
        ? { serial: push.serial, subjects: 0 }
        : { serial: push.serial - 1, subjects: to }
  }
  return { subjects: await readSlices(db, slices), next }
}

function isInside({ serial, subjects }: LogPosition, push: PushRecord | undefined): boolean {
  return push?.serial === serial + 1 && subjects < push.subject_count
}

// The subjects of a push lie in one array, those of earlier versions in a few. An array never
// changes, so the order of the arrays is the same for each page. A slice of such an array costs as
// much as reading it; to unnest and sort it would take seconds.
async function readSlices(db: Db, slices: readonly Slice[]): Promise<readonly LoggedSubject[]> {
  if (slices.length === 0) return []
  const ids = `{${slices.map(({ push }) => push.id).join(',')}}`
  const froms = `{${slices.map(({ from }) => from).join(',')}}`
  const tos = `{${slices.map(({ to }) => to).join(',')}}`
  const { rows } = await sql<{ ordinal: number; subject: string }>`
    with piece as (
      select ordinal, first, last, subjects,
        (sum(cardinality(subjects)) over (partition by ordinal order by subjects)
          - cardinality(subjects))::integer as before
      from unnest(${ids}::bigint[], ${froms}::integer[], ${tos}::integer[])
        with ordinality as wanted (id, first, last, ordinal)
      join intel_change on push_id = wanted.id
    )
    select ordinal, subject
    from piece
    cross join lateral unnest(
      subjects[greatest(first - before, 0) + 1 : least(last - before, cardinality(subjects))]
    ) with ordinality as cut (subject, at)
    order by ordinal, before, at`.execute(db)
  return rows.flatMap(({ ordinal, subject }) => {
    const push = slices[ordinal - 1]?.push
    if (push === undefined) return []
    return [{ serial: push.serial, atMs: push.at_ms, table: push.fact_table, subject }]
  })
}

export interface StoredEntry {
  readonly subject: string
  readonly table: FactTable
  /** Name of the list or tag; empty for a sighting. */
  readonly name: string
  readonly type: string
  readonly service: string
  readonly count: number
  readonly source: string
  readonly source_kind: string
  readonly is_active: boolean
  readonly first_seen: Date | null
  readonly last_seen: Date | null
  readonly expires_at: Date | null
}

/** The entries of the subjects in one table, at most `ENTRIES_MAX` + 1 each, withdrawn ones too. */
export async function readEntries(
  db: Db,
  table: FactTable,
  subjects: readonly string[],
): Promise<readonly StoredEntry[]> {
  if (subjects.length === 0) return []
  const among = sql`unnest(${textArray(subjects)}::text[]) as wanted (subject)`
  const { rows } =
    table === 'sighting'
      ? await sql<StoredEntry>`
          select wanted.subject, 'sighting' as table, '' as name, fact.type, fact.service, fact.count,
            source.name as source, source.kind as source_kind, true as is_active,
            fact.first_seen, fact.last_seen, null::timestamptz as expires_at
          from ${among}
          cross join lateral (
            select source_id, service, type, sum(count)::bigint as count,
              min(first_seen) as first_seen, max(last_seen) as last_seen
            from known_sighting where subject = wanted.subject
            group by source_id, service, type
            order by source_id, service, type
            limit ${ENTRIES_MAX + 1}
          ) as fact
          join intel_source source on source.id = fact.source_id`.execute(db)
      : await sql<StoredEntry>`
          select wanted.subject, ${sql.lit(table)} as table, fact.name, '' as type, '' as service, 0 as count,
            source.name as source, source.kind as source_kind, fact.is_active,
            fact.first_seen, fact.last_seen, fact.expires_at
          from ${among}
          cross join lateral (
            select source_id, name, is_active, first_seen, last_seen, expires_at
            from ${sql.table(table)} where subject = wanted.subject
            order by source_id, name
            limit ${ENTRIES_MAX + 1}
          ) as fact
          join intel_source source on source.id = fact.source_id`.execute(db)
  return rows
}
