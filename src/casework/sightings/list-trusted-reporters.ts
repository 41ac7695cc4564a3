// GET /beta/casework/trusted-reporters: the reporters whose reports count in look-ups at once.

import { Type } from 'typebox'
import { readAdminPage } from '../../access/admin-scope.ts'
import { requireCaller } from '../../access/admit-request.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { PAGE_PARAMETERS } from '../../vocabulary/page-wire.ts'
import { listTrustedReporterRecords } from './trusted-reporter-store.ts'
import { presentTrustedReporter, TrustedReporterPage } from './trusted-reporter-wire.ts'

export function listTrustedReportersRoute({
  db,
  cursors,
}: {
  readonly db: Db
  readonly cursors: CursorSealer
}): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/trusted-reporters',
    group: 'casework',
    access: { kind: 'scope', scope: 'tenant:admin' },
    operationId: 'listTrustedReporters',
    summary: 'List the trusted reporters',
    description: 'The reporters whose reports count without a second one.',
    query: Type.Object({ limit: PAGE_PARAMETERS.limit, cursor: PAGE_PARAMETERS.cursor }),
    responses: { 200: { description: 'One page, by name.', schema: TrustedReporterPage } },
    async handle({ caller, query }) {
      const { tenantId } = requireCaller(caller)
      const page = await readAdminPage(cursors, ['trusted-reporters', tenantId], query, {
        load: (after, limit) =>
          listTrustedReporterRecords(db, { tenantId }, after?.[0] ?? null, limit),
        positionOf: (row) => [row.reporter],
      })
      const items = page.rows.map(presentTrustedReporter)
      return { status: 200, json: { items, next_cursor: page.nextCursor } }
    },
  })
}
