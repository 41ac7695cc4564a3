// POST /beta/session: a person signs in by e-mail address and password.

import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type RequestContext, type Route } from '../../kernel/http/route.ts'
import type { ScopesOfRoles } from '../people/user-roles.ts'
import { findUser } from '../people/user-store.ts'
import {
  assertOwnOrigin,
  assertSafeForPasswords,
  type PublicUrl,
} from '../sessions/check-origin.ts'
import {
  createSession,
  type MadeSession,
  type ProvenUser,
  type SessionDeps,
  type SessionOrigin,
} from '../sessions/create-session.ts'
import { presentOwnSession } from '../sessions/present-own-session.ts'
import { readCookie } from '../sessions/session-cookie.ts'
import { hashSecret } from '../sessions/session-secret.ts'
import { endSessions, findSessionBySecret } from '../sessions/session-store.ts'
import { OwnSession } from '../sessions/session-wire.ts'
import { PasswordSignIn } from './credential-wire.ts'
import { signInRefused } from './errors.ts'
import type { SignInMetrics } from './sign-in-metrics.ts'
import { type VerifyDeps, verifyPassword } from './verify-password.ts'

export interface SignInDeps extends VerifyDeps, SessionDeps {
  readonly publicUrl: PublicUrl
  readonly metrics: SignInMetrics
  readonly refreshTokens: () => Promise<void>
  readonly scopesOfRoles: ScopesOfRoles
}

export function signInRoute(deps: SignInDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/session',
    group: 'admin',
    access: { kind: 'public' },
    operationId: 'signIn',
    summary: 'Sign in',
    description:
      'Signs in by e-mail address and password. The answer sets the cookie of the session; a session that the request came with is ended.',
    body: PasswordSignIn,
    responses: {
      201: { description: 'You are signed in.', schema: OwnSession },
      401: { description: 'The address or the password is wrong.' },
      403: { description: 'The request comes from another site, or in clear over a network.' },
      429: { description: 'There were too many wrong passwords.' },
    },
    async handle(asked) {
      assertSafeForPasswords(deps.publicUrl, asked.headers)
      assertOwnOrigin(deps.publicUrl, asked.headers)
      const { email, password, tenant_id: tenantId = null } = asked.body
      const origin = readSessionOrigin(asked)
      const device = readCookie(origin.cookieHeader, deps.cookies.device)
      const { remoteAddress } = asked
      const { id } = await deps.metrics.count('password', () =>
        verifyPassword(deps, { email, password, remoteAddress, device }),
      )
      const made = await openSession(deps, { id, methods: ['password'], tenantId }, origin)
      return await answerSession(deps, made)
    },
  })
}

export function readSessionOrigin({
  headers,
  remoteAddress,
}: Pick<RequestContext<unknown, unknown, unknown>, 'headers' | 'remoteAddress'>): SessionOrigin {
  const { cookie, 'user-agent': userAgent } = headers
  return {
    cookieHeader: typeof cookie === 'string' ? cookie : undefined,
    userAgent: typeof userAgent === 'string' ? userAgent : undefined,
    remoteAddress,
  }
}

/** A new session, in the place of the one that the browser had. */
export async function openSession(
  deps: SessionDeps & { readonly db: Db },
  proven: Omit<ProvenUser, 'memberships'>,
  origin: SessionOrigin,
): Promise<MadeSession> {
  return await inTransaction(deps.db, async (tx) => {
    const user = await findUser(tx, proven.id)
    // It may have been disabled while its password was hashed.
    if (user === null || user.isDisabled) throw signInRefused()
    const former = readCookie(origin.cookieHeader, deps.cookies.session)
    const replaced = former === null ? null : await findSessionBySecret(tx, hashSecret(former))
    if (replaced !== null) await endSessions(tx, { userId: replaced.userId, id: replaced.id })
    return await createSession(tx, deps, { ...proven, memberships: user.memberships }, origin)
  })
}

export async function answerSession(
  deps: Pick<SignInDeps, 'db' | 'refreshTokens' | 'scopesOfRoles'>,
  { secret, setCookies }: MadeSession,
) {
  await deps.refreshTokens()
  const json = await presentOwnSession(deps, secret)
  return { status: 201, json, cookies: setCookies }
}
