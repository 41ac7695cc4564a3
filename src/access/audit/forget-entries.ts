// Retention of the audit log: removes the oldest entries of a chain with what stands beside them.
// A signed checkpoint takes their place, so that the rest can still be verified.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import type { ChainHead } from './audit-entry.ts'
import { type AuditKey, signCheckpoint } from './audit-key.ts'
import { insertCheckpoint } from './audit-store.ts'

export interface RemovedEntries {
  readonly count: number
  /** The last of them. */
  readonly through: ChainHead
}

/** Up to `limit` entries from before this time. Null when there is none. */
export async function forgetEntries(
  tx: Tx,
  key: AuditKey,
  chain: string,
  { before, at, limit }: { readonly before: Date; readonly at: Date; readonly limit: number },
): Promise<RemovedEntries | null> {
  const oldest = await sql<ChainHead & { isDue: boolean }>`
    select seq, encode(hash, 'hex') as hash, at < ${before} as "isDue" from audit_entry
    where tenant_id = ${chain} order by seq limit ${limit}`.execute(tx)
  // A clock that was set back may have left a younger one between them.
  const end = oldest.rows.findIndex(({ isDue }) => !isDue)
  const due = end === -1 ? oldest.rows : oldest.rows.slice(0, end)
  const through = due.at(-1)
  if (through === undefined) return null
  const { seq, hash } = through
  await insertCheckpoint(tx, signCheckpoint(key, { chain, kind: 'retention', seq, hash, at }))
  await sql`select forget_audit(${chain}, ${seq})`.execute(tx)
  return { count: due.length, through: { seq, hash } }
}

/** How many of the first `countMax` entries are from before this time. */
export async function countDueEntries(
  db: Db,
  chain: string,
  before: Date,
  countMax: number,
): Promise<number> {
  const counted = await sql<{ count: number }>`
    select count(*) as count from (
      select at from audit_entry where tenant_id = ${chain} order by seq limit ${countMax}
    ) as oldest where at < ${before}`.execute(db)
  return counted.rows[0]?.count ?? 0
}
