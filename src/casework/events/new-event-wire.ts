// Events that are pushed (design section 9): our event record without the fields that the service
// gives, singly or in bulk.

import { Type } from 'typebox'
import { EVENT_CONTENT_MEMBERS, SEEN_MEMBERS } from './event-record-wire.ts'

export const NEW_EVENTS_MAX = 1_000

export const NewEvent = Type.Object(
  {
    ...EVENT_CONTENT_MEMBERS,
    sender_email: Type.Optional(
      Type.String({
        format: 'email',
        description: 'The address of your token stands in when it is left out.',
      }),
    ),
    report_id: Type.Optional(
      Type.String({
        description:
          'Your id of the report; an event of the same id and content is the same event.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const NewEvents = Type.Union([
  NewEvent,
  Type.Array(NewEvent, { minItems: 1, maxItems: NEW_EVENTS_MAX }),
])

export const EventOutcome = Type.Union([
  Type.Literal('created'),
  Type.Literal('duplicate'),
  Type.Literal('unassigned'),
  Type.Literal('held'),
  Type.Literal('muted'),
])

/** Answer to one event. */
export const PushedEvent = Type.Object({
  event_id: Type.String({ format: 'uuid' }),
  case_id: Type.Optional(Type.String()),
  outcome: EventOutcome,
  ...SEEN_MEMBERS,
})

/** Answer to an array or NDJSON, one entry for each event in its order. */
export const PushedEvents = Type.Object({
  items: Type.Array(
    Type.Object({
      index: Type.Integer(),
      outcome: Type.Union([...EventOutcome.anyOf, Type.Literal('invalid')]),
      event_id: Type.Optional(Type.String({ format: 'uuid' })),
      case_id: Type.Optional(Type.String()),
      ...SEEN_MEMBERS,
      error: Type.Optional(Type.String({ description: 'What to correct.' })),
    }),
  ),
})
