// The numbered change log (design, decision 6): tables intel_serial, intel_push and intel_change.
// Its readers ask which serial is the newest, and which subjects changed after a serial.

import { sql } from 'kysely'
import type { ClientBase } from 'pg'
import type { Db, Tx } from '../../kernel/db/database.ts'
import { seeTables } from '../../kernel/db/database.ts'
import type { FactTable } from '../facts/source-kinds.ts'

interface SerialTables {
  intel_serial: { id: number; serial: number; tag_serial: number }
}

export interface Serials {
  readonly serial: number
  /** Counts changes of the tag catalogue and of the table of sighting rules. */
  readonly tagSerial: number
  /**
   * The mark of the push that has the serial asked about; null when there is none, or no longer.
   */
  readonly mark: string | null
}

/** The newest serials, and the mark by which a copy at `ownSerial` checks its history. */
export async function readSerials(db: Db, ownSerial: number): Promise<Serials> {
  const { rows } = await sql<{ serial: number; tag_serial: number; mark: string | null }>`
    select serial, tag_serial,
      (select mark::text from intel_push where intel_push.serial = ${ownSerial}) as mark
    from intel_serial`.execute(db)
  const row = rows[0]
  if (row === undefined) throw new Error('the row of the serial is gone')
  return { serial: row.serial, tagSerial: row.tag_serial, mark: row.mark }
}

/** True for a server that replays the log of another one, and may be behind it. */
export async function isStandby(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_standby: boolean }>`
    select pg_is_in_recovery() as is_standby`.execute(db)
  return rows[0]?.is_standby === true
}

/** The id of a push that begins. It says nothing of the order in which pushes commit. */
export async function nextPushId(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ id: number }>(`select nextval('intel_push_id') as id`)
  return rows[0]?.id ?? 0
}

export interface NotedChanges {
  /** Rows that the statement returned. */
  readonly rows: number
  /** Different subjects among them. */
  readonly subjects: number
}

/** A statement that needs others in front of it, as parts of one `with`. */
export interface StatementOfParts {
  /** `name as (…)`, several with commas between them. */
  readonly before: string
  /** Returns `subject`. */
  readonly changed: string
}

/**
 * Runs an insert, update or delete that returns `subject`, and notes each of these subjects once as
 * changed by the push.
 */
export async function noteChangedSubjects(
  client: ClientBase,
  pushId: number,
  statement: string | StatementOfParts,
  values: readonly unknown[],
): Promise<NotedChanges> {
  const parts =
    typeof statement === 'string'
      ? `changed as (${statement})`
      : `${statement.before}, changed as (${statement.changed})`
  // Large statements return their rows in the order of subjects, so `distinct` sorts what is sorted
  // already: 3 % of the time of 200,000 inserts (2026-11-23).
  const { rows } = await client.query<NotedChanges>(
    `with ${parts},
    noted as (
      insert into intel_change (push_id, subjects)
      select ${pushId}, array_agg(distinct subject) from changed having count(*) > 0
      returning cardinality(subjects) as subjects
    )
    select (select count(*) from changed) as rows,
      coalesce((select subjects from noted), 0) as subjects`,
    [...values],
  )
  return rows[0] ?? { rows: 0, subjects: 0 }
}

/**
 * Joins what several statements of a push noted, each subject once, under a new id. Needed only
 * when more than one statement changed something, such as a list that lost and gained entries.
 */
export async function joinNotedSubjects(
  client: ClientBase,
  pushId: number,
): Promise<{ readonly id: number; readonly subjects: number }> {
  const id = await nextPushId(client)
  const { rows } = await client.query<{ subjects: number }>(
    `insert into intel_change (push_id, subjects)
    select $2, array_agg(distinct subject)
    from intel_change cross join unnest(subjects) as noted (subject)
    where push_id = $1
    returning cardinality(subjects) as subjects`,
    [pushId, id],
  )
  await client.query('delete from intel_change where push_id = $1', [pushId])
  return { id, subjects: rows[0]?.subjects ?? 0 }
}

export interface NotedPush {
  readonly id: number
  /** The one table that it wrote to. */
  readonly table: FactTable
  readonly subjectCount: number
}

/**
 * Gives the push its serial. It must be the last act of its transaction: the lock on the one row
 * makes the order of commits the order of serials, and every other push waits for it.
 */
export async function raiseSerial(
  client: ClientBase,
  { id, table, subjectCount }: NotedPush,
): Promise<{ readonly serial: number; readonly mark: string }> {
  const { rows } = await client.query<{ serial: number; mark: string }>(
    `with next as (update intel_serial set serial = serial + 1 returning serial)
    insert into intel_push (serial, id, subject_count, fact_table) select serial, $1, $2, $3 from next
    returning serial, mark::text as mark`,
    [id, subjectCount, table],
  )
  const row = rows[0]
  if (row === undefined) throw new Error('the row of the serial is gone')
  return row
}

export async function raiseTagSerial(tx: Tx): Promise<void> {
  await seeTables<SerialTables>(tx)
    .updateTable('intel_serial')
    .set((eb) => ({ tag_serial: eb('tag_serial', '+', 1) }))
    .execute()
}

/**
 * How many subjects were changed by the pushes after one serial and up to another. A subject that
 * changed twice counts twice.
 */
export async function countChanges(
  db: Db,
  range: { readonly after: number; readonly upTo: number },
): Promise<number> {
  const { rows } = await sql<{ subject_count: number }>`
    select coalesce(sum(subject_count), 0)::bigint as subject_count
    from intel_push
    where serial > ${range.after} and serial <= ${range.upTo}`.execute(db)
  return rows[0]?.subject_count ?? 0
}

/** The first small pushes after a serial, each with the number of its subjects. */
export async function listSmallPushes(
  db: Db,
  { after, subjectsMax, limit }: { after: number; subjectsMax: number; limit: number },
): Promise<readonly { readonly serial: number; readonly subject_count: number }[]> {
  const { rows } = await sql<{ serial: number; subject_count: number }>`
    select serial, subject_count from intel_push
    where serial > ${after} and subject_count <= ${subjectsMax}
    order by serial limit ${limit}`.execute(db)
  return rows
}

/** The subjects that changed after serial $1, each once, in no order. For a `from` clause. */
export const CHANGED_SUBJECTS = `
  select distinct subject collate "C" as subject
  from intel_push
  join intel_change on push_id = intel_push.id
  cross join unnest(subjects) as changed (subject)
  where serial > $1`

// A node that was away for longer builds its copy anew, which takes seconds.
const KEPT_DAYS = 7
// Beyond this many, reading the changes takes longer than reading everything. About 100 MB.
const KEPT_SUBJECTS = 5_000_000

/**
 * Forgets changes that no copy is expected to need any more. The last push always stays, since
 * copies are compared with it.
 */
export async function pruneChanges(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    with counted as (
      select serial, id, created_at, sum(subject_count) over (order by serial desc) as newer
      from intel_push
    ), old as (
      select serial, id from counted
      where serial < (select serial from intel_serial)
        and (created_at < now() - make_interval(days => ${KEPT_DAYS}) or newer > ${KEPT_SUBJECTS})
    ), forgotten as (
      delete from intel_push using old where intel_push.serial = old.serial
    )
    delete from intel_change using old where push_id = old.id`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
