// What a push writes: all its rows, one serial and the list of changed subjects, in one
// transaction. Each key is there once and in one order, so that two pushes of the same subjects
// wait for each other instead of locking each other out.

import type { PoolClient } from 'pg'
import type { Database } from '../../../kernel/db/database.ts'
import { STATEMENT_SOURCE_KINDS, type StatementTable } from '../../facts/source-kinds.ts'
import type { PushListener } from '../../index/fresh-facts.ts'
import { ensureSources } from '../source-store.ts'
import { mergeStaged, STAGED_SIGHTINGS, STAGED_STATEMENTS } from './merge-staged.ts'
import { inPush, stageRows } from './push-transaction.ts'
import { RowStager, type SightingRow, type StagedRows, type StatementRow } from './staged-rows.ts'

type Stores = Pick<Database, 'kysely' | 'pool'>

/**
 * Keeps observations. Of two that differ in their count only, the larger counts. True when anything
 * changed.
 */
export async function pushSightings(
  stores: Stores,
  rows: readonly SightingRow[],
): Promise<boolean> {
  const stager = new RowStager()
  for (const row of rows) stager.addSighting(row)
  return await pushStagedSightings(stores, stager.build())
}

/**
 * The same for rows that are staged already. The listener is told what a push brought of which
 * every row was new.
 */
export async function pushStagedSightings(
  { kysely, pool }: Stores,
  staged: StagedRows,
  listener: PushListener | null = null,
): Promise<boolean> {
  const sourceIds = await ensureSources(kysely, staged.sources)
  const audience = { facts: staged.facts, listener }
  return await inPush(pool, 'sighting', audience, async (push) => {
    await stageRows(push.client, STAGED_SIGHTINGS, staged.pieces)
    if (staged.mayRepeat) await push.client.query(JOIN_SIGHTINGS)
    return await mergeStaged(push, 'sighting', staged, integerArray(sourceIds))
  })
}

const JOIN_SIGHTINGS = `
  with held as (delete from staged_sighting returning *)
  insert into staged_sighting
  select subject, source_no, service, type, first_ms, last_ms, max(count)
  from held
  group by subject, source_no, service, type, first_ms, last_ms`

/**
 * Keeps statements. A known one takes over status, reason and expiry; its times only widen. True
 * when anything changed.
 */
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
  listener: PushListener | null = null,
): Promise<boolean> {
  const sourceIds = await ensureSources(kysely, staged.sources)
  const audience = { facts: staged.facts, listener }
  return await inPush(pool, table, audience, async (push) => {
    await stageStatements(push.client, staged)
    return await mergeStaged(push, table, staged, integerArray(sourceIds))
  })
}

// Of the rows of one key: what the last says, with the times of all; a time that was given counts
// more than the moment of the push. The table was empty before, so the places of its rows are in
// the order in which they came.
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

/** Puts the rows, each key once, into the table that `mergeStaged` reads. */
export async function stageStatements(client: PoolClient, staged: StagedRows): Promise<void> {
  await stageRows(client, STAGED_STATEMENTS, staged.pieces)
  if (staged.mayRepeat) await client.query(JOIN_STATEMENTS)
}

/** As a parameter of type integer[]. */
export function integerArray(values: readonly number[]): string {
  return `{${values.join(',')}}`
}
