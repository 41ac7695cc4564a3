// GET /beta/casework/cases/counts: the exact number of cases in each state, for the filters of the
// list.

import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import {
  COUNTED_BY,
  type CaseCounts as Counts,
  countCases,
  countCasesBy,
} from './case-count-store.ts'
import { CaseCounts, presentCounts } from './case-counts-wire.ts'
import { CASE_FILTER_PARAMETERS } from './case-filter-wire.ts'
import { findFilteredCases } from './case-list-store.ts'
import { namesForeignTenant, readCaseFilter } from './read-case-filter.ts'

// A tenant may have as many customers as cases; nobody reads more than the thousand busiest.
const GROUPS_MAX = 1_000
const NONE: Counts = { NEW: 0, IN_PROGRESS: 0, RESOLVED: 0, CLOSED: 0 }

export function countCasesRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/cases/counts',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'countCases',
    summary: 'Count cases',
    description:
      'Counts the cases of your tenant by state. `by` groups the counts by a member, such as customer_id.',
    query: Type.Object({
      ...CASE_FILTER_PARAMETERS,
      by: Type.Optional(
        Type.Union(
          COUNTED_BY.map((name) => Type.Literal(name)),
          { description: 'Also by the values of this member, busiest first.' },
        ),
      ),
    }),
    responses: { 200: { description: 'The counts.', schema: CaseCounts } },
    async handle({ caller, query }) {
      const scope = requireCaller(caller)
      const asked = readCaseFilter(query, scope)
      const isForeign = namesForeignTenant(query, scope)
      const filter = isForeign ? null : await findFilteredCases(db, scope, asked)
      const counts = filter === null ? NONE : await countCases(db, scope, filter)
      if (query.by === undefined) return { status: 200, json: presentCounts(counts, null) }
      const groups =
        filter === null ? [] : await countCasesBy(db, scope, filter, query.by, GROUPS_MAX)
      const shown = { groups: groups.slice(0, GROUPS_MAX), hasMore: groups.length > GROUPS_MAX }
      return { status: 200, json: presentCounts(counts, shown) }
    },
  })
}
