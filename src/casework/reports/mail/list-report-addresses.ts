// GET /beta/admin/report-addresses: the addresses for report mail and the tenant of each. While the
// list is empty, all mail belongs to the tenant `default`.

import { Type } from 'typebox'
import { readAdminPage } from '../../../access/admin-scope.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { CursorSealer } from '../../../kernel/http/cursor.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { PAGE_PARAMETERS } from '../../../vocabulary/page-wire.ts'
import { listReportAddresses } from './report-address-store.ts'
import { presentReportAddress, ReportAddressPage } from './report-address-wire.ts'

export interface ListReportAddressesDeps {
  readonly db: Db
  readonly cursors: CursorSealer
}

export function listReportAddressesRoute({ db, cursors }: ListReportAddressesDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/admin/report-addresses',
    group: 'admin',
    access: { kind: 'scope', scope: 'instance:admin' },
    operationId: 'listReportAddresses',
    summary: 'List report addresses',
    description: 'The addresses that take report mail, each with its tenant.',
    query: Type.Object({ limit: PAGE_PARAMETERS.limit, cursor: PAGE_PARAMETERS.cursor }),
    responses: { 200: { description: 'One page of addresses.', schema: ReportAddressPage } },
    async handle({ query }) {
      const page = await readAdminPage(cursors, ['report-addresses'], query, {
        load: (after, limit) => listReportAddresses(db, after?.[0] ?? null, limit),
        positionOf: (entry) => [entry.address],
      })
      const items = page.rows.map(presentReportAddress)
      return { status: 200, json: { items, next_cursor: page.nextCursor } }
    },
  })
}
