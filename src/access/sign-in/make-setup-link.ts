// The link for the first person: printed at a start, and by `casework user setup-link`.

import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { inInstance } from '../../kernel/db/instance-acts.ts'
import { hasAnyUser } from '../people/user-store.ts'
import { type MadeLink, makeLink } from './make-link.ts'

/** Null when there is a person already. A former setup link stops working. */
export async function makeSetupLink(
  db: Db,
  place: { readonly publicUrl: string; readonly nowMs: number },
): Promise<MadeLink | null> {
  return await inInstance('know people', () =>
    inTransaction(db, async (tx) => {
      if (await hasAnyUser(tx)) return null
      return await makeLink(tx, { kind: 'setup', userId: null, tenantId: null }, place)
    }),
  )
}
