// Erases addresses in the details of the audit log of the instance, which belongs to no tenant. It
// happens when the operator of the instance asks for an erasure of a tenant.

import { INSTANCE_CHAIN } from '../../../access/audit/audit-entry.ts'
import { type Db, inTransaction } from '../../../kernel/db/database.ts'
import { inInstance } from '../../../kernel/db/instance-acts.ts'
import { eraseInRows } from './erase-slice.ts'
import type { ErasedAddresses } from './erased-address.ts'
import { ERASURE_START } from './erasure-store.ts'
import { PERSONAL_TABLES } from './personal-columns.ts'

const TABLE = 'audit_detail'

export async function eraseInInstanceLog(db: Db, addresses: ErasedAddresses): Promise<void> {
  const table = PERSONAL_TABLES.find(({ name }) => name === TABLE)
  if (table === undefined) throw new Error(`there is no table ${TABLE}`)
  const scope = { tenantId: INSTANCE_CHAIN }
  const fixed = { scope, addresses, isPreview: false, isFirstPass: true, casesOnLegalHold: [] }
  let position = { ...ERASURE_START, table: TABLE }
  // Ends: each slice begins where the one before ended, and the table has an end. Rows that are
  // written meanwhile are of acts after the erasure.
  while (position.table === TABLE) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const slice = await inInstance('keep the audit log', () =>
      inTransaction(db, (tx) => eraseInRows(tx, { ...fixed, position }, table)),
    )
    position = { ...position, ...slice.next }
  }
}
