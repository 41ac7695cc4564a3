// Signs the ends of chains that no checkpoint covers: an hour after an entry at the latest, a
// change of it shows even when all hashes behind it are made right again.

import { sql } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Log } from '../../kernel/log.ts'
import type { SecretCipher } from '../../kernel/secrets/secret-cipher.ts'
import { signCheckpoint } from './audit-key.ts'
import { createAuditKeyFinder } from './audit-key-store.ts'
import { CHECKPOINT_ENTRIES } from './audit-log.ts'
import { insertCheckpoint } from './audit-store.ts'
import { verifyPart } from './read-chain.ts'

/** The next run signs an entry that is older. */
export const SIGN_AFTER_MS = 60 * 60 * 1_000
// The others wait for the next run.
const CHAINS_MAX = 200

interface UnsignedChain {
  readonly chain: string
  readonly signedSeq: number
  readonly signedHash: string | null
  /** Of the first entry that no checkpoint covers. */
  readonly at: Date
}

export interface SignChainsDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly secrets: SecretCipher
}

/** The age in ms of the oldest entry that no checkpoint covers afterwards; 0 for none. */
export async function signChains(deps: SignChainsDeps, signal: AbortSignal): Promise<number> {
  const { db, clock } = deps
  const nowMs = clock.nowMs()
  let oldestMs = nowMs
  // The oldest first.
  for (const unsigned of await listUnsigned(db)) {
    const isDue = unsigned.at.getTime() <= nowMs - SIGN_AFTER_MS
    if (signal.aborted) break
    // One after the other, so that acts are not slowed down.
    // oxlint-disable-next-line eslint/no-await-in-loop
    if (isDue && (await signChain(deps, unsigned))) continue
    oldestMs = Math.min(oldestMs, unsigned.at.getTime())
  }
  return nowMs - oldestMs
}

async function listUnsigned(db: Db): Promise<readonly UnsignedChain[]> {
  const found = await sql<UnsignedChain>`
    select head.tenant_id as chain, coalesce(signed.seq, 0) as "signedSeq",
      encode(signed.hash, 'hex') as "signedHash", first.at
    from audit_head as head
    left join lateral (
      select seq, hash from audit_checkpoint
      where audit_checkpoint.tenant_id = head.tenant_id order by seq desc limit 1
    ) as signed on true
    join audit_entry as first on first.tenant_id = head.tenant_id and first.seq = coalesce(signed.seq, 0) + 1
    order by first.at limit ${CHAINS_MAX}`.execute(db)
  return found.rows
}

/** Only what is intact is signed. False when it is not, or when there is no key. */
async function signChain(
  { db, clock, log, secrets }: SignChainsDeps,
  { chain, signedSeq, signedHash }: UnsignedChain,
): Promise<boolean> {
  const key = await db.transaction().execute(createAuditKeyFinder(secrets))
  if (key === null) return false
  const last = signedHash === null ? null : { seq: signedSeq, hash: signedHash }
  const { faultCount, head } = await verifyPart(db, secrets, {
    chain,
    keptHead: null,
    from: last === null ? null : { last, firstSeq: 1, removed: null, signedSeq },
    entriesMax: CHECKPOINT_ENTRIES,
  })
  if (faultCount > 0) {
    log.error('A chain of the audit log is not intact, so its end is not signed', { chain })
    return false
  }
  const checkpoint = { chain, kind: 'regular', at: new Date(clock.nowMs()), ...head } as const
  await db.transaction().execute((tx) => insertCheckpoint(tx, signCheckpoint(key, checkpoint)))
  return true
}
