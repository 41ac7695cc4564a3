// GET /beta/casework/reports/{reportId}: the verdict on one report, with every problem that was
// found in it.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { Db } from '../../kernel/db/database.ts'
import { presentEtag } from '../../kernel/http/entity-tag.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { parseRecordId } from '../../values/uuid.ts'
import { reportNotFound } from '../cases/errors.ts'
import { listCorrections } from './corrections/correction-store.ts'
import { findReport } from './report-store.ts'
import { presentReportDetail, ReportDetail } from './report-wire.ts'

export function getReportRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/reports/{reportId}',
    group: 'casework',
    access: { kind: 'scope', scope: 'events:read' },
    operationId: 'getReport',
    hasVersionTag: true,
    summary: 'Get a report',
    description: 'What was read out of the report, why, and what people corrected since.',
    params: Type.Object({ reportId: Type.String() }),
    responses: {
      200: { description: 'The report.', schema: ReportDetail },
      404: { description: 'There is no such report.' },
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const reportId = parseRecordId(params.reportId)
      const report = reportId === null ? null : await findReport(db, scope, reportId)
      if (report === null) throw reportNotFound()
      const corrections = report.version === 1 ? [] : await listCorrections(db, scope, report.id)
      return {
        status: 200,
        json: presentReportDetail(report, corrections),
        headers: { etag: presentEtag(report.version) },
      }
    },
  })
}
