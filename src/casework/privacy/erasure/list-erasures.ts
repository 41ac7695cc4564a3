// GET /beta/casework/erasures: the erasures of the tenant, without the erased addresses.

import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { CursorSealer } from '../../../kernel/http/cursor.ts'
import { readPage } from '../../../kernel/http/read-page.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
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
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/erasures',
    group: 'casework',
    access: { kind: 'scope', scope: 'privacy:erase' },
    operationId: 'listErasures',
    summary: 'List erasures',
    description: 'What was erased, when and by whom. The addresses themselves are not kept.',
    query: Type.Object(PAGE_PARAMETERS),
    responses: { 200: { description: 'A page of erasures.', schema: ErasureList } },
    async handle({ caller, query }) {
      const scope = requireCaller(caller)
      const view = { list: 'erasures', sort: 'started_at', filters: {} }
      const page = readPage(cursors, scope, view, query)
      const erasures = await listErasures(db, scope, page.request)
      return { status: 200, json: page.present(erasures, (row) => [row.id], presentErasure) }
    },
  })
}
