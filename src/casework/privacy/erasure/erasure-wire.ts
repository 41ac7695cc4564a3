// Erasures on the wire: a person's address is replaced in all data
// (docs/guides/retention-and-erasure.md).

import { type Static, Type } from 'typebox'
import { named } from '../../../vocabulary/named-schema.ts'
import { pageOf } from '../../../vocabulary/page-wire.ts'
import type { ErasureRecord } from './erasure-store.ts'

const Rows = Type.Record(Type.String(), Type.Integer())

export const Erasure = named(
  'Erasure',
  Type.Object({
    id: Type.String({ format: 'uuid' }),
    state: Type.Union([Type.Literal('under_way'), Type.Literal('done')], {
      description: 'While it is under_way, send the same request again to continue.',
    }),
    preview: Type.Boolean(),
    addresses: Type.Integer({ description: 'How many were sent.' }),
    replaced_by: Type.Optional(
      Type.String({ description: 'The replacement of the address, if there is only one.' }),
    ),
    repeats: Type.Optional(
      Type.Array(Type.String({ format: 'uuid' }), {
        description: 'The erasures that this one repeats; it continues without requests.',
      }),
    ),
    changed: {
      ...Rows,
      description:
        'Changed rows by table, or a preview of them. report_raw counts reports whose bytes are removed.',
    },
    kept: {
      ...Rows,
      description:
        'Rows by table and column (`customer.id`) with the address in an id or in settings. They are not changed; change them yourself.',
    },
    held: {
      ...Rows,
      description:
        'Unchanged rows by table whose case is on legal hold. Repeat the erasure after the hold is lifted.',
    },
    unsearched_reports: Type.Optional(
      Type.Array(Type.String({ format: 'uuid' }), {
        maxItems: 1_000,
        description:
          'Ids of reports whose bytes were too costly to search, so an address may still be in them. Look at them, or wait until retention removes their bytes. Absent when there are none.',
      }),
    ),
    requested_by: Type.String({ description: 'Id of the token, or `restore`.' }),
    started_at: Type.String({ format: 'date-time' }),
    finished_at: Type.Optional(Type.String({ format: 'date-time' })),
  }),
)
export const ErasureList = pageOf(Erasure)

const Address = Type.String({ minLength: 3, maxLength: 254, description: 'The e-mail address.' })

export const ErasureBody = named(
  'NewErasure',
  Type.Object(
    {
      address: Type.Optional(Address),
      addresses: Type.Optional(
        Type.Array(Address, {
          minItems: 1,
          maxItems: 10_000,
          description: 'Many addresses in one pass over all data.',
        }),
      ),
      repeats: Type.Optional(
        Type.String({
          format: 'uuid',
          description:
            'Id of an earlier erasure to repeat, for example after a legal hold was lifted. It needs no address.',
        }),
      ),
      preview: Type.Optional(
        Type.Boolean({ description: 'True counts the rows and changes nothing.' }),
      ),
    },
    { additionalProperties: false },
  ),
)

export function presentErasure(erasure: ErasureRecord): Static<typeof Erasure> {
  const { id, isPreview, subjects, repeats, requestedBy } = erasure
  const { changed, kept, onLegalHold, unsearched, startedAt, finishedAt } = erasure
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
    ...(unsearched.length === 0 ? {} : { unsearched_reports: [...unsearched] }),
    requested_by: requestedBy,
    started_at: startedAt.toISOString(),
    ...(finishedAt === null ? {} : { finished_at: finishedAt.toISOString() }),
  }
}
