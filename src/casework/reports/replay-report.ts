// POST /beta/casework/reports/{reportId}/replay: reads a kept report again, as after a new release
// that reads more.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { parseRecordId } from '../../values/uuid.ts'
import { reportNotFound } from '../cases/errors.ts'
import { type ReportDeps, replayReport } from './process-report.ts'
import { presentReportAnswer, ReportAnswer } from './report-wire.ts'

export function replayReportRoute(deps: ReportDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/reports/{reportId}/replay',
    group: 'casework',
    access: { kind: 'scope', scope: 'events:ingest' },
    operationId: 'replayReport',
    summary: 'Read a report again',
    description:
      'Reads the stored bytes again, by the program of today. Events that are there already are not stored twice.',
    params: Type.Object({ reportId: Type.String() }),
    responses: {
      200: { description: 'The events that it holds now.', schema: ReportAnswer },
      404: { description: 'There is no such report.' },
      409: { description: 'A person corrected it, and that stands.' },
    },
    async handle({ caller, params }) {
      const { tenantId, tokenId, name } = requireCaller(caller)
      const reportId = parseRecordId(params.reportId)
      const actor = { kind: 'token', id: tokenId, name } as const
      const replayed =
        reportId === null ? null : await replayReport(deps, { tenantId }, reportId, actor)
      if (replayed === null) throw reportNotFound()
      return { status: 200, json: presentReportAnswer(replayed) }
    },
  })
}
