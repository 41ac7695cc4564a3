// Start: where every run begins, and what begins one.

import { type Static, Type } from 'typebox'
import { type ConfigReading, defineNodeKind } from '../node-kind.ts'
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
])

const StartMembers = Type.Object(
  {
    on: Type.Optional(
      Type.Array(StartOn, {
        maxItems: 3,
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
  { refuse }: ConfigReading,
): StartConfig | null {
  const entries = on ?? [{ event: 'case_created' as const }]
  let debounceSeconds: number | null = null
  const toStates: string[] = []
  for (const [at, entry] of entries.entries()) {
    if (entries.findIndex(({ event }) => event === entry.event) < at) {
      return refuse(`on/${at}/event`, 'is there twice')
    }
    if (entry.event === 'state_changed') toStates.push(...(entry.to ?? STATES))
    if (entry.event !== 'event_added') continue
    const seconds = entry.debounce === undefined ? 0 : readDuration(entry.debounce)
    if (typeof seconds === 'string') return refuse(`on/${at}/debounce`, seconds)
    if (seconds > DEBOUNCE_SECONDS_MAX) {
      return refuse(`on/${at}/debounce`, 'must be at most a day')
    }
    debounceSeconds = seconds
  }
  const onCaseCreated = entries.some(({ event }) => event === 'case_created')
  return { onCaseCreated, debounceSeconds, toStates }
}
