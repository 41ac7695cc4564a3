// GET /beta/casework/reports: a page of the reports that came, the newest first.

import { Type } from 'typebox'
import { byId, listRoute, showRows } from '../../access/list-route.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import { readEmailFilter, readTextFilter, readTimeRange } from '../../kernel/http/read-filters.ts'
import type { Route } from '../../kernel/http/route.ts'
import { PAGE_PARAMETERS, timeParameter } from '../../vocabulary/page-wire.ts'
import { findFirstEvents, listReports, type ReportFilters } from './report-store.ts'
import { presentReport, ReportChannel, ReportList, ReportState } from './report-wire.ts'

const Query = Type.Object({
  state: Type.Optional(ReportState),
  via: Type.Optional(ReportChannel),
  corrected: Type.Optional(Type.Boolean({ description: 'True: reports that a person corrected.' })),
  unread: Type.Optional(
    Type.Boolean({
      description: 'True: reports that were not read yet; false: without them.',
    }),
  ),
  format: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'How it was read, such as arf.' }),
  ),
  reporter: Type.Optional(
    Type.String({
      maxLength: 254,
      description: 'The sender of its events or of its envelope, in upper or lower case.',
    }),
  ),
  received_after: timeParameter('Reports that came at this time or later.'),
  received_before: timeParameter('Reports that came before this time.'),
  text: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Part of its reason, Message-ID, sender or id of its reporter, the beginning of the sender of its events, or words in their details.',
    }),
  ),
  expand: Type.Optional(
    Type.Literal('first_event', {
      description: 'Each entry also has `first_event`, if it has an event.',
    }),
  ),
  ...PAGE_PARAMETERS,
})

export interface ListReportsDeps {
  readonly db: Db
  readonly cursors: CursorSealer
}

export function listReportsRoute({ db, cursors }: ListReportsDeps): Route {
  return listRoute({
    cursors,
    path: '/beta/casework/reports',
    access: { kind: 'scope', scope: 'events:read' },
    operationId: 'listReports',
    summary: 'List reports',
    description: 'Reports of your tenant, newest first, with what became of them.',
    query: Query,
    responses: { 200: { description: 'A page of reports.', schema: ReportList } },
    list: 'reports',
    sort: 'received_at',
    open({ caller, query }) {
      const filters = readFilters(query)
      return {
        filters: { ...filters },
        async find(request) {
          const rows = await listReports(db, caller, filters, request)
          const ids = rows.map((row) => row.id)
          const first = query.expand === undefined ? null : await findFirstEvents(db, caller, ids)
          return showRows(rows, byId, (row) => presentReport(row, first?.get(row.id) ?? null))
        },
      }
    },
  })
}

function readFilters(query: Type.Static<typeof Query>): ReportFilters {
  const { state, via, corrected, unread, format } = query
  return {
    ...(state === undefined ? {} : { state }),
    ...(via === undefined ? {} : { via }),
    ...(corrected === undefined ? {} : { isCorrected: corrected }),
    ...(unread === undefined ? {} : { isUnread: unread }),
    ...(format === undefined ? {} : { format }),
    ...(query.reporter === undefined
      ? {}
      : { reporter: readEmailFilter('reporter', query.reporter) }),
    ...(query.text === undefined ? {} : { text: readTextFilter(query.text) }),
    received: readTimeRange('received', query.received_after, query.received_before),
  }
}
