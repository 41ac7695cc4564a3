// The link for the first person: printed at a start, and by `casework user setup-link`.

import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { inInstance } from '../../kernel/db/instance-acts.ts'
import type { Actor } from '../audit/audit-entry.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { hasAnyUser } from '../people/user-store.ts'
import { type MadeLink, makeLink } from './make-link.ts'

interface SetupLinkPlace {
  readonly publicUrl: string
  readonly nowMs: number
  readonly audit: AuditLog
  /** Who made it, where no request asked for it. */
  readonly by?: Actor
}

/** Null when there is a person already. A former setup link stops working. */
export async function makeSetupLink(
  db: Db,
  { audit, by, ...place }: SetupLinkPlace,
): Promise<MadeLink | null> {
  return await inInstance('know people', () =>
    inTransaction(db, async (tx) => {
      if (await hasAnyUser(tx)) return null
      const link = await makeLink(tx, { kind: 'setup', userId: null, tenantId: null }, place)
      await audit.record(tx, 'setup_link.create', {
        tenantId: null,
        id: 'setup',
        after: { expires_at: link.expiresAt },
        ...(by === undefined ? {} : { by }),
      })
      return link
    }),
  )
}
