// Moves the staged rows of a push into their table of facts. Most large pushes have new keys only
// and are inserted plainly; other rows are merged with the known ones. `ON CONFLICT` looks each key
// up twice, so the plain insert takes half the time.

import type { FactTable } from '../../facts/source-kinds.ts'
import type { PushTransaction } from './push-transaction.ts'
import type { StagedRows } from './staged-rows.ts'

/**
 * The staging tables of a connection: name, and columns as COPY fills them. Behind a pooler such a
 * table outlives the process that made it, so other columns need the next number in the name.
 */
export const STAGED_SIGHTINGS = {
  name: 'staged_sighting_1',
  columns:
    'subject text collate "C", source_no integer, service text, type text, first_ms float8, last_ms float8, count bigint',
} as const

export const STAGED_STATEMENTS = {
  name: 'staged_statement_1',
  columns:
    'subject text collate "C", source_no integer, name text, is_active boolean, reason text, first_ms float8, last_ms float8, has_last boolean, expires_ms float8',
} as const

// Fewer rows are merged faster than a sample of them is looked up.
const PLAIN_MIN = 1_000
// Rows looked up beforehand. When the sample misses the known keys of a push, the plain insert
// fails at the first known row and the merge follows.
const SAMPLE_ROWS = 64

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
    const noted = await push.noteAllNew(`${insertOf(table, 'true')} returning subject`, [sourceIds])
    if (noted !== null) return true
  }
  for (const merge of mergesOf(table, staged)) {
    // One connection, one statement after the other.
    // oxlint-disable-next-line eslint/no-await-in-loop
    await push.noteChanges(merge, [sourceIds])
  }
  return false
}

// The planner has no statistics of a table that was just filled. `limit` keeps it from reading the
// whole table of facts for a few rows.
async function isSampleKnown(
  { client }: PushTransaction,
  table: FactTable,
  { rowCount }: StagedKind,
  sourceIds: string,
): Promise<boolean> {
  const percent = Math.min(100, (SAMPLE_ROWS * 100) / rowCount)
  const { rows } = await client.query<{ is_known: boolean }>(
    `select exists (
      select from ${stagingOf(table)} as staged tablesample bernoulli (${percent})
      cross join lateral (
        select from ${table} as known
        where known.subject = staged.subject
          and known.source_id = ($1::integer[])[staged.source_no]
          and ${KEY_OF[table === 'sighting' ? 'sighting' : 'statement']}
        limit 1
      ) as found
    ) as is_known`,
    [sourceIds],
  )
  return rows[0]?.is_known === true
}

const KEY_OF = {
  sighting:
    'known.service = staged.service and known.type = staged.type and known.first_seen = to_timestamp(staged.first_ms / 1000)',
  statement: 'known.name = staged.name',
} as const

function stagingOf(table: FactTable): string {
  return table === 'sighting' ? STAGED_SIGHTINGS.name : STAGED_STATEMENTS.name
}

/**
 * Inserts the rows that meet the condition. All pushes insert keys in the same order, so they
 * cannot deadlock. $1: the ids of the sources.
 */
function insertOf(table: FactTable, condition: string): string {
  if (table === 'sighting') {
    return `
      insert into sighting as known (subject, source_id, service, type, first_seen, last_seen, count)
      select subject, ($1::integer[])[source_no] as source_id, service, type,
        to_timestamp(first_ms / 1000), to_timestamp(last_ms / 1000), count
      from staged_sighting_1
      where ${condition}
      order by subject, source_id, service, type, first_ms, last_ms`
  }
  return `
    insert into ${table} as known
      (subject, source_id, name, is_active, reason, first_seen, last_seen, expires_at)
    select subject, ($1::integer[])[source_no] as source_id, name, is_active, reason,
      to_timestamp(first_ms / 1000), to_timestamp(last_ms / 1000), to_timestamp(expires_ms / 1000)
    from staged_statement_1
    where ${condition}
    order by subject, source_id, name`
}

// A statement with a time of its own updates a known one differently than a statement without.
function mergesOf(
  table: FactTable,
  { hasGivenTimes, hasAssumedTimes }: StagedKind,
): readonly string[] {
  if (table === 'sighting') return [MERGE_SIGHTINGS]
  const merges: string[] = []
  if (hasGivenTimes) merges.push(mergeStatement(table, true))
  if (hasAssumedTimes) merges.push(mergeStatement(table, false))
  return merges
}

const MERGE_SIGHTINGS = `
  ${insertOf('sighting', 'true')}
  on conflict (subject, source_id, service, type, first_seen, last_seen)
    do update set count = excluded.count where known.count < excluded.count
  returning subject`

function mergeStatement(table: FactTable, hasLastSeen: boolean): string {
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
