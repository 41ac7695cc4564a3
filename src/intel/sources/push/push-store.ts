// Writes a push: all its rows, one serial and the list of changed subjects, in one transaction.
// Each key is written once and in one order, so that two pushes of the same subjects wait for each
// other and never deadlock.

import type { PoolClient } from 'pg'
import type { Database } from '../../../kernel/db/database.ts'
import { STATEMENT_SOURCE_KINDS, type StatementTable } from '../../facts/source-kinds.ts'
import type { PushListener } from '../../index/fresh-facts.ts'
import { ensureSources } from '../source-store.ts'
import { hasFormerSightings, takeFormerSightings } from './former-sightings.ts'
import { SOURCE_OF_PUSH, STAGED_SIGHTINGS } from './merge-sightings.ts'
import { mergeStaged, STAGED_STATEMENTS } from './merge-staged.ts'
import { inPush, stageRows } from './push-transaction.ts'
import { RowStager, type SightingRow, type StagedRows, type StatementRow } from './staged-rows.ts'

type Stores = Pick<Database, 'kysely' | 'pool'>

/**
 * Stores sightings. Of two that differ only in their count, the larger count is stored. True when
 * anything changed.
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
  const ids = integerArray(sourceIds)
  const hasFormer = await hasFormerSightings(pool)
  const audience = { facts: staged.facts, listener }
  return await inPush(pool, 'sighting', audience, async (push) => {
    const { client } = push
    await stageRows(client, STAGED_SIGHTINGS, staged.pieces)
    const former = hasFormer ? await takeFormerSightings(client, SOURCE_OF_PUSH, [ids]) : 0
    if (staged.mayRepeat || former > 0) await client.query(DROP_REPEATED_SIGHTINGS)
    const isAllNew = await mergeStaged(push, 'sighting', staged, ids)
    return isAllNew && former === 0
  })
}

// Of the rows of one observation the one with the largest count stays.
const DROP_REPEATED_SIGHTINGS = `
  delete from ${STAGED_SIGHTINGS.name} as staged
  using (
    select row_no, row_number() over (
      partition by subject, source_no, service, type, first_ms, last_ms order by count desc, row_no
    ) as place
    from ${STAGED_SIGHTINGS.name}
  ) as ranked
  where ranked.place > 1 and staged.row_no = ranked.row_no`

/**
 * Stores statements. A known statement gets the new status, reason and expiry; the span from its
 * first to its last time only grows. True when anything changed.
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

// Of the rows of one key the last counts, with the times of all; a given time counts more than the
// time of the push. First the last row gets the times.
const JOIN_STATEMENTS = `
  update ${STAGED_STATEMENTS.name} as staged
  set first_ms = joined.first_ms, last_ms = joined.last_ms, has_last = joined.has_last
  from (
    select max(row_no) as row_no, min(first_ms) as first_ms, bool_or(has_last) as has_last,
      coalesce(max(last_ms) filter (where has_last), max(last_ms)) as last_ms
    from ${STAGED_STATEMENTS.name}
    group by subject, source_no, name having count(*) > 1
  ) as joined
  where staged.row_no = joined.row_no`
const DROP_REPEATED_STATEMENTS = `
  delete from ${STAGED_STATEMENTS.name} as staged
  using (
    select row_no, max(row_no) over (partition by subject, source_no, name) as last_no
    from ${STAGED_STATEMENTS.name}
  ) as ranked
  where ranked.row_no < ranked.last_no and staged.row_no = ranked.row_no`

/** Fills the table that `mergeStaged` reads, each key once. */
export async function stageStatements(client: PoolClient, staged: StagedRows): Promise<void> {
  await stageRows(client, STAGED_STATEMENTS, staged.pieces)
  if (!staged.mayRepeat) return
  await client.query(JOIN_STATEMENTS)
  await client.query(DROP_REPEATED_STATEMENTS)
}

/** As a parameter of type integer[]. */
export function integerArray(values: readonly number[]): string {
  return `{${values.join(',')}}`
}
