// Who is signed in, in which tenant, and what they may do.

import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { forgetPerson, keepFor } from './browser-memory.ts'
import { casework, rememberCsrfToken } from './client.ts'
import { queryClient } from './query-client.ts'
import { signInWaysQuery } from './sign-in-ways.ts'

export type OwnSession = Schemas['OwnSession']

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => keepSession(await casework.get('/beta/session')),
  staleTime: 60_000,
})

function keepSession(session: OwnSession): OwnSession {
  rememberCsrfToken(session.csrf_token)
  keepFor(session.user.id)
  return session
}

/** After a sign-in: the answer has the session, so that it is not asked for again. */
export function enterSession(session: OwnSession): void {
  // A frame that is shown watches the query of the session, so that one stays.
  forgetAllBut(sessionQuery)
  queryClient.setQueryData(sessionQuery.queryKey, keepSession(session))
}

function forgetAllBut({ queryKey: [name] }: { readonly queryKey: readonly string[] }): void {
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== name })
}

/** `leave` goes to a page that shows nothing of the former tenant. */
export async function switchTenant(tenantId: string, leave: () => Promise<void>): Promise<void> {
  const session = await casework.patch('/beta/session', { body: { tenant_id: tenantId } })
  await leave()
  enterSession(session)
}

/** `leave` goes to a page without a session, so that nothing asks for it any more. */
export async function signOut(leave: () => Promise<void>): Promise<void> {
  await casework.delete('/beta/session')
  forgetPerson()
  await leave()
  // The page of the sign-in already watches its own query, which knows nothing of a person.
  forgetAllBut(signInWaysQuery)
  queryClient.getMutationCache().clear()
}

/** Below the frame there always is one. */
export function useSession(): OwnSession {
  const { data } = useQuery(sessionQuery)
  if (data === undefined) throw new Error('useSession() was called outside of the frame')
  return data
}

/** Whether the person has the scope, such as `cases:write`, in this tenant. */
export function useMay(scope: string): boolean {
  const { scopes } = useSession()
  return scopes.includes(scope)
}
