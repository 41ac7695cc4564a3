// Legal holds on the wire: cases that retention and erasure must leave as they are
// (docs/guides/legal-holds.md).

import { type Static, Type } from 'typebox'
import { named } from '../../../vocabulary/named-schema.ts'
import { pageOf } from '../../../vocabulary/page-wire.ts'
import type { LegalHoldRecord } from './legal-hold-store.ts'

export const LegalHold = named(
  'LegalHold',
  Type.Object({
    id: Type.String({ format: 'uuid' }),
    case_id: Type.String(),
    reason: Type.String(),
    placed_at: Type.String({ format: 'date-time' }),
    placed_by: Type.String({
      description: 'Id of the token, or of the actor that moved the events.',
    }),
    extends: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'The legal hold of the case from which events of this case came.',
      }),
    ),
    in_force: Type.Boolean(),
    lifted_at: Type.Optional(Type.String({ format: 'date-time' })),
    lifted_by: Type.Optional(Type.String()),
    lift_reason: Type.Optional(Type.String()),
  }),
)
export const LegalHoldList = pageOf(LegalHold)

export const LegalHoldBody = named(
  'LegalHoldReason',
  Type.Object(
    {
      reason: Type.String({
        minLength: 1,
        maxLength: 2_000,
        pattern: '\\S',
        description: 'Why, in words; stored with the legal hold and in the history of the case.',
      }),
    },
    { additionalProperties: false },
  ),
)

export function presentLegalHold(hold: LegalHoldRecord): Static<typeof LegalHold> {
  const { id, caseId, reason, placedAt, placedBy, extendsId } = hold
  const { liftedAt, liftedBy, liftReason } = hold
  return {
    id,
    case_id: caseId,
    reason,
    placed_at: placedAt.toISOString(),
    placed_by: placedBy,
    ...(extendsId === null ? {} : { extends: extendsId }),
    in_force: liftedAt === null,
    ...(liftedAt === null ? {} : { lifted_at: liftedAt.toISOString() }),
    ...(liftedBy === null ? {} : { lifted_by: liftedBy }),
    ...(liftReason === null ? {} : { lift_reason: liftReason }),
  }
}
