// What the account page asks the interface.

import { queryOptions } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { casework } from '../../data/client.ts'
import { queryClient } from '../../data/query-client.ts'

export const sessionsQuery = queryOptions({
  queryKey: ['sessions', 'list'],
  queryFn: () => casework.get('/beta/sessions'),
})

export const factorsQuery = queryOptions({
  queryKey: ['factors'],
  queryFn: () => casework.get('/beta/session/factors'),
})

export const identitiesQuery = queryOptions({
  queryKey: ['identities', 'list'],
  queryFn: () => casework.get('/beta/session/identities'),
})

/** After a change of factors, which may have ended other sessions. */
export async function takeFactors(factors?: Schemas['Factors']): Promise<void> {
  const { queryKey } = factorsQuery
  if (factors === undefined) await queryClient.invalidateQueries({ queryKey })
  else {
    // What was asked for before the change must not come after it.
    await queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData(queryKey, factors)
  }
  await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
}
