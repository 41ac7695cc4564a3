// Replay of unassigned events, and reassignment of one event to another owner (design section 5.2).

import { Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'
import { timeParameter } from '../../vocabulary/page-wire.ts'
import { OwnerId } from '../owners/owner-wire.ts'

export const ReplayBody = named(
  'EventReplayRequest',
  Type.Object(
    {
      event_ids: Type.Optional(
        Type.Array(Type.String(), { minItems: 1, maxItems: 1_000, description: 'Only these.' }),
      ),
      cause: Type.Optional(
        Type.Union([
          Type.Literal('no_target'),
          Type.Literal('no_match'),
          Type.Literal('resolver_failed'),
        ]),
      ),
      event_after: timeParameter('Events of this time or later.'),
      event_before: timeParameter('Events before this time.'),
      after: Type.Optional(
        Type.String({ description: 'The next_after of the answer before, to go on.' }),
      ),
    },
    { additionalProperties: false },
  ),
)

export const Replay = named(
  'EventReplay',
  Type.Object({
    assigned: Type.Integer({ description: 'How many have an owner and a case now.' }),
    unassigned: Type.Integer({ description: 'How many still have none.' }),
    next_after: Type.String({
      description: 'Send it as `after` to go on; empty when all were looked at.',
    }),
  }),
)

export const ReassignBody = named(
  'EventReassignment',
  Type.Object(
    {
      customer_id: Type.Optional(
        Type.String({
          ...OwnerId,
          description: 'The owner from now on; left out: found anew by resources.',
        }),
      ),
      contract_id: Type.Optional(OwnerId),
      reason: Type.Optional(
        Type.String({ maxLength: 2_000, description: 'Why, in words; kept in the histories.' }),
      ),
    },
    { additionalProperties: false },
  ),
)

export const Reassigned = named(
  'ReassignedEvent',
  Type.Object({
    event_id: Type.String({ format: 'uuid' }),
    outcome: Type.Union([
      Type.Literal('reassigned'),
      Type.Literal('unchanged'),
      Type.Literal('unassigned'),
    ]),
    customer_id: Type.Optional(OwnerId),
    contract_id: Type.Optional(OwnerId),
    case_id: Type.Optional(Type.String()),
  }),
)
