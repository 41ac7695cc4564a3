// GET /beta/casework/cases/{caseId}/reports: the reports that brought the events of a case. Events
// keep their report when a case is merged or split, so the reports follow them.

import { Type } from 'typebox'
import { byId, listRoute, showRows } from '../../access/list-route.ts'
import type { Route } from '../../kernel/http/route.ts'
import { PAGE_PARAMETERS } from '../../vocabulary/page-wire.ts'
import { requireCase } from '../cases/case-store.ts'
import type { ListReportsDeps } from './list-reports.ts'
import { listReportsOfCase } from './report-event-store.ts'
import { presentReport, ReportList } from './report-wire.ts'

export function listCaseReportsRoute({ db, cursors }: ListReportsDeps): Route {
  return listRoute({
    cursors,
    path: '/beta/casework/cases/{caseId}/reports',
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
    list: 'case_reports',
    sort: 'received_at',
    async open({ caller, params }) {
      const { id } = await requireCase(db, caller, params.caseId)
      return {
        filters: { id },
        find: async (request) =>
          showRows(await listReportsOfCase(db, caller, id, request), byId, (row) =>
            presentReport(row),
          ),
      }
    },
  })
}
