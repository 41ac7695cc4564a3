// GET /beta/casework/reports: a page of the reports that came, the newest first.

import { Type } from 'typebox'
import type { Casework } from '../../app/open-casework.ts'
import { readPage } from '../../kernel/http/read-page.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import { PAGE_PARAMETERS } from '../../vocabulary/page-wire.ts'
import { presentReport } from './present-report.ts'
import { listReports } from './report-store.ts'
import { ReportDoor, ReportList, ReportState } from './report-wire.ts'

export function listReportsRoute({ foundation, cursors }: Casework): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/reports',
    group: 'casework',
    access: { kind: 'scope', scope: 'events:read' },
    operationId: 'listReports',
    summary: 'List reports',
    query: Type.Object({
      state: Type.Optional(ReportState),
      via: Type.Optional(ReportDoor),
      ...PAGE_PARAMETERS,
    }),
    responses: { 200: { description: 'A page of reports.', schema: ReportList } },
    async handle({ caller, query }) {
      const scope = requireCaller(caller)
      const { state, via } = query
      const view = { list: 'reports', sort: 'received_at', filters: { state, via } }
      const page = readPage(cursors, scope, view, query)
      const db = foundation.database.kysely
      const rows = await listReports(
        db,
        scope,
        { state: state ?? null, via: via ?? null },
        page.request,
      )
      return {
        status: 200,
        json: page.present(rows, (row) => [row.id], presentReport),
      }
    },
  })
}
