// GET /beta/casework/reports/{reportId}/events: the events that a report holds, also those that an
// earlier report had brought already.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { Clock } from '../../kernel/clock.ts'
import { readPage } from '../../kernel/http/read-page.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { parseRecordId } from '../../values/uuid.ts'
import { PAGE_PARAMETERS } from '../../vocabulary/page-wire.ts'
import { reportNotFound } from '../cases/errors.ts'
import { listEvents } from '../events/event-list-store.ts'
import { EventSummaryList, presentEventSummary } from '../events/event-wire.ts'
import type { ListReportsDeps } from './list-reports.ts'
import { findRepeatedEvents } from './report-event-store.ts'
import { findReport } from './report-store.ts'

export interface ListReportEventsDeps extends ListReportsDeps {
  readonly clock: Clock
}

export function listReportEventsRoute({ db, clock, cursors }: ListReportEventsDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/reports/{reportId}/events',
    group: 'casework',
    access: { kind: 'scope', scope: 'events:read' },
    operationId: 'listReportEvents',
    summary: 'List the events of a report',
    description: 'The events that were read out of the report, newest first.',
    params: Type.Object({ reportId: Type.String() }),
    query: Type.Object(PAGE_PARAMETERS),
    responses: {
      200: { description: 'A page of event summaries.', schema: EventSummaryList },
      404: { description: 'There is no such report.' },
    },
    async handle({ caller, params, query }) {
      const scope = requireCaller(caller)
      const reportId = parseRecordId(params.reportId)
      const report = reportId === null ? null : await findReport(db, scope, reportId)
      if (report === null) throw reportNotFound()
      const view = { list: 'report_events', sort: 'event_date', filters: { id: report.id } }
      const page = readPage(cursors, scope, view, query)
      const repeatedIds = await findRepeatedEvents(db, scope, report.id)
      const filter = { report: { reportId: report.id, repeatedIds } }
      const request = { sort: 'event_date', page: page.request, nowMs: clock.nowMs() } as const
      const rows = await listEvents(db, scope, filter, request)
      const json = page.present(
        rows,
        (row) => [row.event_date.toISOString(), row.event_id],
        (row) => presentEventSummary(row, null),
      )
      return { status: 200, json }
    },
  })
}
