// POST /beta/session: a person signs in by e-mail address and password.

import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { assertOwnOrigin, assertSafeForPasswords } from '../sessions/check-origin.ts'
import { readCookie } from '../sessions/session-cookie.ts'
import { OwnSession } from '../sessions/session-wire.ts'
import { PasswordSignIn, SecondFactorNeeded } from './credential-wire.ts'
import { answerFirstStep, readSessionOrigin, type SignInDeps } from './open-session.ts'
import { verifyPassword } from './verify-password.ts'

export function signInRoute(deps: SignInDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/session',
    group: 'admin',
    access: { kind: 'public' },
    operationId: 'signIn',
    summary: 'Sign in',
    description:
      'Signs in by e-mail address and password. The answer sets the cookie of the session; a session that the request came with is ended. A person with a second factor gets 202 and no session: `POST /beta/session/second-factor` opens it.',
    body: PasswordSignIn,
    responses: {
      201: { description: 'You are signed in.', schema: OwnSession },
      202: {
        description: 'The password is right; a second factor is missing.',
        schema: SecondFactorNeeded,
      },
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
      const { id, attempts } = await deps.metrics.count('password', () =>
        verifyPassword(deps, { email, password, remoteAddress, device }),
      )
      return await answerFirstStep(deps, { id, methods: ['password'], tenantId, attempts }, origin)
    },
  })
}
