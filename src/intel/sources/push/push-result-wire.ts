// What a push of intel answers (design section 9): how many rows were taken, and which were not.

import { type Static, Type } from 'typebox'

export const PushResult = Type.Object({
  accepted: Type.Integer({ description: 'Rows taken, those that were known already included.' }),
  rejected: Type.Array(
    Type.Object({
      index: Type.Integer({ description: 'Position of the row, counting from 0.' }),
      reason: Type.String(),
    }),
  ),
})
export type PushResult = Static<typeof PushResult>
