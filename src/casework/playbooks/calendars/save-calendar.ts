// PUT and DELETE /beta/casework/calendars/{name}: the business hours that nodes of playbooks name.

import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import type { AuditLog } from '../../../access/audit/audit-log.ts'
import { lockTenant } from '../../../access/tenant-store.ts'
import { type Db, inTransaction } from '../../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import type { FieldProblem } from '../../../values/field-problem.ts'
import { calendarInUse, calendarNotFound, calendarNotValid, tooManyCalendars } from '../errors.ts'
import {
  deleteCalendar,
  findCalendarUse,
  listCalendars,
  lockCalendar,
  putCalendar,
} from './calendar-store.ts'
import { CALENDAR_NAME, CalendarBody, CalendarRecord, presentCalendar } from './calendar-wire.ts'
import { CALENDAR_PATH } from './list-calendars.ts'
import { readCalendar } from './read-calendar.ts'

const CALENDARS_MAX = 50
const ACCESS = { kind: 'scope', scope: 'playbooks:write' } as const

export interface SaveCalendarDeps {
  readonly db: Db
  readonly audit: AuditLog
}

export function putCalendarRoute({ db, audit }: SaveCalendarDeps): Route {
  return defineRoute({
    method: 'PUT',
    path: CALENDAR_PATH,
    group: 'casework',
    access: ACCESS,
    operationId: 'putCalendar',
    summary: 'Create or replace a calendar',
    description: 'Nodes that a run comes to from now on see it; timers that are set stay.',
    params: Type.Object({
      name: Type.String({
        pattern: CALENDAR_NAME,
        description: '1 to 64 lower-case letters, digits, hyphens or underscores.',
      }),
    }),
    body: CalendarBody,
    responses: {
      200: { description: 'The calendar.', schema: CalendarRecord },
      400: { description: 'A time, a date or the time zone is wrong, or all days are closed.' },
      409: { description: `There are ${CALENDARS_MAX} calendars.` },
    },
    async handle({ caller, params: { name }, body }) {
      const scope = requireCaller(caller)
      const problems: FieldProblem[] = []
      if (readCalendar(body, problems) === null) throw calendarNotValid(problems)
      const stored = await inTransaction(db, async (tx) => {
        // One at a time, or two at once could pass the bound.
        await lockTenant(tx, scope.tenantId)
        const before = await lockCalendar(tx, scope, name)
        const put = await putCalendar(tx, scope, name, body)
        const all = await listCalendars(tx, scope)
        if (all.length > CALENDARS_MAX) throw tooManyCalendars(CALENDARS_MAX)
        await audit.record(tx, 'calendar.set', {
          tenantId: scope.tenantId,
          id: name,
          before: before?.settings,
          after: put.settings,
        })
        return put
      })
      return { status: 200, json: presentCalendar(stored) }
    },
  })
}

export function deleteCalendarRoute({ db, audit }: SaveCalendarDeps): Route {
  return defineRoute({
    method: 'DELETE',
    path: CALENDAR_PATH,
    group: 'casework',
    access: ACCESS,
    operationId: 'deleteCalendar',
    summary: 'Delete a calendar',
    description: 'Deletes a calendar that no active playbook counts by.',
    params: Type.Object({ name: Type.String() }),
    responses: {
      204: { description: 'Deleted.' },
      404: { description: 'There is no such calendar.' },
      409: { description: 'A playbook that is active, or still has runs, names it.' },
    },
    async handle({ caller, params: { name } }) {
      const scope = requireCaller(caller)
      await inTransaction(db, async (tx) => {
        // Locked first: an activation that is under way keeps it, and is seen afterwards.
        const before = await lockCalendar(tx, scope, name)
        if (before === null) throw calendarNotFound()
        const use = await findCalendarUse(tx, scope, name)
        if (use !== null) throw calendarInUse(use)
        await deleteCalendar(tx, scope, name)
        await audit.record(tx, 'calendar.delete', {
          tenantId: scope.tenantId,
          id: name,
          before: before.settings,
        })
      })
      return { status: 204 }
    },
  })
}
