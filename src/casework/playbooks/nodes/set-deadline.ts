// Set Deadline: sets the agreed deadline of the case, by the clock or by hours of opening.

import { type Static, Type } from 'typebox'
import { parseInstant } from '../../../values/timestamp.ts'
import { act, type ConfigReading, defineNodeKind } from '../node-kind.ts'
import { CHANGE_PATHS, changeByPlaybook, type PlaybookChange } from './change-cases.ts'
import { addSpan, BUSINESS_MEMBERS, durationOf, readSpan } from './duration-config.ts'
import { readValue, ValueTrouble, valueOf } from './value-config.ts'

const DATE_RULE = 'must be an ISO 8601 date-time with a zone, such as 2027-01-31T08:00:00Z'

const DeadlineMembers = Type.Object(
  {
    duration: Type.Optional(durationOf('How long from now.')),
    until: Type.Optional(
      valueOf(Type.Union([Type.String(), Type.Null()]), 'A moment; null takes the deadline away.'),
    ),
    business: Type.Optional(BUSINESS_MEMBERS.business),
    calendar: Type.Optional(BUSINESS_MEMBERS.calendar),
  },
  {
    additionalProperties: false,
    description: 'Exactly one of duration, until, and business with a calendar.',
  },
)

export const SET_DEADLINE = defineNodeKind({
  kind: 'set_deadline',
  title: 'Set Deadline',
  description: 'Sets the agreed deadline of the case (deadline_at).',
  config: DeadlineMembers,
  read: readDeadline,
  paths: () => CHANGE_PATHS,
  calendars: ({ calendar }) => (calendar === null ? [] : [calendar]),
  needsFacts: true,
  decide: act,
  apply: changeByPlaybook,
  example: { config: { duration: 'P2D' } },
})

interface DeadlineChange extends PlaybookChange {
  readonly calendar: string | null
}

function readDeadline(
  { duration, until, business, calendar }: Static<typeof DeadlineMembers>,
  reading: ConfigReading,
): DeadlineChange | null {
  const { refuse } = reading
  const given = Object.entries({ duration, until, business }).filter(([, one]) => one !== undefined)
  const [, second] = given
  if (second !== undefined) return refuse(second[0], `cannot stand beside ${given[0]?.[0]}`)
  if ((business === undefined) !== (calendar === undefined)) {
    return refuse('calendar', calendar === undefined ? 'is missing' : 'belongs to business')
  }
  const asked = business === undefined || calendar === undefined ? duration : { business, calendar }
  if (asked !== undefined) {
    const span = readSpan(asked)
    if (typeof span === 'string') {
      return refuse(business === undefined ? 'duration' : 'business', span)
    }
    return {
      calendar: span.calendar,
      plan(_, at, calendars) {
        const deadlineAt = addSpan(span, at, calendars)
        if (!('kind' in deadlineAt)) return { deadlineAt }
        throw new ValueTrouble(`${deadlineAt.reason}: ${span.calendar}`)
      },
    }
  }
  if (until === undefined) return refuse('duration', 'is missing; give duration, until or business')
  if (typeof until === 'string' && parseInstant(until) === null) return refuse('until', DATE_RULE)
  const value = readValue(until, 'until', reading)
  if (value === null) return null
  return { calendar: null, plan: ({ read }) => ({ deadlineAt: checkTime(read(value)) }) }
}

function checkTime(value: unknown): Date | null {
  if (value === null || value instanceof Date) return value
  const atMs = typeof value === 'string' ? parseInstant(value) : null
  if (atMs === null) throw new ValueTrouble(`a deadline ${DATE_RULE}`)
  return new Date(atMs)
}
