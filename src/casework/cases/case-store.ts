// The row of a case: reading it and raising its version. Locks are in case-locks.ts, moves in
// case-move-store.ts, changes beside the state in case-change-store.ts.

import type { Db } from '../../kernel/db/database.ts'
import { seeTables, type Tx } from '../../kernel/db/database.ts'
import { parseCaseId } from '../../values/uuid.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { CaseRow, CaseTables } from './case-tables.ts'
import { caseNotFound } from './errors.ts'

/**
 * The case, or null when the tenant has none of that id (given in canonical form, see
 * `parseCaseId`).
 */
export async function findCase(
  db: Db,
  scope: TenantScope,
  caseId: string,
): Promise<CaseRow | null> {
  const row = await seeTables<CaseTables>(db)
    .selectFrom('abuse_case')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', caseId)
    .executeTakeFirst()
  return row ?? null
}

/**
 * The case of this id, for endpoints below /cases/{caseId}. Throws the same `caseNotFound` for a
 * missing case, a malformed id and a case of another tenant.
 */
export async function requireCase(db: Db, scope: TenantScope, idText: string): Promise<CaseRow> {
  const caseId = parseCaseId(idText)
  const found = caseId === null ? null : await findCase(db, scope, caseId)
  if (found === null) throw caseNotFound()
  return found
}

/** For a decided change of a locked case that only its history describes. */
export async function raiseVersion(tx: Tx, current: CaseRow, at: Date): Promise<void> {
  await seeTables<CaseTables>(tx)
    .updateTable('abuse_case')
    .set({ version: current.version + 1, updated_at: at })
    .where('tenant_id', '=', current.tenant_id)
    .where('id', '=', current.id)
    .execute()
}
