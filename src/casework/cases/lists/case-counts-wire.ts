// The number of cases in each state, in total and grouped by one member (design section 10
// "Casework").

import { type Static, Type } from 'typebox'
import { named } from '../../../vocabulary/named-schema.ts'
import type { CountedGroup, CaseCounts as Counts } from './case-count-store.ts'

const StateCounts = named(
  'StateCounts',
  Type.Object({
    NEW: Type.Integer(),
    IN_PROGRESS: Type.Integer(),
    RESOLVED: Type.Integer(),
    CLOSED: Type.Integer(),
  }),
)

export const CaseCounts = named(
  'CaseCounts',
  Type.Object({
    total: Type.Integer(),
    counts: StateCounts,
    groups: Type.Optional(
      Type.Array(
        Type.Object({
          value: Type.Optional(
            Type.String({ description: 'Left out for the cases without a value.' }),
          ),
          total: Type.Integer(),
          counts: StateCounts,
        }),
        { description: 'By the member that `by` names; the groups with the most cases first.' },
      ),
    ),
    has_more_groups: Type.Optional(
      Type.Boolean({
        description: 'True when there are more groups than the thousand that are listed.',
      }),
    ),
  }),
)

/** The groups, when they were asked for, with the information whether there are more. */
export interface ShownGroups {
  readonly groups: readonly CountedGroup[]
  readonly hasMore: boolean
}

export function presentCounts(
  counts: Counts,
  shown: ShownGroups | null,
): Static<typeof CaseCounts> {
  return {
    ...presentTotal(counts),
    ...(shown === null
      ? {}
      : { groups: shown.groups.map(presentGroup), has_more_groups: shown.hasMore }),
  }
}

function presentGroup({ value, counts }: CountedGroup) {
  return { ...(value === null ? {} : { value }), ...presentTotal(counts) }
}

function presentTotal(counts: Counts) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return { total, counts: { ...counts } }
}
