// The wire of erasures: a person's address replaced wherever it stands
// (docs/guides/retention-and-erasure.md).

import { type Static, Type } from 'typebox'
import { pageOf } from '../../../vocabulary/page-wire.ts'
import type { ErasureRecord } from './erasure-store.ts'

const Rows = Type.Record(Type.String(), Type.Integer())

export const Erasure = Type.Object({
  id: Type.String({ format: 'uuid' }),
  state: Type.Union([Type.Literal('under_way'), Type.Literal('done')], {
    description: 'When it is under way, send the same request again to go on.',
  }),
  preview: Type.Boolean(),
  addresses: Type.Integer({ description: 'How many were sent.' }),
  replaced_by: Type.Optional(
    Type.String({ description: 'What stands in place of the address, when it is one.' }),
  ),
  repeats: Type.Optional(
    Type.Array(Type.String({ format: 'uuid' }), {
      description: 'The erasures that this one repeats; it goes on by itself.',
    }),
  ),
  changed: {
    ...Rows,
    description:
      'Rows by table: changed, or what would be; report_raw are reports whose bytes are removed.',
  },
  kept: {
    ...Rows,
    description:
      'Rows by table and column (`customer.id`) in which the address is part of an id or of settings: yours to change.',
  },
  held: {
    ...Rows,
    description:
      'Rows by table that stay as they are, since a legal hold is on their case. Repeat the erasure when it is lifted.',
  },
  requested_by: Type.String({ description: 'Id of the token; restore, where a backup was older.' }),
  started_at: Type.String({ format: 'date-time' }),
  finished_at: Type.Optional(Type.String({ format: 'date-time' })),
})
export const ErasureList = pageOf(Erasure)

const Address = Type.String({ minLength: 3, maxLength: 254, description: 'The e-mail address.' })

export const ErasureBody = Type.Object(
  {
    address: Type.Optional(Address),
    addresses: Type.Optional(
      Type.Array(Address, {
        minItems: 1,
        maxItems: 10_000,
        description: 'Many at once, in one pass over everything.',
      }),
    ),
    repeats: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'Id of an earlier erasure, which is made once more: after a hold was lifted, for instance. It needs no address.',
      }),
    ),
    preview: Type.Optional(Type.Boolean({ description: 'True: counts, and changes nothing.' })),
  },
  { additionalProperties: false },
)

export function presentErasure(erasure: ErasureRecord): Static<typeof Erasure> {
  const { id, isPreview, subjects, repeats, requestedBy } = erasure
  const { changed, kept, onLegalHold, startedAt, finishedAt } = erasure
  const [only, ...others] = subjects
  return {
    id,
    state: finishedAt === null ? 'under_way' : 'done',
    preview: isPreview,
    addresses: subjects.length,
    ...(only === undefined || others.length > 0 ? {} : { replaced_by: only }),
    ...(repeats.length === 0 ? {} : { repeats: [...repeats] }),
    changed,
    kept,
    held: onLegalHold,
    requested_by: requestedBy,
    started_at: startedAt.toISOString(),
    ...(finishedAt === null ? {} : { finished_at: finishedAt.toISOString() }),
  }
}
