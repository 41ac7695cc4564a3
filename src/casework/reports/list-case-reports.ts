// GET /beta/casework/cases/{caseId}/reports: the reports that brought the events of a case. Events
// keep their report when a case is merged or split, so the reports follow them.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import { readPage } from '../../kernel/http/read-page.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { PAGE_PARAMETERS } from '../../vocabulary/page-wire.ts'
import { requireCase } from '../cases/case-store.ts'
import type { ListReportsDeps } from './list-reports.ts'
import { listReportsOfCase } from './report-event-store.ts'
import { presentReport, ReportList } from './report-wire.ts'

export function listCaseReportsRoute({ db, cursors }: ListReportsDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/cases/{caseId}/reports',
    group: 'casework',
    access: { kind: 'scope', scope: 'events:read' },
    operationId: 'listCaseReports',
    summary: 'List the reports of a case',
    description: 'The reports that brought events of the case, newest first.',
    params: Type.Object({ caseId: Type.String() }),
    query: Type.Object(PAGE_PARAMETERS),
    responses: {
      200: { description: 'A page of reports.', schema: ReportList },
      404: { description: 'There is no such case.' },
    },
    async handle({ caller, params, query }) {
      const scope = requireCaller(caller)
      const { id } = await requireCase(db, scope, params.caseId)
      const view = { list: 'case_reports', sort: 'received_at', filters: { id } }
      const page = readPage(cursors, scope, view, query)
      const rows = await listReportsOfCase(db, scope, id, page.request)
      const json = page.present(rows, (row) => [row.id], presentReport)
      return { status: 200, json }
    },
  })
}
