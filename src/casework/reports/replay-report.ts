// POST /beta/casework/reports/{reportId}/replay: reads a kept report again, as after a new release
// that reads more.

import { Type } from 'typebox'
import type { Casework } from '../../app/open-casework.ts'
import { parseRecordId } from '../../kernel/http/record-ids.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import { reportNotFound } from '../cases/errors.ts'
import { presentTakenReport } from './present-report.ts'
import { TakenReport } from './report-wire.ts'
import { replayReport } from './reread-report.ts'

export function replayReportRoute({ reports }: Casework): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/reports/{reportId}/replay',
    group: 'casework',
    access: { kind: 'scope', scope: 'events:ingest' },
    operationId: 'replayReport',
    summary: 'Read one report again',
    params: Type.Object({ reportId: Type.String() }),
    responses: {
      200: { description: 'What came of it now.', schema: TakenReport },
      404: { description: 'There is no such report.' },
    },
    async handle({ caller, params }) {
      const { tenantId, tokenId, name } = requireCaller(caller)
      const reportId = parseRecordId(params.reportId)
      const actor = { kind: 'token', id: tokenId, name } as const
      const taken =
        reportId === null ? null : await replayReport(reports, { tenantId }, reportId, actor)
      if (taken === null) throw reportNotFound()
      return { status: 200, json: presentTakenReport(taken) }
    },
  })
}
