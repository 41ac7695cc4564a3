// Moves the staged rows of a push into their table of facts. Most large pushes have new keys only
// and are inserted plainly; other rows are merged with the known ones. `ON CONFLICT` looks each key
// up twice, so the plain insert takes half the time.

import type { FactTable } from '../../facts/source-kinds.ts'
import {
  insertDays,
  insertObservations,
  mergeSightings,
  SOURCE_OF_PUSH,
  STAGED_SIGHTINGS,
  stagedSightings,
} from './merge-sightings.ts'
import type { PushTransaction } from './push-transaction.ts'
import type { StagedRows } from './staged-rows.ts'

/**
 * The staging table of statements, as that of sightings (merge-sightings.ts).
 */
export const STAGED_STATEMENTS = {
  name: 'staged_statement_2',
  columns:
    'subject text collate "C", source_no integer, name text, is_active boolean, reason text, first_ms float8, last_ms float8, has_last boolean, expires_ms float8, row_no integer',
} as const

// Fewer rows are merged faster than a sample of them is looked up.
const PLAIN_MIN = 1_000
// Rows looked up beforehand, evenly spread over the push. When the sample misses the known keys,
// the plain insert fails at the first known row and the merge follows.
const SAMPLE_ROWS = 64

type StagedStatementTable = Exclude<FactTable, 'sighting'>

export type StagedKind = Pick<StagedRows, 'rowCount' | 'hasGivenTimes' | 'hasAssumedTimes'>

/**
 * Merges the rows, each key once, from the staging table of their kind. `sourceIds` is an
 * integer[]: the ids of the sources by their numbers in the push. True when every row was new.
 */
export async function mergeStaged(
  push: PushTransaction,
  table: FactTable,
  staged: StagedKind,
  sourceIds: string,
): Promise<boolean> {
  if (staged.rowCount >= PLAIN_MIN && !(await isSampleKnown(push, table, staged, sourceIds))) {
    if (await insertAllNew(push, table, staged, sourceIds)) return true
  }
  if (table === 'sighting') {
    await mergeSightings(push, SOURCE_OF_PUSH, [sourceIds])
    return false
  }
  for (const merge of mergesOf(table, staged)) {
    // One connection, one statement after the other.
    // oxlint-disable-next-line eslint/no-await-in-loop
    await push.noteChanges(merge, [sourceIds])
  }
  return false
}

/** Inserts all rows plainly; false, and nothing is changed, when a key is known. */
async function insertAllNew(
  { client, noteAllNew }: PushTransaction,
  table: FactTable,
  { rowCount }: StagedKind,
  sourceIds: string,
): Promise<boolean> {
  const insert = table === 'sighting' ? insertDays(SOURCE_OF_PUSH) : insertOf(table, 'true')
  const noted = await noteAllNew(`${insert} returning subject`, [sourceIds])
  if (noted === null) return false
  const hasSeveralOfADay = table === 'sighting' && noted < rowCount
  if (hasSeveralOfADay) await client.query(insertObservations(SOURCE_OF_PUSH), [sourceIds])
  return true
}

// The planner has no statistics of a table that was just filled. `limit` keeps it from reading the
// whole table of facts for a few rows.
async function isSampleKnown(
  { client }: PushTransaction,
  table: FactTable,
  { rowCount }: StagedKind,
  sourceIds: string,
): Promise<boolean> {
  const step = Math.max(1, Math.floor(rowCount / SAMPLE_ROWS))
  const isSighting = table === 'sighting'
  const from = isSighting ? STAGED_SIGHTINGS.name : STAGED_STATEMENTS.name
  const sample = `(select * from ${from} where row_no % ${step} = 0) as sample`
  const staged = isSighting
    ? stagedSightings(SOURCE_OF_PUSH, sample)
    : `(select *, ${SOURCE_OF_PUSH} as source_id from ${sample})`
  const { rows } = await client.query<{ is_known: boolean }>(
    `select exists (
      select from ${staged} as staged
      cross join lateral (
        select from ${table} as known
        where known.subject = staged.subject and known.source_id = staged.source_id
          and ${KEY_OF[isSighting ? 'sighting' : 'statement']}
        limit 1
      ) as found
    ) as is_known`,
    [sourceIds],
  )
  return rows[0]?.is_known === true
}

const KEY_OF = {
  sighting:
    'known.service = staged.service and known.type = staged.type and known.day = staged.day',
  statement: 'known.name = staged.name',
} as const

/**
 * Inserts the rows that meet the condition. All pushes insert keys in the same order, so they
 * cannot deadlock. $1: the ids of the sources.
 */
function insertOf(table: StagedStatementTable, condition: string): string {
  return `
    insert into ${table} as known
      (subject, source_id, name, is_active, reason, first_seen, last_seen, expires_at)
    select subject, ${SOURCE_OF_PUSH} as source_id, name, is_active, reason,
      to_timestamp(first_ms / 1000), to_timestamp(last_ms / 1000), to_timestamp(expires_ms / 1000)
    from ${STAGED_STATEMENTS.name}
    where ${condition}
    order by subject, source_id, name`
}

// A statement with a time of its own updates a known one differently than a statement without.
function mergesOf(
  table: StagedStatementTable,
  { hasGivenTimes, hasAssumedTimes }: StagedKind,
): readonly string[] {
  const merges: string[] = []
  if (hasGivenTimes) merges.push(mergeStatement(table, true))
  if (hasAssumedTimes) merges.push(mergeStatement(table, false))
  return merges
}

function mergeStatement(table: StagedStatementTable, hasLastSeen: boolean): string {
  const lastSeen = hasLastSeen ? 'greatest(known.last_seen, excluded.last_seen)' : 'known.last_seen'
  return `
    ${insertOf(table, `has_last = ${hasLastSeen}`)}
    on conflict (subject, source_id, name) do update set
      is_active = excluded.is_active,
      reason = excluded.reason,
      expires_at = excluded.expires_at,
      first_seen = least(known.first_seen, excluded.first_seen),
      last_seen = ${lastSeen}
    where (known.is_active, known.reason, known.expires_at)
        is distinct from (excluded.is_active, excluded.reason, excluded.expires_at)
      or known.first_seen > excluded.first_seen
      or known.last_seen < ${lastSeen}
    returning subject`
}
