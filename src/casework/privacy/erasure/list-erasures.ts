// GET /beta/casework/erasures: the erasures of the tenant, without the erased addresses.

import { Type } from 'typebox'
import { byId, listRoute, showRows } from '../../../access/list-route.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { CursorSealer } from '../../../kernel/http/cursor.ts'
import type { Route } from '../../../kernel/http/route.ts'
import { PAGE_PARAMETERS } from '../../../vocabulary/page-wire.ts'
import { listErasures } from './erasure-store.ts'
import { ErasureList, presentErasure } from './erasure-wire.ts'

export function listErasuresRoute({
  db,
  cursors,
}: {
  readonly db: Db
  readonly cursors: CursorSealer
}): Route {
  return listRoute({
    cursors,
    path: '/beta/casework/erasures',
    access: { kind: 'scope', scope: 'privacy:erase' },
    operationId: 'listErasures',
    summary: 'List erasures',
    description: 'What was erased, when and by whom. The addresses themselves are not kept.',
    query: Type.Object(PAGE_PARAMETERS),
    responses: { 200: { description: 'A page of erasures.', schema: ErasureList } },
    list: 'erasures',
    sort: 'started_at',
    open: ({ caller }) => ({
      filters: {},
      find: async (request) =>
        showRows(await listErasures(db, caller, request), byId, presentErasure),
    }),
  })
}
