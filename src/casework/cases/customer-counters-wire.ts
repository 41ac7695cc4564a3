// Repeat counters of a customer (reference: case operations 3.4), on the case and by themselves.

import { type Static, Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'
import type { CustomerCounter } from './customer-counters-store.ts'

export const CustomerCounters = named(
  'CustomerCounters',
  Type.Object({
    customer_id: Type.String(),
    counters: Type.Array(
      Type.Object({
        days: Type.Integer({ description: '30, 90 and 365: the last days until now.' }),
        cases: Type.Integer({
          description:
            'Cases that were opened in these days; merged ones count once. 10,000 at most.',
        }),
        events: Type.Integer({ description: 'Events of these days. 100,000 at most.' }),
        complete: Type.Boolean({ description: 'False: there are more than that.' }),
      }),
    ),
  }),
)

export function presentCustomerCounters(
  customerId: string,
  counters: readonly CustomerCounter[],
): Static<typeof CustomerCounters> {
  return {
    customer_id: customerId,
    counters: counters.map(({ days, cases, events, isComplete }) => {
      return { days, cases, events, complete: isComplete }
    }),
  }
}
