// What follows when a person has proved something: a second factor is asked for where they have
// one, else the session is opened. Every way to sign in ends here.

import type { Static } from 'typebox'
import { inTransaction } from '../../kernel/db/database.ts'
import type { Reply, RequestContext } from '../../kernel/http/route.ts'
import { type Factors, hasFactor, readFactors } from '../factors/factor-store.ts'
import { type FactorRule, requiresEnrolment } from '../factors/required-factor.ts'
import type { ScopesOfRoles } from '../people/user-roles.ts'
import { findUser } from '../people/user-store.ts'
import type { PublicUrl } from '../sessions/check-origin.ts'
import {
  chooseSessionTenant,
  createSession,
  type MadeSession,
  type ProvenUser,
  type SessionDeps,
  type SessionOrigin,
} from '../sessions/create-session.ts'
import { presentOwnSession } from '../sessions/present-own-session.ts'
import { readCookie, writeCookie } from '../sessions/session-cookie.ts'
import { createSecretText, hashSecret } from '../sessions/session-secret.ts'
import { endSessions, findSessionBySecret } from '../sessions/session-store.ts'
import { forgetAttempts } from './back-off-store.ts'
import type { AttemptKeys } from './count-attempt.ts'
import type { SecondFactorNeeded } from './credential-wire.ts'
import { signInRefused } from './errors.ts'
import type { SignInMetrics } from './sign-in-metrics.ts'
import { insertStep } from './step-store.ts'
import type { VerifyDeps } from './verify-password.ts'

export interface SignInDeps extends VerifyDeps, SessionDeps, FactorRule {
  readonly publicUrl: PublicUrl
  readonly metrics: SignInMetrics
  readonly refreshTokens: () => Promise<void>
  readonly scopesOfRoles: ScopesOfRoles
}

/** What a person has proved, and the failures that are forgotten at the end. */
export interface Proof extends Pick<ProvenUser, 'id' | 'methods'> {
  /** The tenant to act in; the first one when null. */
  readonly tenantId: string | null
  readonly attempts: AttemptKeys
}

// Time to fetch a telephone from another room.
export const STEP_MS = 300_000

/** After a first proof: 201 with the session, or 202 with the second factors to choose from. */
export async function answerFirstStep(
  deps: SignInDeps,
  proof: Proof,
  origin: SessionOrigin,
): Promise<Reply> {
  const factors = await readFactors(deps.db, proof.id)
  if (!hasFactor(factors)) return await answerLastStep(deps, proof, origin)
  const secret = createSecretText()
  const now = new Date(deps.clock.nowMs())
  const expiresAt = new Date(now.getTime() + STEP_MS)
  const step = {
    purpose: 'second_factor',
    userId: proof.id,
    tenantId: proof.tenantId,
    methods: proof.methods,
    challenge: null,
    originHash: null,
    expiresAt,
  } as const
  await inTransaction(deps.db, (tx) => insertStep(tx, hashSecret(secret), step, now))
  const json: Static<typeof SecondFactorNeeded> = {
    ways: listWays(factors),
    expires_at: expiresAt.toISOString(),
  }
  const cookie = writeCookie(deps.cookies, deps.cookies.step, secret, STEP_MS / 1_000)
  return { status: 202, json, cookies: [cookie] }
}

function listWays(factors: Factors): Static<typeof SecondFactorNeeded>['ways'] {
  return [
    ...(factors.passkeys > 0 ? (['passkey'] as const) : []),
    ...(factors.totpSince === null ? [] : (['totp'] as const)),
    ...(factors.recoveryCodesLeft > 0 ? (['recovery_code'] as const) : []),
  ]
}

/** After the last proof: 201 with the session. */
export async function answerLastStep(
  deps: SignInDeps,
  proof: Proof,
  origin: SessionOrigin,
): Promise<Reply> {
  const made = await openSession(deps, proof, origin)
  await deps.refreshTokens()
  const json = await presentOwnSession(deps, made.secret)
  const endedStep = writeCookie(deps.cookies, deps.cookies.step, '', 0)
  const hadStep = readCookie(origin.cookieHeader, deps.cookies.step) !== null
  return { status: 201, json, cookies: [...made.setCookies, ...(hadStep ? [endedStep] : [])] }
}

/** A new session, in the place of the one that the browser had. */
export async function openSession(
  deps: SessionDeps & Pick<SignInDeps, 'db' | 'secondFactor'>,
  { id, methods, tenantId, attempts }: Proof,
  origin: SessionOrigin,
): Promise<MadeSession> {
  return await inTransaction(deps.db, async (tx) => {
    const user = await findUser(tx, id)
    // It may have been disabled while its password was hashed.
    if (user === null || user.isDisabled) throw signInRefused()
    const chosen = chooseSessionTenant(user.memberships, tenantId)
    // It locks the tenant. A change of the tenant does so too before it raises the serial of the
    // tokens, so the two cannot wait for each other.
    const mustEnrol = await requiresEnrolment(tx, deps, { userId: id, tenantId: chosen, methods })
    await forgetAttempts(tx, attempts, new Date(deps.clock.nowMs()))
    const former = readCookie(origin.cookieHeader, deps.cookies.session)
    const replaced = former === null ? null : await findSessionBySecret(tx, hashSecret(former))
    if (replaced !== null) await endSessions(tx, { userId: replaced.userId, id: replaced.id })
    const proven = { id, methods, tenantId: chosen, mustEnrol }
    return await createSession(tx, deps, proven, origin)
  })
}

/** Where a request for a session comes from. */
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
