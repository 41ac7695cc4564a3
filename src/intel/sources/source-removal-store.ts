// Removes a source with all its entries, in one transaction and one serial: a look-up sees all of
// them or none.

import type { Database } from '../../kernel/db/database.ts'
import { type FactTable, STATEMENT_SOURCE_KINDS } from '../facts/source-kinds.ts'
import { inPush } from './push/push-transaction.ts'

/** The table of the entries of such sources. Every kind without a list of its own is a sensor. */
function tableOfSourceKind(kind: string): FactTable {
  switch (kind) {
    case STATEMENT_SOURCE_KINDS.listing:
      return 'listing'
    case STATEMENT_SOURCE_KINDS.tagging:
      return 'tagging'
    case STATEMENT_SOURCE_KINDS.allowance:
      return 'allowance'
    default:
      return 'sighting'
  }
}

// Nodes learn of a removal from the change log.
const NO_AUDIENCE = { facts: null, listener: null } as const

/** The number of removed entries. */
export async function removeSource(
  { pool }: Pick<Database, 'pool'>,
  source: { readonly id: number; readonly kind: string },
): Promise<number> {
  const table = tableOfSourceKind(source.kind)
  let removed = 0
  await inPush(pool, table, NO_AUDIENCE, async ({ client, noteChanges }) => {
    // Wait for a running replacement of the whole list.
    await client.query('select id from intel_source where id = $1 for update', [source.id])
    removed = await noteChanges(`delete from ${table} where source_id = $1 returning subject`, [
      source.id,
    ])
    await client.query('delete from intel_source where id = $1', [source.id])
    return false
  })
  return removed
}
