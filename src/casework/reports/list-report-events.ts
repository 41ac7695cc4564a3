// GET /beta/casework/reports/{reportId}/events: the events that a report holds, also those that an
// earlier report had brought already.

import { Type } from 'typebox'
import { listRoute, showRows } from '../../access/list-route.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Route } from '../../kernel/http/route.ts'
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
  return listRoute({
    cursors,
    path: '/beta/casework/reports/{reportId}/events',
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
    list: 'report_events',
    sort: 'event_date',
    async open({ caller, params }) {
      const reportId = parseRecordId(params.reportId)
      const report = reportId === null ? null : await findReport(db, caller, reportId)
      if (report === null) throw reportNotFound()
      const { id } = report
      return {
        filters: { id },
        async find(page) {
          const repeatedIds = await findRepeatedEvents(db, caller, id)
          const filter = { report: { reportId: id, repeatedIds } }
          const request = { sort: 'event_date', page, nowMs: clock.nowMs() } as const
          return showRows(
            await listEvents(db, caller, filter, request),
            (row) => [row.event_date.toISOString(), row.event_id],
            (row) => presentEventSummary(row, null),
          )
        },
      }
    },
  })
}
