// How many cases there are in each state, in all and by one of their members (design section 10
// "Casework").

import { Type } from 'typebox'

const StateCounts = Type.Object({
  NEW: Type.Integer(),
  IN_PROGRESS: Type.Integer(),
  RESOLVED: Type.Integer(),
  CLOSED: Type.Integer(),
})

export const CaseCounts = Type.Object({
  total: Type.Integer(),
  counts: StateCounts,
  groups: Type.Optional(
    Type.Array(
      Type.Object({
        value: Type.Optional(Type.String({ description: 'Left out: the cases without one.' })),
        total: Type.Integer(),
        counts: StateCounts,
      }),
      { description: 'By the member that `by` names, those with the most cases first.' },
    ),
  ),
  has_more_groups: Type.Optional(
    Type.Boolean({ description: 'True when there are more than the thousand that are listed.' }),
  ),
})
