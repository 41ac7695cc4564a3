// Replaces all entries of a source by a whole new list, in one transaction and one serial: a
// look-up sees the old list or the new one.

import type { PoolClient } from 'pg'
import type { Database } from '../../../kernel/db/database.ts'
import { seeTransaction } from '../../../kernel/db/see-transaction.ts'
import { STATEMENT_SOURCE_KINDS, type StatementTable } from '../../facts/source-kinds.ts'
import type { PushListener } from '../../index/fresh-facts.ts'
import { noteSync } from '../history/source-history-store.ts'
import { ensureSources } from '../source-store.ts'
import { mergeStaged, STAGED_STATEMENTS } from './merge-staged.ts'
import { integerArray, stageStatements } from './push-store.ts'
import { inPush } from './push-transaction.ts'
import type { StagedRows } from './staged-rows.ts'

export interface Replacement {
  readonly table: StatementTable
  readonly source: string
  /** All entries of the new list. */
  readonly staged: StagedRows
  /**
   * False refuses a list with less than half as many entries as the source has: most often such a
   * file is incomplete or the wrong one.
   */
  readonly mayShrink: boolean
}

export type Replaced =
  | { readonly kind: 'replaced'; readonly removed: number; readonly isChange: boolean }
  | { readonly kind: 'shrank'; readonly before: number; readonly after: number }

/** Changes nothing when the list shrank by more than half and `mayShrink` is false. */
export async function replaceStatements(
  { kysely, pool }: Pick<Database, 'kysely' | 'pool'>,
  { table, source, staged, mayShrink }: Replacement,
  listener: PushListener | null = null,
): Promise<Replaced> {
  const wanted = { kind: STATEMENT_SOURCE_KINDS[table], name: source }
  const [sourceId = 0] = await ensureSources(kysely, [wanted])
  let result: Replaced = { kind: 'replaced', removed: 0, isChange: false }
  const audience = { facts: staged.facts, listener }
  const isChange = await inPush(pool, table, audience, async (push) => {
    const { client, noteChanges } = push
    // Replacements of one source run one after the other; pushes to it are not blocked.
    await client.query('select id from intel_source where id = $1 for update', [sourceId])
    const { all, live: before } = await countRows(client, table, sourceId)
    await stageStatements(client, staged)
    const after = staged.mayRepeat ? await countStaged(client) : staged.rowCount
    if (!mayShrink && after * 2 < before) {
      result = { kind: 'shrank', before, after }
      return false
    }
    const removed = await noteChanges(
      `delete from ${table} as known
      where source_id = $1 and not exists (
        select from ${STAGED_STATEMENTS.name} as staged
        where staged.subject = known.subject and staged.name = known.name
      )
      returning subject`,
      [sourceId],
    )
    result = { kind: 'replaced', removed, isChange: false }
    const isAllNew = await mergeStaged(push, table, staged, integerArray([sourceId]))
    const added = after - (all - removed)
    await noteSync(seeTransaction(client), { sourceId, entries: after, added, removed })
    return isAllNew && removed === 0
  })
  return result.kind === 'replaced' ? { ...result, isChange } : result
}

/** The entries of the source, and those of them that are not withdrawn. */
async function countRows(
  client: PoolClient,
  table: StatementTable,
  sourceId: number,
): Promise<{ readonly all: number; readonly live: number }> {
  const { rows } = await client.query<{ all: number; live: number }>(
    `select count(*) as all, count(*) filter (where is_active) as live
    from ${table} where source_id = $1`,
    [sourceId],
  )
  return rows[0] ?? { all: 0, live: 0 }
}

async function countStaged(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*) from ${STAGED_STATEMENTS.name}`,
  )
  return rows[0]?.count ?? 0
}
