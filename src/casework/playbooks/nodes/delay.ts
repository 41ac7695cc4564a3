// Delay: waits for a time, or until a moment.

import { type Static, Type } from 'typebox'
import { parseInstant } from '../../../values/timestamp.ts'
import {
  type ConfigReading,
  type Decision,
  defineNodeKind,
  type TokenAtNode,
} from '../node-kind.ts'
import { durationOf, readDuration } from './duration-config.ts'

type DelayConfig =
  | { readonly kind: 'duration'; readonly seconds: number }
  | { readonly kind: 'until'; readonly at: Date }

const DelayMembers = Type.Object(
  {
    duration: Type.Optional(durationOf('How long, from the arrival at the node.')),
    until: Type.Optional(
      Type.String({ description: 'A moment, such as 2027-01-31T08:00:00Z; the past is over.' }),
    ),
  },
  { additionalProperties: false, description: 'Exactly one of its members.' },
)

export const DELAY = defineNodeKind({
  kind: 'delay',
  title: 'Delay',
  description: 'Waits for a time, or until a moment.',
  config: DelayMembers,
  read: readDelay,
  paths: () => ['next'],
  breaksLoops: true,
  decide: decideDelay,
  example: { config: { duration: 'P2D' } },
})

function readDelay(
  { duration, until }: Static<typeof DelayMembers>,
  { refuse }: ConfigReading,
): DelayConfig | null {
  if (duration !== undefined && until !== undefined) {
    return refuse('until', 'cannot stand beside duration')
  }
  if (duration !== undefined) {
    const seconds = readDuration(duration)
    return typeof seconds === 'string' ? refuse('duration', seconds) : { kind: 'duration', seconds }
  }
  if (until === undefined) return refuse('duration', 'is missing; give duration or until')
  const atMs = parseInstant(until)
  return atMs === null
    ? refuse('until', 'must be an ISO 8601 date-time with a zone, such as 2027-01-31T08:00:00Z')
    : { kind: 'until', at: new Date(atMs) }
}

function decideDelay(config: DelayConfig, { timerRang, enteredAt }: TokenAtNode): Decision {
  if (timerRang) return { kind: 'leave', path: 'next' }
  const timerAt =
    config.kind === 'until' ? config.at : new Date(enteredAt.getTime() + config.seconds * 1_000)
  return { kind: 'wait', waitsFor: 'timer', timerAt, watchesCase: false }
}
