// The corrections that a report has, on the wire.

import { type Static, Type } from 'typebox'
import { omitNulls } from '../../../values/omit-nulls.ts'
import { named } from '../../../vocabulary/named-schema.ts'
import type { StoredCorrection } from './correction-store.ts'

const Content = named(
  'EventContent',
  Type.Object(
    {
      event_type: Type.String(),
      ip: Type.Optional(Type.String()),
      domain: Type.Optional(Type.String()),
      url: Type.Optional(Type.String()),
      urls: Type.Optional(Type.Array(Type.String())),
      target: Type.Optional(Type.Object({}, { additionalProperties: true })),
    },
    { description: 'What an event says, as far as it can be corrected.' },
  ),
)

const Change = Type.Object({
  event_id: Type.String({ format: 'uuid' }),
  kind: Type.Union([Type.Literal('changed'), Type.Literal('withdrawn'), Type.Literal('added')]),
  before: Type.Optional(Content),
  after: Type.Optional(Content),
})

export const Correction = named(
  'ReportCorrection',
  Type.Object({
    id: Type.String({ format: 'uuid' }),
    version: Type.Integer({ description: 'The version of the report that it made.' }),
    at: Type.String({ format: 'date-time' }),
    corrected_by: Type.String({ description: 'Id of the token.' }),
    reason: Type.Optional(Type.String()),
    former_state: Type.String({ description: 'State of the report before it.' }),
    former_reason: Type.Optional(Type.String()),
    changes: Type.Array(Change),
  }),
)

export function presentCorrection(correction: StoredCorrection): Static<typeof Correction> {
  return omitNulls<Static<typeof Correction>>({
    id: correction.id,
    version: correction.version,
    at: correction.at.toISOString(),
    corrected_by: correction.correctedBy,
    reason: correction.reason,
    former_state: correction.formerState,
    former_reason: correction.formerReason,
    changes: correction.changes.map(({ event_id, kind, before, after }) => ({
      event_id,
      kind,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    })),
  })
}
