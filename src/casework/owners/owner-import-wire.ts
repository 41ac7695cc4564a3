// Many customers, contracts or resources at once: rows stand for themselves, a wrong one is
// answered in its place.

import { type TSchema, Type } from 'typebox'
import { ProblemPlaces } from '../../vocabulary/problem-wire.ts'

export const OWNER_ROWS_MAX = 10_000

export function rowsOf<Row extends TSchema>(row: Row) {
  return Type.Array(row, { minItems: 1, maxItems: OWNER_ROWS_MAX })
}

export const OwnerImport = Type.Object({
  accepted: Type.Integer({ description: 'Rows that are stored as they were sent.' }),
  rejected: Type.Array(
    Type.Object({
      index: Type.Integer({ description: 'Place of the row, counted from 0.' }),
      reason: Type.String(),
      errors: Type.Optional(ProblemPlaces),
    }),
  ),
})
