// The wire of legal holds: cases that are kept from retention and erasure
// (docs/guides/legal-holds.md).

import { Type } from 'typebox'
import { pageOf } from '../../../vocabulary/page-wire.ts'

export const LegalHold = Type.Object({
  id: Type.String({ format: 'uuid' }),
  case_id: Type.String(),
  reason: Type.String(),
  placed_at: Type.String({ format: 'date-time' }),
  placed_by: Type.String({ description: 'Id of the token, or of whatever moved the events.' }),
  extends: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'The hold of the case that events of this one came out of.',
    }),
  ),
  in_force: Type.Boolean(),
  lifted_at: Type.Optional(Type.String({ format: 'date-time' })),
  lifted_by: Type.Optional(Type.String()),
  lift_reason: Type.Optional(Type.String()),
})
export const LegalHoldList = pageOf(LegalHold)

export const HoldBody = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 2_000,
      pattern: '\\S',
      description: 'Why, in words; kept with the hold and in the history of the case.',
    }),
  },
  { additionalProperties: false },
)
