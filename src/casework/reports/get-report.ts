// GET /beta/casework/reports/{reportId}: what became of one report, with every problem that was
// found in it.

import { Type } from 'typebox'
import type { Casework } from '../../app/open-casework.ts'
import { parseRecordId } from '../../kernel/http/record-ids.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import { reportNotFound } from '../cases/errors.ts'
import { presentReportDetail } from './present-report.ts'
import { findReport } from './report-store.ts'
import { ReportDetail } from './report-wire.ts'

export function getReportRoute({ foundation }: Casework): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/reports/{reportId}',
    group: 'casework',
    access: { kind: 'scope', scope: 'events:read' },
    operationId: 'getReport',
    summary: 'Get one report',
    params: Type.Object({ reportId: Type.String() }),
    responses: {
      200: { description: 'The report.', schema: ReportDetail },
      404: { description: 'There is no such report.' },
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const reportId = parseRecordId(params.reportId)
      const report =
        reportId === null ? null : await findReport(foundation.database.kysely, scope, reportId)
      if (report === null) throw reportNotFound()
      return { status: 200, json: presentReportDetail(report) }
    },
  })
}
