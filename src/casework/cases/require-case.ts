// The case of a path, for every endpoint below /cases/{caseId}. A missing case, a malformed id and a
// case of another tenant give the same 404.

import type { Db } from '../../kernel/db/database.ts'
import { parseCaseId } from '../../kernel/http/record-ids.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { findCase } from './case-store.ts'
import type { CaseRow } from './case-tables.ts'
import { caseNotFound } from './errors.ts'

/** The case of this id. Throws `caseNotFound`. */
export async function requireCase(db: Db, scope: TenantScope, idText: string): Promise<CaseRow> {
  const caseId = parseCaseId(idText)
  const found = caseId === null ? null : await findCase(db, scope, caseId)
  if (found === null) throw caseNotFound()
  return found
}
