// What a push writes: all its rows, one serial and the list of changed subjects, in one transaction. Each key is there once and in one
// order, so that two pushes of the same subjects wait for each other instead of locking each other out.

import type { PoolClient } from 'pg'
import type { Database } from '../../kernel/db/database.ts'
import { inPush, stageRows } from './push-transaction.ts'
import { STATEMENT_SOURCE_KINDS } from './source-kinds.ts'
import { ensureSources } from './source-store.ts'
import { RowStager, type SightingRow, type StagedRows, type StatementRow } from './staged-rows.ts'

export type StatementTable = keyof typeof STATEMENT_SOURCE_KINDS

type Stores = Pick<Database, 'kysely' | 'pool'>

/** Keeps observations. Of two that differ in their count only, the larger counts. True when anything changed. */
export async function pushSightings(
  stores: Stores,
  rows: readonly SightingRow[],
): Promise<boolean> {
  const stager = new RowStager()
  for (const row of rows) stager.addSighting(row)
  return await pushStagedSightings(stores, stager.build())
}

/** The same for rows that are staged already. */
export async function pushStagedSightings(
  { kysely, pool }: Stores,
  staged: StagedRows,
): Promise<boolean> {
  const sourceIds = await ensureSources(kysely, staged.sources)
  return await inPush(pool, 'sighting', async ({ client, noteChanges }) => {
    await stageRows(client, STAGED_SIGHTINGS, staged.pieces)
    if (staged.mayRepeat) await client.query(JOIN_SIGHTINGS)
    await noteChanges(MERGE_SIGHTINGS, [integerArray(sourceIds)])
  })
}

const STAGED_SIGHTINGS = {
  name: 'staged_sighting',
  columns:
    'subject text collate "C", source_no integer, service text, type text, first_ms float8, last_ms float8, count bigint',
} as const

const JOIN_SIGHTINGS = `
  with held as (delete from staged_sighting returning *)
  insert into staged_sighting
  select subject, source_no, service, type, first_ms, last_ms, max(count)
  from held
  group by subject, source_no, service, type, first_ms, last_ms`

// $1 are the ids of the sources by their numbers in the push.
const MERGE_SIGHTINGS = `
  insert into sighting as known (subject, source_id, service, type, first_seen, last_seen, count)
  select subject, ($1::integer[])[source_no] as source_id, service, type,
    to_timestamp(first_ms / 1000), to_timestamp(last_ms / 1000), count
  from staged_sighting
  order by subject, source_id, service, type, first_ms, last_ms
  on conflict (subject, source_id, service, type, first_seen, last_seen)
    do update set count = excluded.count where known.count < excluded.count
  returning subject`

/** Keeps statements. A known one takes over status, reason and expiry; its times only widen. True when anything changed. */
export async function pushStatements(
  stores: Stores,
  table: StatementTable,
  rows: readonly StatementRow[],
): Promise<boolean> {
  const stager = new RowStager()
  for (const row of rows) stager.addStatement(STATEMENT_SOURCE_KINDS[table], row)
  return await pushStagedStatements(stores, table, stager.build())
}

/** The same for rows that are staged already. */
export async function pushStagedStatements(
  { kysely, pool }: Stores,
  table: StatementTable,
  staged: StagedRows,
): Promise<boolean> {
  const sourceIds = await ensureSources(kysely, staged.sources)
  return await inPush(pool, table, async ({ client, noteChanges }) => {
    await stageStatements(client, staged)
    for (const merge of mergesOf(table, staged)) {
      await noteChanges(merge, [integerArray(sourceIds)])
    }
  })
}

const STAGED_STATEMENTS = {
  name: 'staged_statement',
  columns:
    'subject text collate "C", source_no integer, name text, is_active boolean, reason text, first_ms float8, last_ms float8, has_last boolean, expires_ms float8',
} as const

// Of the rows of one key: what the last says, with the times of all; a time that was given counts more than the moment of the push. The
// table was empty before, so the places of its rows are in the order in which they came.
const JOIN_STATEMENTS = `
  with held as (delete from staged_statement returning ctid as place, *)
  insert into staged_statement
  select distinct on (subject, source_no, name)
    subject, source_no, name, is_active, reason,
    min(first_ms) over same,
    coalesce(max(last_ms) filter (where has_last) over same, max(last_ms) over same),
    bool_or(has_last) over same,
    expires_ms
  from held
  window same as (partition by subject, source_no, name)
  order by subject, source_no, name, place desc`

/** Puts the rows, each key once, into the table that `mergesOf` reads. */
export async function stageStatements(client: PoolClient, staged: StagedRows): Promise<void> {
  await stageRows(client, STAGED_STATEMENTS, staged.pieces)
  if (staged.mayRepeat) await client.query(JOIN_STATEMENTS)
}

/** The statements that take the staged rows into `table`; those with and without a time of their own differ. $1: the ids of the sources. */
export function mergesOf(
  table: StatementTable,
  { hasGivenTimes, hasAssumedTimes }: StagedRows,
): readonly string[] {
  const merges: string[] = []
  if (hasGivenTimes) merges.push(mergeStatement(table, true))
  if (hasAssumedTimes) merges.push(mergeStatement(table, false))
  return merges
}

function mergeStatement(table: StatementTable, hasLastSeen: boolean): string {
  const lastSeen = hasLastSeen ? 'greatest(known.last_seen, excluded.last_seen)' : 'known.last_seen'
  return `
    insert into ${table} as known
      (subject, source_id, name, is_active, reason, first_seen, last_seen, expires_at)
    select subject, ($1::integer[])[source_no] as source_id, name, is_active, reason,
      to_timestamp(first_ms / 1000), to_timestamp(last_ms / 1000), to_timestamp(expires_ms / 1000)
    from staged_statement
    where has_last = ${hasLastSeen}
    order by subject, source_id, name
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

/** As a parameter of type integer[]. */
export function integerArray(values: readonly number[]): string {
  return `{${values.join(',')}}`
}
