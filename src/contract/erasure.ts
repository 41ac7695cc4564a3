// The wire of erasures: a person's address replaced wherever it stands (docs/guides/retention-and-erasure.md).

import { Type } from 'typebox'
import { pageOf } from './page.ts'

const Rows = Type.Record(Type.String(), Type.Integer())

export const Erasure = Type.Object({
  id: Type.String({ format: 'uuid' }),
  state: Type.Union([Type.Literal('under_way'), Type.Literal('done')], {
    description: 'When it is under way, send the same request again to go on.',
  }),
  preview: Type.Boolean(),
  replaced_by: Type.String({ description: 'What stands in place of the address.' }),
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
  requested_by: Type.String({ description: 'Id of the token.' }),
  started_at: Type.String({ format: 'date-time' }),
  finished_at: Type.Optional(Type.String({ format: 'date-time' })),
})
export const ErasureList = pageOf(Erasure)

export const ErasureBody = Type.Object(
  {
    address: Type.String({ minLength: 3, maxLength: 254, description: 'The e-mail address.' }),
    preview: Type.Optional(Type.Boolean({ description: 'True: counts, and changes nothing.' })),
  },
  { additionalProperties: false },
)
