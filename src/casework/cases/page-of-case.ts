// A page of what hangs on one case (its comments, its history), in the order of ids.

import type { Casework } from '../../app/open-casework.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { PageRequest } from '../../kernel/db/page-request.ts'
import { type PageParameters, readPage } from '../../kernel/http/read-page.ts'
import { type Reply, requireCaller } from '../../kernel/http/route.ts'
import type { Caller, TenantScope } from '../../vocabulary/caller.ts'
import { requireCase } from './require-case.ts'

interface ListOfCase<Row> {
  /** What its cursors belong to. */
  readonly view: { readonly list: string; readonly sort: string }
  readonly list: (
    db: Db,
    scope: TenantScope,
    caseId: string,
    page: PageRequest,
  ) => Promise<readonly Row[]>
  readonly present: (row: Row) => unknown
}

interface PageQuestion {
  readonly caller: Caller | null
  readonly params: { readonly caseId: string }
  readonly query: PageParameters
}

/** Throws 404 for a case that is not the caller's, 400 for a cursor of something else. */
export async function answerPageOfCase<Row extends { readonly id: string }>(
  { foundation, cursors }: Casework,
  { caller, params, query }: PageQuestion,
  { view, list, present }: ListOfCase<Row>,
): Promise<Reply> {
  const db = foundation.database.kysely
  const scope = requireCaller(caller)
  const { id } = await requireCase(db, scope, params.caseId)
  const page = readPage(cursors, scope, { ...view, filters: { id } }, query)
  const rows = await list(db, scope, id, page.request)
  return { status: 200, json: page.present(rows, (row) => [row.id], present) }
}
