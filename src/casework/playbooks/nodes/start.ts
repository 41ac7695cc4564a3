// Start: where every run begins, and what begins one.

import { type Static, Type } from 'typebox'
import { isTimeZone } from '../calendars/calendar.ts'
import { type FactCondition, parseFactCondition } from '../case-facts.ts'
import { type ConfigReading, defineNodeKind } from '../node-kind.ts'
import { EVERY_SECONDS_MIN, readCron, type Schedule } from '../schedules/schedule.ts'
import { durationOf, readDuration } from './duration-config.ts'

const STATES = ['NEW', 'IN_PROGRESS', 'RESOLVED', 'CLOSED'] as const
const DEBOUNCE_SECONDS_MAX = 86_400

const StartOn = Type.Union([
  Type.Object({ event: Type.Literal('case_created') }, { additionalProperties: false }),
  Type.Object(
    {
      event: Type.Literal('event_added'),
      debounce: Type.Optional(
        durationOf('The run begins when no further event has come for this time, at most a day.'),
      ),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      event: Type.Literal('state_changed'),
      to: Type.Optional(
        Type.Array(Type.Union(STATES.map((state) => Type.Literal(state))), {
          minItems: 1,
          description: 'The new states; any when left out.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      event: Type.Literal('schedule'),
      every: Type.Optional(durationOf('How often, at least 15 minutes.')),
      cron: Type.Optional(
        Type.String({
          maxLength: 200,
          description:
            'Instead of every: minute, hour, day of the month, month and day of the week, such as 0 8 * * 1-5.',
        }),
      ),
      time_zone: Type.Optional(
        Type.String({ maxLength: 64, default: 'UTC', description: 'Of cron.' }),
      ),
      where: Type.Optional(
        Type.String({
          minLength: 1,
          description: 'A condition as of true_false, over the facts of the case; vars are empty.',
        }),
      ),
    },
    {
      additionalProperties: false,
      description:
        'On every open case (NEW or IN_PROGRESS) that meets the condition, once a tick. Of ticks that were missed, one is made up for.',
    },
  ),
])

const StartMembers = Type.Object(
  {
    on: Type.Optional(
      Type.Array(StartOn, {
        maxItems: 4,
        description:
          'What begins a run on a case of the groups that name this playbook; case_created when left out. An empty list: only a caller or another playbook begins one. What playbooks write themselves begins none.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** What begins a run of the playbook. */
export interface StartConfig {
  readonly onCaseCreated: boolean
  /** Null: events begin none. */
  readonly debounceSeconds: number | null
  /** The states whose entering begins one. */
  readonly toStates: readonly string[]
  readonly schedule: StartSchedule | null
}

interface StartSchedule {
  readonly times: Schedule
  readonly where: FactCondition | null
}

export const START = defineNodeKind({
  kind: 'start',
  title: 'Start',
  description:
    'The node at which every run begins, with what begins one. A playbook has exactly one, and a case at most one run of it at a time.',
  config: StartMembers,
  read: readStart,
  paths: () => ['next'],
  decide: () => ({ kind: 'leave', path: 'next' }),
  example: { config: { on: [{ event: 'event_added', debounce: 'PT15M' }] } },
})

function readStart(
  { on }: Static<typeof StartMembers>,
  reading: ConfigReading,
): StartConfig | null {
  const entries = on ?? [{ event: 'case_created' as const }]
  let onCaseCreated = false
  let debounceSeconds: number | null = null
  let toStates: readonly string[] = []
  let schedule: StartSchedule | null = null
  for (const [at, entry] of entries.entries()) {
    const place = `on/${at}`
    if (entries.findIndex(({ event }) => event === entry.event) < at) {
      return reading.refuse(`${place}/event`, 'is there twice')
    }
    switch (entry.event) {
      case 'case_created':
        onCaseCreated = true
        break
      case 'event_added':
        debounceSeconds = readDebounce(entry, place, reading)
        if (debounceSeconds === null) return null
        break
      case 'state_changed':
        toStates = entry.to ?? STATES
        break
      case 'schedule':
        schedule = readSchedule(entry, place, reading)
        if (schedule === null) return null
    }
  }
  return { onCaseCreated, debounceSeconds, toStates, schedule }
}

type EventEntry = Extract<Static<typeof StartOn>, { event: 'event_added' }>
type ScheduleEntry = Extract<Static<typeof StartOn>, { event: 'schedule' }>

/** Null when it was refused. */
function readDebounce(
  { debounce }: EventEntry,
  place: string,
  { refuse }: ConfigReading,
): number | null {
  const seconds = debounce === undefined ? 0 : readDuration(debounce)
  if (typeof seconds === 'string') return refuse(`${place}/debounce`, seconds)
  if (seconds <= DEBOUNCE_SECONDS_MAX) return seconds
  return refuse(`${place}/debounce`, 'must be at most a day')
}

function readSchedule(
  { every, cron, time_zone: timeZone = 'UTC', where }: ScheduleEntry,
  place: string,
  { refuse }: ConfigReading,
): StartSchedule | null {
  if (every !== undefined && cron !== undefined) {
    return refuse(`${place}/cron`, 'cannot stand beside every')
  }
  const condition = where === undefined ? null : parseFactCondition(where)
  if (condition?.kind === 'problem') return refuse(`${place}/where`, condition.reason)
  const asked = condition?.condition ?? null
  if (cron !== undefined) {
    if (!isTimeZone(timeZone)) return refuse(`${place}/time_zone`, 'names no time zone')
    const times = readCron(cron, timeZone)
    return typeof times === 'string' ? refuse(`${place}/cron`, times) : { times, where: asked }
  }
  if (every === undefined) return refuse(`${place}/every`, 'is missing; give every or cron')
  const seconds = readDuration(every)
  if (typeof seconds === 'string') return refuse(`${place}/every`, seconds)
  if (seconds < EVERY_SECONDS_MIN) return refuse(`${place}/every`, 'must be at least 15 minutes')
  return { times: { kind: 'every', seconds }, where: asked }
}
