// For tests of the audit log: many entries at once, and the chain as the verification reads it.

import type { AuditLog } from '../src/access/audit/audit-log.ts'
import { verifyChains } from '../src/access/audit/read-chain.ts'
import { type ChainReport } from '../src/access/audit/verify-chain.ts'
import { inTransaction } from '../src/kernel/db/database.ts'
import type { TestApp } from './harness.ts'

const BY = { kind: 'program', id: 'test' } as const

/** Adds entries to a chain, a thousand in a transaction. */
export async function fillChain(
  app: Pick<TestApp, 'services'>,
  tenantId: string | null,
  count: number,
): Promise<void> {
  const { database, audit } = app.services.foundation
  for (let done = 0; done < count; done += 1_000) {
    await inTransaction(database.kysely, async (tx) => {
      for (let at = done; at < Math.min(done + 1_000, count); at += 1) {
        await recordOne(audit, tx, tenantId, at)
      }
    })
  }
}

async function recordOne(
  audit: AuditLog,
  tx: Parameters<AuditLog['record']>[0],
  tenantId: string | null,
  at: number,
): Promise<void> {
  await audit.record(tx, 'tag.set', {
    tenantId,
    id: `tag-${at % 50}`,
    by: BY,
    before: { description: `Text ${at}`, kind: 'same' },
    after: { description: `Text ${at + 1}`, kind: 'same' },
  })
}

export async function verify(
  app: Pick<TestApp, 'services'>,
  chain: string,
  keptHead: { seq: number; hash: string } | null = null,
): Promise<ChainReport> {
  const { database, secrets } = app.services.foundation
  const [report] = await verifyChains(database.kysely, secrets, {
    chain,
    keptHead,
    trustedKeys: [],
  })
  if (report === undefined) throw new Error('the chain was not verified')
  return report
}
