// GET /beta/casework/customers/{customerId}/counters: how often a customer was in trouble lately,
// also a customer without a record, such as an address.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { countOfCustomer, hasCustomer } from '../cases/customer-counters-store.ts'
import { CustomerCounters, presentCustomerCounters } from '../cases/customer-counters-wire.ts'
import { ownerNotFound } from './errors.ts'
import { CUSTOMERS, readOwnerId } from './owner-records.ts'

export function getCustomerCountersRoute({
  db,
  clock,
}: {
  readonly db: Db
  readonly clock: Clock
}): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/customers/{customerId}/counters',
    group: 'casework',
    access: { kind: 'scope', scope: 'customers:read' },
    operationId: 'getCustomerCounters',
    summary: 'Count the cases and events of a customer',
    description: 'Of the last 30, 90 and 365 days.',
    params: Type.Object({ customerId: Type.String() }),
    responses: {
      200: { description: 'The counters.', schema: CustomerCounters },
      404: { description: 'There is no such customer, and no case or event of one.' },
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const id = readOwnerId(CUSTOMERS, params)
      if (id === null || !(await hasCustomer(db, scope, id))) throw ownerNotFound('customer')
      const counters = await countOfCustomer(db, scope, id, { at: new Date(clock.nowMs()) })
      return { status: 200, json: presentCustomerCounters(id, counters) }
    },
  })
}
