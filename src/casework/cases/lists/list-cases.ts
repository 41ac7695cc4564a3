// GET /beta/casework/cases (interface endpoint 1): a page of the tenant's cases.

import { type Static, Type } from 'typebox'
import { findActorNames } from '../../../access/groups/actor-name-store.ts'
import { listRoute, showRows } from '../../../access/list-route.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { CursorSealer } from '../../../kernel/http/cursor.ts'
import type { Route } from '../../../kernel/http/route.ts'
import { PAGE_PARAMETERS } from '../../../vocabulary/page-wire.ts'
import { presentCase } from '../case-wire.ts'
import { CASE_FILTER_PARAMETERS } from './case-filter-wire.ts'
import { listCases } from './case-list-store.ts'
import { CaseList, presentListSummary } from './case-list-wire.ts'
import { findListSummaries } from './list-summary-store.ts'
import { namesForeignTenant, readCaseFilter } from './read-case-filter.ts'

const Query = Type.Object({
  ...CASE_FILTER_PARAMETERS,
  sort: Type.Optional(
    Type.Union(
      [
        Type.Literal('created_at'),
        Type.Literal('first_event_date'),
        Type.Literal('last_event_date'),
        Type.Literal('due_at'),
      ],
      {
        description:
          'created_at when left out; ties are ordered by id. due_at lists only cases that have a deadline.',
      },
    ),
  ),
  expand: Type.Optional(
    Type.Literal('summary', {
      description:
        'With `summary`: severity, deadline, assignee, counts, types, tags and last event of each case.',
    }),
  ),
  ...PAGE_PARAMETERS,
})

/** What the list takes, for views of it. */
export const CASE_LIST = {
  query: Query,
  check: (query: Static<typeof Query>): void => void readCaseFilter(query),
}

export function listCasesRoute({
  db,
  cursors,
}: {
  readonly db: Db
  readonly cursors: CursorSealer
}): Route {
  return listRoute({
    cursors,
    path: '/beta/casework/cases',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'listCases',
    summary: 'List cases',
    description:
      'Cases of your tenant, newest first unless `sort` says otherwise. All filters must match. Ask for the next page with `cursor`.',
    query: Query,
    failsWithoutBody: true,
    responses: { 200: { description: 'A page of cases.', schema: CaseList } },
    list: 'cases',
    sort: 'created_at',
    open({ caller, query }) {
      const sort = query.sort ?? 'created_at'
      const filter = readCaseFilter(query, caller)
      return {
        filters: { ...filter, tenantId: query.tenant_id },
        sort,
        async find(request) {
          const rows = namesForeignTenant(query, caller)
            ? []
            : await listCases(db, caller, filter, sort, request)
          const shown = query.expand === 'summary' ? rows.slice(0, request.limit) : []
          const ids = shown.map(({ id }) => id)
          const summaries = await findListSummaries(db, caller, ids)
          const assignees = summaries.values().map((summary) => summary.assignee_user_id)
          const names = await findActorNames(db, caller.tenantId, assignees)
          return showRows(
            rows,
            (row) => [row[sort]?.toISOString() ?? '', row.id],
            (row) => {
              const summary = summaries.get(row.id)
              const listed = presentCase(caller, row)
              return summary === undefined
                ? listed
                : { ...listed, summary: presentListSummary(summary, names) }
            },
          )
        },
      }
    },
  })
}
