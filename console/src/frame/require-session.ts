// Who is not signed in goes to the sign-in page and comes back afterwards. Where the instance or
// the tenant requires a second factor and the person has none, they set one up before all else.

import { redirect } from '@tanstack/react-router'
import { CaseworkError } from 'casework/client'
import { queryClient } from '../data/query-client.ts'
import { type OwnSession, sessionQuery } from '../data/session.ts'

interface Asked {
  readonly pathname: string
  readonly href: string
}

/** The session of the person, or a way to the sign-in page. */
export async function requireSession({ pathname, href }: Asked): Promise<OwnSession> {
  try {
    return await queryClient.ensureQueryData(sessionQuery)
  } catch (error) {
    if (!(error instanceof CaseworkError) || error.status !== 401) throw error
    const next = pathname === '/' ? undefined : href
    redirect({ to: '/sign-in', search: { next }, throw: true })
    throw error
  }
}

/** The same, and the session can do something. */
export async function requireWholeSession(asked: Asked): Promise<void> {
  const session = await requireSession(asked)
  if (!session.must_enrol) return
  const next = asked.pathname === '/' ? undefined : asked.href
  redirect({ to: '/enrol', search: { next }, throw: true })
}
