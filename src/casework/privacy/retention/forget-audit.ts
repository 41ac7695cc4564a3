// Retention of the audit log of a tenant. The log keeps that entries were removed, and up to which.

import { createAuditKeyFinder } from '../../../access/audit/audit-key-store.ts'
import type { AuditLog } from '../../../access/audit/audit-log.ts'
import { forgetEntries } from '../../../access/audit/forget-entries.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Tx } from '../../../kernel/db/database.ts'
import type { SecretCipher } from '../../../kernel/secrets/secret-cipher.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'

interface ForgetAuditDeps {
  readonly audit: AuditLog
  readonly secrets: SecretCipher
  readonly clock: Clock
}

const RETENTION = { kind: 'program', id: 'retention' } as const

/**
 * Removes up to `limit` entries from before this time and returns their number. Without a key to
 * sign what is left nothing is removed.
 */
export async function forgetAudit(
  tx: Tx,
  { audit, secrets, clock }: ForgetAuditDeps,
  { tenantId }: TenantScope,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const key = await createAuditKeyFinder(secrets)(tx)
  if (key === null) return 0
  const at = new Date(clock.nowMs())
  const forgotten = await forgetEntries(tx, key, tenantId, { before, at, limit })
  if (forgotten === null) return 0
  const { count, through } = forgotten
  await audit.record(tx, 'audit.forget', {
    tenantId,
    id: `${through.seq}`,
    by: RETENTION,
    after: { entries: count, through_seq: through.seq, through_hash: through.hash },
  })
  return count
}
