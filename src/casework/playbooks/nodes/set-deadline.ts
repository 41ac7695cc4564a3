// Set Deadline: sets the agreed deadline of the case.

import { type Static, Type } from 'typebox'
import { parseInstant } from '../../../values/timestamp.ts'
import { act, type ConfigReading, defineNodeKind } from '../node-kind.ts'
import { CHANGE_PATHS, changeByPlaybook, type PlaybookChange } from './change-cases.ts'
import { durationOf, readDuration } from './duration-config.ts'
import { readValue, ValueTrouble, valueOf } from './value-config.ts'

const DATE_RULE = 'must be an ISO 8601 date-time with a zone, such as 2027-01-31T08:00:00Z'

const DeadlineMembers = Type.Object(
  {
    duration: Type.Optional(durationOf('How long from now.')),
    until: Type.Optional(
      valueOf(Type.Union([Type.String(), Type.Null()]), 'A moment; null takes the deadline away.'),
    ),
  },
  { additionalProperties: false, description: 'Exactly one of its members.' },
)

export const SET_DEADLINE = defineNodeKind({
  kind: 'set_deadline',
  title: 'Set Deadline',
  description: 'Sets the agreed deadline of the case (deadline_at).',
  config: DeadlineMembers,
  read: readDeadline,
  paths: () => CHANGE_PATHS,
  needsFacts: true,
  decide: act,
  apply: changeByPlaybook,
  example: { config: { duration: 'P2D' } },
})

function readDeadline(
  { duration, until }: Static<typeof DeadlineMembers>,
  reading: ConfigReading,
): PlaybookChange | null {
  const { refuse } = reading
  if (duration !== undefined && until !== undefined) {
    return refuse('until', 'cannot stand beside duration')
  }
  if (duration !== undefined) {
    const seconds = readDuration(duration)
    if (typeof seconds === 'string') return refuse('duration', seconds)
    return { plan: (_, at) => ({ deadlineAt: new Date(at.getTime() + seconds * 1_000) }) }
  }
  if (until === undefined) return refuse('duration', 'is missing; give duration or until')
  if (typeof until === 'string' && parseInstant(until) === null) return refuse('until', DATE_RULE)
  const value = readValue(until, 'until', reading)
  return value && { plan: ({ read }) => ({ deadlineAt: checkTime(read(value)) }) }
}

function checkTime(value: unknown): Date | null {
  if (value === null || value instanceof Date) return value
  const atMs = typeof value === 'string' ? parseInstant(value) : null
  if (atMs === null) throw new ValueTrouble(`a deadline ${DATE_RULE}`)
  return new Date(atMs)
}
