// Replaces the whole list of a source, whatever its kind: facts through the change log, own
// networks beside it. Look-ups of this node see the new list when it resolves.

import type { Database } from '../../kernel/db/database.ts'
import { NETWORK_SOURCE_KIND, type StagedTable } from '../facts/source-kinds.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import { replaceNetworks } from './networks/network-store.ts'
import { type Replaced, replaceStatements } from './push/replace-store.ts'
import type { StagedRows } from './push/staged-rows.ts'

interface ListReplacement {
  readonly table: StagedTable
  readonly source: string
  readonly staged: StagedRows
  readonly mayShrink: boolean
}

/** Changes nothing when the list shrank by more than half and `mayShrink` is false. */
export type ReplaceList = (replacement: ListReplacement) => Promise<Replaced>

export interface ReplaceListDeps {
  readonly database: Pick<Database, 'kysely' | 'pool'>
  readonly index: Pick<IntelIndex, 'freshPushes' | 'refreshNow'>
  /** Reads the own networks anew. */
  readonly refreshNetworks: () => Promise<void>
}

export function createReplaceList({
  database,
  index,
  refreshNetworks,
}: ReplaceListDeps): ReplaceList {
  return async ({ table, ...list }) => {
    // The list is durable. When reading it back fails, the call has still succeeded and the next
    // poll reads it.
    if (table === NETWORK_SOURCE_KIND) {
      const replaced = await replaceNetworks(database, list)
      await refreshNetworks().catch(() => undefined)
      return replaced
    }
    const replaced = await replaceStatements(database, { table, ...list }, index.freshPushes)
    if (replaced.kind === 'replaced' && replaced.isChange) {
      await index.refreshNow().catch(() => undefined)
    }
    return replaced
  }
}
