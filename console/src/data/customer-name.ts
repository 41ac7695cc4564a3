// The names of customers, for lists whose answers have the id alone.

import { queryOptions } from '@tanstack/react-query'
import { casework } from './client.ts'

/** The name of a customer, or null where the record is not known here. */
export function customerNameQuery(customerId: string) {
  return queryOptions({
    queryKey: ['customers', customerId, 'name'],
    queryFn: async ({ signal }): Promise<string | null> => {
      const path = { customerId }
      try {
        const customer = await casework.get('/beta/casework/customers/{customerId}', {
          params: { path },
          signal,
        })
        return customer.name ?? null
      } catch {
        // The id says enough; the list is no place for an error about a name.
        return null
      }
    },
    staleTime: 10 * 60_000,
  })
}
