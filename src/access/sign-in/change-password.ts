// PUT /beta/session/password: a signed-in person chooses another password.

import { Type } from 'typebox'
import { inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { named } from '../../vocabulary/named-schema.ts'
import { cutLoginsOf } from '../cut-tokens.ts'
import { proofNeeded } from '../factors/errors.ts'
import { loadOwnSession, type OwnSessionRecord } from '../factors/load-own-session.ts'
import { findUser, setPassword } from '../people/user-store.ts'
import { assertSafeForPasswords } from '../sessions/check-origin.ts'
import type { SessionOrigin } from '../sessions/create-session.ts'
import { readCookie } from '../sessions/session-cookie.ts'
import { endOtherSessions } from '../sessions/session-store.ts'
import { forgetAttempts } from './back-off-store.ts'
import type { AttemptKeys } from './count-attempt.ts'
import { passwordNotValid } from './errors.ts'
import { deleteLinksOfUser } from './link-store.ts'
import { readSessionOrigin, type SignInDeps } from './open-session.ts'
import { findPasswordProblems } from './password-rules.ts'
import { verifyPassword } from './verify-password.ts'

const Password = Type.String({ minLength: 1, maxLength: 1_024 })

const PasswordChange = named(
  'PasswordChange',
  Type.Object(
    {
      current_password: Type.Optional({
        ...Password,
        description: 'Needed of a person who has one.',
      }),
      new_password: { ...Password, description: 'It has 12 to 256 characters.' },
    },
    { additionalProperties: false },
  ),
)

export function changePasswordRoute(deps: SignInDeps): Route {
  return defineRoute({
    method: 'PUT',
    path: '/beta/session/password',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'changePassword',
    summary: 'Change your password',
    description:
      'Sets another password, and ends all other sessions of the person and the logins of the command line. A person without a password proves who they are by `POST /beta/session/proof`.',
    body: PasswordChange,
    responses: {
      204: { description: 'The new password counts from now on.' },
      401: { description: 'The current password is wrong.' },
      403: { description: 'There is no password yet, and the last proof is too old.' },
      404: { description: 'The request came with a token.' },
      429: { description: 'There were too many wrong passwords.' },
    },
    async handle(asked) {
      assertSafeForPasswords(deps.publicUrl, asked.headers)
      const { db, clock, audit } = deps
      const { current_password: current, new_password: password } = asked.body
      const session = await loadOwnSession(deps, asked.caller)
      const { userId, email, name } = session
      const attempts = await provePerson(deps, session, current ?? '', readSessionOrigin(asked))
      const problems = findPasswordProblems(password, { email, name }, '/new_password')
      if (problems.length > 0) throw passwordNotValid(problems)
      const passwordHash = await deps.hasher.hash(password)
      await inTransaction(db, async (tx) => {
        await setPassword(tx, userId, { passwordHash })
        await endOtherSessions(tx, { userId, id: session.id })
        await cutLoginsOf(tx, audit, userId, { tenantId: null })
        await deleteLinksOfUser(tx, userId, 'reset')
        await forgetAttempts(tx, attempts, new Date(clock.nowMs()))
        await audit.record(tx, 'user.set_password', { tenantId: null, id: userId })
      })
      await deps.refreshTokens()
      return { status: 204 }
    },
  })
}

/**
 * By the current password, else by a fresh proof. Returns the failures that are to be forgotten.
 * Throws 401, 403 and 429.
 */
async function provePerson(
  deps: SignInDeps,
  { userId, email, proofEndsAt }: OwnSessionRecord,
  password: string,
  { cookieHeader, remoteAddress }: SessionOrigin,
): Promise<AttemptKeys> {
  const user = await findUser(deps.db, userId)
  if (user?.hasPassword === true) {
    const device = readCookie(cookieHeader, deps.cookies.device)
    const { attempts } = await verifyPassword(deps, { email, password, remoteAddress, device })
    return attempts
  }
  if (proofEndsAt === null) throw proofNeeded()
  return []
}
