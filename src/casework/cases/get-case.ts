// GET /beta/casework/cases/{caseId}: one case in full, with its version as ETag and the nodes at
// which its playbook waits.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { named } from '../../vocabulary/named-schema.ts'
import { CaseDetail } from './case-detail-wire.ts'
import type { FindCaseProgress } from './case-progress.ts'
import { showCase } from './case-reply.ts'
import { requireCase } from './case-store.ts'
import { countOfCustomer } from './customer-counters-store.ts'
import { CustomerCounters, presentCustomerCounters } from './customer-counters-wire.ts'

const Query = Type.Object({
  expand: Type.Optional(
    Type.Literal('customer', {
      description: 'With `customer`: how many cases and events its customer had lately.',
    }),
  ),
})

const ExpandedCase = named(
  'ExpandedCase',
  Type.Object({
    ...CaseDetail.properties,
    customer: Type.Optional(CustomerCounters),
  }),
)

export interface GetCaseDeps {
  readonly db: Db
  readonly clock: Clock
  readonly findProgress: FindCaseProgress
}

export function getCaseRoute({ db, clock, findProgress }: GetCaseDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/cases/{caseId}',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'getCase',
    hasVersionTag: true,
    summary: 'Get a case',
    description:
      'The case in full, with its deadlines and the nodes at which its playbook waits. `ETag` is its version.',
    params: Type.Object({ caseId: Type.String() }),
    query: Query,
    responses: {
      200: { description: 'The case.', schema: ExpandedCase },
      404: { description: 'There is no such case.' },
    },
    async handle({ caller, params, query }) {
      const scope = requireCaller(caller)
      const row = await requireCase(db, scope, params.caseId)
      const { json, headers } = await showCase(db, row, findProgress)
      if (query.expand === undefined) return { status: 200, json, headers }
      const at = new Date(clock.nowMs())
      const counters = await countOfCustomer(db, scope, row.customer_id, { at })
      const customer = presentCustomerCounters(row.customer_id, counters)
      return { status: 200, json: { ...json, customer }, headers }
    },
  })
}
