// GET /beta/casework/cases/counts: how many cases there are in each state, exactly, for the filters
// of the list.

import { Type } from 'typebox'
import type { Casework } from '../../../app/open-casework.ts'
import { defineRoute, type Route, requireCaller } from '../../../kernel/http/route.ts'
import {
  COUNTED_BY,
  type CaseCounts as Counts,
  countCases,
  countCasesBy,
} from './case-count-store.ts'
import { CaseCounts } from './case-counts-wire.ts'
import { CASE_FILTER_PARAMETERS } from './case-filter-wire.ts'
import { namesForeignTenant, readCaseFilter } from './read-case-filter.ts'

// A tenant may have as many customers as cases; nobody reads more than the busiest of them.
const GROUPS_MAX = 1_000
const NONE: Counts = { NEW: 0, IN_PROGRESS: 0, RESOLVED: 0, CLOSED: 0 }

export function countCasesRoute({ foundation }: Casework): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/cases/counts',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'countCases',
    summary: 'Count cases by state',
    query: Type.Object({
      ...CASE_FILTER_PARAMETERS,
      by: Type.Optional(
        Type.Union(
          COUNTED_BY.map((name) => Type.Literal(name)),
          { description: 'Also by this member.' },
        ),
      ),
    }),
    responses: { 200: { description: 'The counts.', schema: CaseCounts } },
    async handle({ caller, query }) {
      const scope = requireCaller(caller)
      const filter = readCaseFilter(query)
      const isForeign = namesForeignTenant(query, scope)
      const db = foundation.database.kysely
      const counts = isForeign ? NONE : await countCases(db, scope, filter)
      const json = presentCounts(counts)
      if (query.by === undefined) return { status: 200, json }
      const groups = isForeign ? [] : await countCasesBy(db, scope, filter, query.by, GROUPS_MAX)
      return {
        status: 200,
        json: {
          ...json,
          groups: groups.slice(0, GROUPS_MAX).map((group) => ({
            ...(group.value === null ? {} : { value: group.value }),
            ...presentCounts(group.counts),
          })),
          has_more_groups: groups.length > GROUPS_MAX,
        },
      }
    },
  })
}

function presentCounts(counts: Counts): { readonly total: number; readonly counts: Counts } {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return { total, counts }
}
