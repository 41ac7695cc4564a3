// The case that a path names, for every endpoint below /cases/{caseId}: the same 404 whether it is
// missing, malformed or another tenant's.

import type { Db } from '../../kernel/db/database.ts'
import { parseCaseId } from '../../kernel/http/record-ids.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { findCase } from './case-store.ts'
import type { CaseRow } from './case-tables.ts'
import { caseNotFound } from './errors.ts'

export async function requireCase(db: Db, scope: TenantScope, idText: string): Promise<CaseRow> {
  const caseId = parseCaseId(idText)
  const found = caseId === null ? null : await findCase(db, scope, caseId)
  if (found === null) throw caseNotFound()
  return found
}
