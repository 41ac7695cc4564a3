// Reads chains for a verification, in pages and as of one time.

import { type Db, type Tx } from '../../kernel/db/database.ts'
import type { SecretCipher } from '../../kernel/secrets/secret-cipher.ts'
import type { ChainHead } from './audit-entry.ts'
import type { Checkpoint } from './audit-key.ts'
import { listAuditKeys } from './audit-key-store.ts'
import {
  type DetailedEntry,
  findHead,
  listChains,
  listCheckpoints,
  listEntries,
} from './audit-store.ts'
import { type ChainReport, type VerifyPosition, verifyChain } from './verify-chain.ts'

// A page takes some 20 ms, in which other requests wait for a part.
const ENTRIES_A_PAGE = 2_000
const CHECKPOINTS_A_PAGE = 500

export interface VerifyRequest {
  /** Null for all chains. */
  readonly chain: string | null
  readonly keptHead: ChainHead | null
  readonly trustedKeys: readonly string[]
}

export async function verifyChains(
  db: Db,
  secrets: SecretCipher,
  { chain, keptHead, trustedKeys }: VerifyRequest,
): Promise<readonly ChainReport[]> {
  // Entries that are added meanwhile are not seen.
  const transaction = db.transaction().setIsolationLevel('repeatable read')
  return await transaction.execute(async (tx) => {
    const keys = await listAuditKeys(tx, secrets)
    const reports: ChainReport[] = []
    for (const name of chain === null ? await listChains(tx) : [chain]) {
      const report = await verifyChain({
        chain: name,
        head: await findHead(tx, name),
        keptHead,
        keys,
        trustedKeys,
        from: null,
        entriesMax: Number.POSITIVE_INFINITY,
        entries: readEntries(tx, name, 0),
        checkpoints: readCheckpoints(tx, name, null),
      })
      const isEmpty = report.entries === 0 && report.faultCount === 0
      if (chain !== null || !isEmpty) reports.push(report)
    }
    return reports
  })
}

export interface VerifyPartRequest {
  readonly chain: string
  readonly keptHead: ChainHead | null
  readonly from: VerifyPosition | null
  readonly entriesMax: number
}

/** Verifies some thousand entries; `next` of the report tells where the next part begins. */
export async function verifyPart(
  db: Db,
  secrets: SecretCipher,
  { chain, keptHead, from, entriesMax }: VerifyPartRequest,
): Promise<ChainReport> {
  const transaction = db.transaction().setIsolationLevel('repeatable read')
  return await transaction.execute(async (tx) =>
    verifyChain({
      chain,
      head: await findHead(tx, chain),
      keptHead,
      keys: await listAuditKeys(tx, secrets),
      trustedKeys: [],
      from,
      entriesMax,
      entries: readEntries(tx, chain, from?.last.seq ?? 0),
      checkpoints: readCheckpoints(tx, chain, from?.last.seq ?? null),
    }),
  )
}

async function* readEntries(
  tx: Tx,
  chain: string,
  start: number,
): AsyncGenerator<readonly DetailedEntry[]> {
  const all = { acts: null, objectIds: null, actorId: null, requestId: null }
  const query = { ...all, chain, from: null, before: null, order: 'asc' as const }
  let afterSeq = start
  for (;;) {
    const page = await listEntries(tx, { ...query, afterSeq, limit: ENTRIES_A_PAGE })
    yield page
    const last = page.at(-1)
    if (last === undefined || page.length < ENTRIES_A_PAGE) return
    afterSeq = last.seq
  }
}

async function* readCheckpoints(
  tx: Tx,
  chain: string,
  start: number | null,
): AsyncGenerator<Checkpoint> {
  let after: Pick<Checkpoint, 'seq' | 'kind'> | null =
    // `retention` is the last of the kinds.
    start === null ? null : { seq: start, kind: 'retention' }
  for (;;) {
    const page: readonly Checkpoint[] = await listCheckpoints(tx, chain, after, CHECKPOINTS_A_PAGE)
    yield* page
    after = page.at(-1) ?? null
    if (page.length < CHECKPOINTS_A_PAGE) return
  }
}
