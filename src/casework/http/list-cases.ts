// GET /beta/casework/cases (interface endpoint 1): a page of the tenant's cases.

import { Type } from 'typebox'
import { CaseList } from '../../contract/case.ts'
import { PAGE_PARAMETERS, timeParameter } from '../../contract/page.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import type { Casework } from '../casework.ts'
import { type CaseFilter, listCases } from '../store/case-list-store.ts'
import { presentCase } from './present-case.ts'
import { readStates, readTimeRange } from './read-filters.ts'
import { readPage } from './read-page.ts'

const Query = Type.Object({
  state: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'NEW, IN_PROGRESS, RESOLVED, CLOSED; several are separated by commas.',
    }),
  ),
  customer_id: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  contract_id: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  tenant_id: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  case_group: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  created_after: timeParameter('Cases created at this time or later.'),
  created_before: timeParameter('Cases created before this time.'),
  sort: Type.Optional(
    Type.Union(
      [
        Type.Literal('created_at'),
        Type.Literal('first_event_date'),
        Type.Literal('last_event_date'),
      ],
      { description: 'created_at when left out; ties are ordered by id.' },
    ),
  ),
  ...PAGE_PARAMETERS,
})

export function listCasesRoute({ foundation, cursors }: Casework): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/cases',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'listCases',
    summary: 'List cases',
    query: Query,
    failsWithoutBody: true,
    responses: { 200: { description: 'A page of cases.', schema: CaseList } },
    async handle({ caller, query }) {
      const scope = requireCaller(caller)
      const sort = query.sort ?? 'created_at'
      const filter: CaseFilter = {
        ...(query.state === undefined ? {} : { states: readStates(query.state) }),
        ...(query.customer_id === undefined ? {} : { customerId: query.customer_id }),
        ...(query.contract_id === undefined ? {} : { contractId: query.contract_id }),
        ...(query.case_group === undefined ? {} : { caseGroupId: query.case_group }),
        createdAt: readTimeRange('created', query.created_after, query.created_before),
      }
      const filters = { ...filter, tenantId: query.tenant_id }
      const page = readPage(cursors, scope, { list: 'cases', sort, filters }, query)
      // A tenant that is not the caller's has no cases here, like one that is not there.
      const isForeign = query.tenant_id !== undefined && query.tenant_id !== scope.tenantId
      const rows = isForeign
        ? []
        : await listCases(foundation.database.kysely, scope, filter, sort, page.request)
      const json = page.present(
        rows,
        (row) => [row[sort].toISOString(), row.id],
        (row) => presentCase(scope, row),
      )
      return { status: 200, json }
    },
  })
}
