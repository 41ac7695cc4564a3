// POST /beta/session/second-factor: the second step of a sign-in, after the right password.

import type { Static } from 'typebox'
import { inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type RequestContext, type Route } from '../../kernel/http/route.ts'
import {
  type CheckedFactor,
  type CheckFactorDeps,
  checkFactor,
  describeAttempt,
} from '../factors/check-factor.ts'
import { oneFactorNeeded } from '../factors/errors.ts'
import {
  buildRequestOptions,
  createChallenge,
  requirePasskeyLocation,
} from '../passkeys/begin-passkey.ts'
import { passkeyRefused } from '../passkeys/errors.ts'
import { listPasskeys } from '../passkeys/passkey-store.ts'
import { type Assertion, PasskeyRequest } from '../passkeys/passkey-wire.ts'
import { verifyPasskey } from '../passkeys/verify-passkey.ts'
import { findUser } from '../people/user-store.ts'
import { assertOwnOrigin, assertSafeForPasswords } from '../sessions/check-origin.ts'
import type { SessionOrigin } from '../sessions/create-session.ts'
import { readCookie } from '../sessions/session-cookie.ts'
import { hashSecret } from '../sessions/session-secret.ts'
import { OwnSession } from '../sessions/session-wire.ts'
import { acceptWaitingInvitation } from './accept-invitation.ts'
import { listBackOffKeys } from './back-off.ts'
import { SecondFactor } from './credential-wire.ts'
import { signInNotBegun } from './errors.ts'
import { answerLastStep, readSessionOrigin, type SignInDeps } from './open-session.ts'
import {
  findStep,
  type SignInStep,
  setChallenge,
  takeChallengeOfStep,
  takeStep,
} from './step-store.ts'

export type SecondFactorDeps = SignInDeps & CheckFactorDeps

export function secondFactorRoute(deps: SecondFactorDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/session/second-factor',
    group: 'admin',
    access: { kind: 'public' },
    operationId: 'useSecondFactor',
    summary: 'Use a second factor',
    description:
      'The second step of a sign-in that was answered by 202: with the cookie of that answer, within five minutes, and one of the ways that it named. A wrong code may be corrected; the back-off is that of the password.',
    body: SecondFactor,
    responses: {
      201: { description: 'You are signed in.', schema: OwnSession },
      401: { description: 'The code is wrong or was used, or there is no sign-in to end.' },
      403: { description: 'The request comes from another site, or in clear over a network.' },
      429: { description: 'There were too many wrong passwords and codes.' },
    },
    async handle(asked) {
      assertSafeForPasswords(deps.publicUrl, asked.headers)
      assertOwnOrigin(deps.publicUrl, asked.headers)
      const origin = readSessionOrigin(asked)
      const { secretHash, step, user } = await loadStep(deps, origin)
      const { passkey, ...codes } = asked.body
      if (passkey !== undefined && Object.keys(codes).length > 0) throw oneFactorNeeded()
      const { way, attempts } = await deps.metrics.count('second_factor', () =>
        passkey === undefined
          ? checkFactor(deps, user, codes, origin)
          : checkPasskey(deps, { secretHash, user, credential: passkey }, asked),
      )
      const now = new Date(deps.clock.nowMs())
      const used = await inTransaction(deps.db, async (tx) => {
        const taken = await takeStep(tx, secretHash, 'second_factor', now)
        if (taken !== null) await acceptWaitingInvitation(tx, deps.audit, taken, now)
        return taken
      })
      if (used === null) throw signInNotBegun()
      const { tenantId } = step
      const methods = [...step.methods, way]
      return await answerLastStep(deps, { id: user.id, methods, tenantId, attempts }, origin)
    },
  })
}

/** The sign-in that this browser has begun. Throws 401 when there is none, or no more. */
async function loadStep(
  { db, clock, cookies }: Pick<SignInDeps, 'db' | 'clock' | 'cookies'>,
  { cookieHeader }: SessionOrigin,
): Promise<{
  readonly secretHash: Buffer
  readonly step: SignInStep
  readonly user: { readonly id: string; readonly email: string }
}> {
  const secret = readCookie(cookieHeader, cookies.step)
  if (secret === null) throw signInNotBegun()
  const secretHash = hashSecret(secret)
  const step = await findStep(db, secretHash, 'second_factor', new Date(clock.nowMs()))
  if (step === null || step.userId === null) throw signInNotBegun()
  const user = await findUser(db, step.userId)
  if (user === null || user.isDisabled) throw signInNotBegun()
  return { secretHash, step, user }
}

export function beginSecondFactorRoute(deps: SecondFactorDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/session/second-factor/options',
    group: 'admin',
    access: { kind: 'public' },
    operationId: 'beginSecondFactor',
    summary: 'Begin to use a passkey as second factor',
    description:
      'What the browser gives to `navigator.credentials.get`, in a sign-in that was answered by 202. A later call replaces the challenge.',
    responses: {
      200: { description: 'The options for the browser.', schema: PasskeyRequest },
      401: { description: 'There is no sign-in to end.' },
      403: { description: 'The request comes from another site.' },
      409: { description: 'Passkeys do not work at this address.' },
    },
    async handle(asked) {
      const place = requirePasskeyLocation(deps.publicUrl, asked)
      const { secretHash, user } = await loadStep(deps, readSessionOrigin(asked))
      const challenge = createChallenge()
      if (!(await inTransaction(deps.db, (tx) => setChallenge(tx, secretHash, challenge)))) {
        throw signInNotBegun()
      }
      const options = buildRequestOptions(place, challenge, await listPasskeys(deps.db, user.id))
      return { status: 200, json: { options } }
    },
  })
}

interface GivenPasskey {
  readonly secretHash: Buffer
  readonly user: { readonly id: string; readonly email: string }
  readonly credential: Static<typeof Assertion>
}

/** There is nothing to guess in a signature, so the back-off does not hold it up. */
async function checkPasskey(
  deps: SecondFactorDeps,
  { secretHash, user, credential }: GivenPasskey,
  asked: Pick<RequestContext<unknown, unknown, unknown>, 'headers' | 'remoteAddress'>,
): Promise<CheckedFactor> {
  const place = requirePasskeyLocation(deps.publicUrl, asked)
  const challenge = await inTransaction(deps.db, (tx) => takeChallengeOfStep(tx, secretHash))
  if (challenge === null) throw passkeyRefused()
  const at = new Date(deps.clock.nowMs())
  await verifyPasskey(deps.db, place, { challenge, userId: user.id }, { credential, at })
  const attempt = await describeAttempt(deps, user, readSessionOrigin(asked), at)
  return { way: 'passkey', attempts: listBackOffKeys(attempt).ofAccount }
}
