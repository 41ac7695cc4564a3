// GET /beta/casework/calendars, and GET of one: the business hours that playbooks name.

import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { calendarNotFound } from '../errors.ts'
import { listCalendars } from './calendar-store.ts'
import { CalendarList, CalendarRecord, presentCalendar } from './calendar-wire.ts'

export const CALENDAR_PATH = '/beta/casework/calendars/{name}'

export function listCalendarsRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/calendars',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:read' },
    operationId: 'listCalendars',
    summary: 'List calendars',
    description: 'The calendars of your tenant, by name.',
    responses: { 200: { description: 'All calendars, by name.', schema: CalendarList } },
    async handle({ caller }) {
      const calendars = await listCalendars(db, requireCaller(caller))
      return { status: 200, json: { items: calendars.map(presentCalendar), next_cursor: '' } }
    },
  })
}

export function getCalendarRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: CALENDAR_PATH,
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:read' },
    operationId: 'getCalendar',
    summary: 'Get a calendar',
    description: 'The calendar with its time zone, hours and holidays.',
    params: Type.Object({ name: Type.String() }),
    responses: {
      200: { description: 'The calendar.', schema: CalendarRecord },
      404: { description: 'There is no such calendar.' },
    },
    async handle({ caller, params }) {
      const [found] = await listCalendars(db, requireCaller(caller), [params.name])
      if (found === undefined) throw calendarNotFound()
      return { status: 200, json: presentCalendar(found) }
    },
  })
}
