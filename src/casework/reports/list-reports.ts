// GET /beta/casework/reports: a page of the reports that came, the newest first.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import { readPage } from '../../kernel/http/read-page.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { PAGE_PARAMETERS } from '../../vocabulary/page-wire.ts'
import { listReports } from './report-store.ts'
import { presentReport, ReportChannel, ReportList, ReportState } from './report-wire.ts'

export interface ListReportsDeps {
  readonly db: Db
  readonly cursors: CursorSealer
}

export function listReportsRoute({ db, cursors }: ListReportsDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/reports',
    group: 'casework',
    access: { kind: 'scope', scope: 'events:read' },
    operationId: 'listReports',
    summary: 'List reports',
    description: 'Reports of your tenant, newest first, with what became of them.',
    query: Type.Object({
      state: Type.Optional(ReportState),
      via: Type.Optional(ReportChannel),
      corrected: Type.Optional(
        Type.Boolean({ description: 'True: reports that a person corrected.' }),
      ),
      ...PAGE_PARAMETERS,
    }),
    responses: { 200: { description: 'A page of reports.', schema: ReportList } },
    async handle({ caller, query }) {
      const scope = requireCaller(caller)
      const { state, via, corrected } = query
      const view = { list: 'reports', sort: 'received_at', filters: { state, via, corrected } }
      const page = readPage(cursors, scope, view, query)
      const rows = await listReports(
        db,
        scope,
        { state: state ?? null, via: via ?? null, isCorrected: corrected ?? null },
        page.request,
      )
      return {
        status: 200,
        json: page.present(rows, (row) => [row.id], presentReport),
      }
    },
  })
}
