// GET /beta/casework/events (interface endpoint 4): a page of the tenant's events.

import { Type } from 'typebox'
import { listRoute, showRows } from '../../access/list-route.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import {
  readCaseIdFilter,
  readDomainFilter,
  readEmailFilter,
  readEventTypeFilter,
  readIpFilter,
  readRangeFilter,
  readTextFilter,
  readTimeRange,
  requireValue,
} from '../../kernel/http/read-filters.ts'
import type { Route } from '../../kernel/http/route.ts'
import { parseRecordId } from '../../values/uuid.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { PAGE_PARAMETERS, timeParameter } from '../../vocabulary/page-wire.ts'
import { UNASSIGNED_CAUSES } from '../owners/unassigned.ts'
import { type EventFilter, findOwnersOfEvents, KEPT_OUT, listEvents } from './event-list-store.ts'
import { EventSummaryList, presentEventSummary } from './event-wire.ts'

const Query = Type.Object({
  case_id: Type.Optional(Type.String()),
  customer_id: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  event_type: Type.Optional(
    Type.String({ description: 'A type of event; several are separated by commas.' }),
  ),
  ip: Type.Optional(Type.String({ description: 'In any spelling of the address.' })),
  range: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Events of an address in this CIDR block, or from `first-last`.',
    }),
  ),
  sender_email: Type.Optional(
    Type.String({ maxLength: 254, description: 'In upper or lower case.' }),
  ),
  domain: Type.Optional(Type.String()),
  text: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Words in the details of the event; the last may be the beginning of one.',
    }),
  ),
  event_after: timeParameter('Events of this time or later.'),
  event_before: timeParameter('Events before this time.'),
  resolved: Type.Optional(Type.Boolean()),
  unassigned: Type.Optional(
    Type.Boolean({ description: 'True: only events without a known owner.' }),
  ),
  unassigned_cause: Type.Optional(
    Type.Union(
      UNASSIGNED_CAUSES.map((cause) => Type.Literal(cause)),
      { description: 'Only unassigned events, of this cause.' },
    ),
  ),
  without_case: Type.Optional(
    Type.Union(
      KEPT_OUT.map((word) => Type.Literal(word)),
      {
        description:
          'Only events that have an owner and are in no case: muted by a rule, or pending below the threshold of their group.',
      },
    ),
  ),
  report_id: Type.Optional(
    Type.String({ description: 'Our id of a report: the events that it holds.' }),
  ),
  expand: Type.Optional(
    Type.Literal('case', {
      description: 'Each entry also has `case_id` and `customer_id`, if it has them.',
    }),
  ),
  sort: Type.Optional(
    Type.Union([Type.Literal('event_date'), Type.Literal('create_date')], {
      description: 'event_date when left out; ties are ordered by id.',
    }),
  ),
  ...PAGE_PARAMETERS,
})

type EventQuery = Type.Static<typeof Query>

/** Events of the report that earlier reports had brought; empty for an unknown report. */
type FindRepeatedEvents = (
  db: Db,
  scope: TenantScope,
  reportId: string,
) => Promise<readonly string[]>

export interface ListEventsDeps {
  readonly db: Db
  readonly clock: Clock
  readonly cursors: CursorSealer
  readonly findRepeatedEvents: FindRepeatedEvents
}

/** What the list takes, for views of it. */
export const EVENT_LIST = {
  query: Query,
  check(query: EventQuery): void {
    readFilter(query)
    if (query.report_id !== undefined) readReportId(query.report_id)
  },
}

export function listEventsRoute({ db, clock, cursors, findRepeatedEvents }: ListEventsDeps): Route {
  return listRoute({
    cursors,
    path: '/beta/casework/events',
    access: { kind: 'scope', scope: 'events:read' },
    operationId: 'listEvents',
    summary: 'List events',
    description: 'Events of your tenant, newest first. All filters must match.',
    query: Query,
    failsWithoutBody: true,
    responses: { 200: { description: 'A page of event summaries.', schema: EventSummaryList } },
    list: 'events',
    sort: 'event_date',
    open({ caller, query }) {
      const sort = query.sort ?? 'event_date'
      const reportId = query.report_id === undefined ? null : readReportId(query.report_id)
      const filter = readFilter(query)
      return {
        filters: { ...filter, reportId: reportId ?? undefined },
        sort,
        async find(page) {
          const report =
            reportId === null
              ? {}
              : {
                  report: { reportId, repeatedIds: await findRepeatedEvents(db, caller, reportId) },
                }
          const request = { sort, page, nowMs: clock.nowMs() }
          const rows = await listEvents(db, caller, { ...filter, ...report }, request)
          const ids = rows.map((row) => row.event_id)
          const owners =
            query.expand === undefined ? null : await findOwnersOfEvents(db, caller, ids)
          return showRows(
            rows,
            (row) =>
              sort === 'create_date'
                ? [row.event_id]
                : [row.event_date.toISOString(), row.event_id],
            (row) => presentEventSummary(row, owners?.get(row.event_id) ?? null),
          )
        },
      }
    },
  })
}

function readReportId(text: string): string {
  return requireValue('report_id', parseRecordId(text), 'must be the id of a report')
}

/** The named types, each once, in the order of the alphabet. */
function readTypes(text: string): readonly string[] {
  return [...new Set(text.split(',').map(readEventTypeFilter))].toSorted()
}

function readFilter(query: EventQuery): EventFilter {
  return {
    ...(query.case_id === undefined ? {} : { caseId: readCaseIdFilter(query.case_id) }),
    ...(query.customer_id === undefined ? {} : { customerId: query.customer_id }),
    ...(query.event_type === undefined ? {} : { eventTypes: readTypes(query.event_type) }),
    ...(query.ip === undefined ? {} : { ip: readIpFilter(query.ip) }),
    ...(query.range === undefined ? {} : { range: readRangeFilter(query.range) }),
    ...(query.sender_email === undefined
      ? {}
      : { senderEmail: readEmailFilter('sender_email', query.sender_email) }),
    ...(query.text === undefined ? {} : { text: readTextFilter(query.text) }),
    ...(query.domain === undefined ? {} : { domain: readDomainFilter(query.domain) }),
    ...(query.resolved === undefined ? {} : { resolved: query.resolved }),
    ...(query.unassigned === undefined ? {} : { unassigned: query.unassigned }),
    ...(query.unassigned_cause === undefined ? {} : { unassignedCause: query.unassigned_cause }),
    ...(query.without_case === undefined ? {} : { withoutCase: query.without_case }),
    eventDate: readTimeRange('event', query.event_after, query.event_before),
  }
}
