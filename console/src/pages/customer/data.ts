// One customer: the record, contracts, resources, counters, cases and notices.

import { queryOptions } from '@tanstack/react-query'
import { CaseworkError, type Schemas } from 'casework/client'
import { casework } from '../../data/client.ts'

export type Customer = Schemas['Customer']
export type Contract = Schemas['Contract']
export type Resource = Schemas['Resource']

const OWNED_MAX = 200

/** Null for a customer without a record: an address that stands for itself. */
export function customerQuery(customerId: string) {
  return queryOptions({
    queryKey: ['customers', customerId],
    async queryFn(): Promise<Customer | null> {
      try {
        return await casework.get('/beta/casework/customers/{customerId}', {
          params: { path: { customerId } },
        })
      } catch (error) {
        if (error instanceof CaseworkError && error.status === 404) return null
        throw error
      }
    },
  })
}

export function countersQuery(customerId: string) {
  return queryOptions({
    queryKey: ['customers', customerId, 'counters'],
    queryFn: () =>
      casework.get('/beta/casework/customers/{customerId}/counters', {
        params: { path: { customerId } },
      }),
  })
}

export function contractsQuery(customerId: string) {
  return queryOptions({
    queryKey: ['customers', customerId, 'contracts'],
    queryFn: () =>
      casework.get('/beta/casework/contracts', {
        params: { query: { customer_id: customerId, limit: OWNED_MAX, order: 'asc' } },
      }),
  })
}

export function resourcesQuery(customerId: string) {
  return queryOptions({
    queryKey: ['customers', customerId, 'resources'],
    queryFn: () =>
      casework.get('/beta/casework/resources', {
        params: { query: { customer_id: customerId, limit: OWNED_MAX, order: 'asc' } },
      }),
  })
}

const DAYS = 90
const DAY_MS = 86_400_000

export function casesOverTimeQuery(customerId: string) {
  return queryOptions({
    queryKey: ['customers', customerId, 'cases-over-time'],
    queryFn: () =>
      casework.get('/beta/casework/stats', {
        params: {
          query: {
            metric: 'cases_opened',
            interval: 'week',
            customer_id: customerId,
            from: new Date(Date.now() - DAYS * DAY_MS).toISOString(),
          },
        },
      }),
  })
}
