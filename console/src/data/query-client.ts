// The cache of answers. Keys begin with the name of the resource: `['cases', 'list', filters]`,
// `['cases', id]`. A page asks by `useQuery({ queryKey, queryFn: () => casework.get(…) })`.

import { QueryCache, QueryClient } from '@tanstack/react-query'
import { CaseworkError } from 'casework/client'

type SignedOut = () => void
let onSignedOut: SignedOut = () => undefined

/** The router leaves for the sign-in page then; it comes after this file. */
export function whenSignedOut(act: SignedOut): void {
  onSignedOut = act
}

/** For failures of acts, which the query cache does not see. */
export function noteFailure(error: unknown): void {
  if (error instanceof CaseworkError && error.status === 401) onSignedOut()
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteFailure }),
  defaultOptions: {
    queries: {
      // The stream of changes says what is old; this is for what it does not speak of.
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      // The client of the interface repeats what is worth repeating.
      retry: false,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})
