// Who is signed in, in which tenant, and what they may do.

import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { closeToasts } from '../parts/toasts.ts'
import { forgetPerson, keepFor, listenToOtherTabs } from './browser-memory.ts'
import { casework, rememberCsrfToken } from './client.ts'
import { queryClient } from './query-client.ts'
import { signInWaysQuery } from './sign-in-ways.ts'

export type OwnSession = Schemas['OwnSession']

const SESSION_KEY = ['session']

// How often this tab entered a session: what was asked for before tells of the former one.
let entered = 0

export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: async () => {
    const enteredThen = entered
    const session = await casework.get('/beta/session')
    const newer = queryClient.getQueryData<OwnSession>(SESSION_KEY)
    return entered !== enteredThen && newer !== undefined ? newer : keepSession(session)
  },
  staleTime: 60_000,
})

// All tabs of a browser have one session, so that each of them goes along with the others.
listenToOtherTabs(() => void queryClient.invalidateQueries({ queryKey: SESSION_KEY }))

function keepSession(session: OwnSession): OwnSession {
  const former = queryClient.getQueryData<OwnSession>(SESSION_KEY)
  const isSame =
    former === undefined ||
    (former.user.id === session.user.id && former.tenant_id === session.tenant_id)
  if (!isSame) forgetFormer()
  rememberCsrfToken(session.csrf_token)
  keepFor(session.user.id, session.tenant_id)
  return session
}

/** After a sign-in: the answer has the session, so that it is not asked for again. */
export function enterSession(session: OwnSession): void {
  entered += 1
  forgetFormer()
  queryClient.setQueryData(SESSION_KEY, keepSession(session))
}

/** Of another person or another tenant nothing stays: no answer, and nothing that was said. */
function forgetFormer(): void {
  // A frame that is shown watches the query of the session, so that one stays.
  forgetAllBut({ queryKey: SESSION_KEY })
  closeToasts()
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
  closeToasts()
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
