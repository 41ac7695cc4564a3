// Checks a code of a person: of the authenticator app, or a recovery code. Each is good once.

import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import type { SecretCipher } from '../../kernel/secrets/secret-cipher.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { findSignInUser } from '../people/user-store.ts'
import type { SessionOrigin } from '../sessions/create-session.ts'
import { type CookieNames, readCookie } from '../sessions/session-cookie.ts'
import { hashSecret } from '../sessions/session-secret.ts'
import { type AttemptKeys, countAttempt } from '../sign-in/count-attempt.ts'
import { factorRefused, oneFactorNeeded } from './errors.ts'
import { lockTotp, noteTotpStep, readFactors, useRecoveryCode } from './factor-store.ts'
import { hashRecoveryCode } from './recovery-code.ts'
import { findTotpStep } from './totp.ts'

export interface CheckFactorDeps {
  readonly db: Db
  readonly clock: Clock
  readonly secrets: SecretCipher
  readonly audit: AuditLog
  readonly cookies: CookieNames
}

/** One of them. */
export interface GivenFactor {
  /** Of the authenticator app. */
  readonly code?: string | undefined
  readonly recovery_code?: string | undefined
}

export interface CheckedFactor {
  readonly way: 'totp' | 'recovery_code' | 'passkey'
  /** The failures that are to be forgotten once everything is proved. */
  readonly attempts: AttemptKeys
}

/** Throws 401 for a wrong or used code, 429 for too many, and 400 unless exactly one is given. */
export async function checkFactor(
  deps: CheckFactorDeps,
  user: { readonly id: string; readonly email: string },
  given: GivenFactor,
  origin: SessionOrigin,
): Promise<CheckedFactor> {
  const { code, recovery_code: recoveryCode } = given
  if ((code === undefined) === (recoveryCode === undefined)) throw oneFactorNeeded()
  const now = new Date(deps.clock.nowMs())
  const attempts = await countAttempt(deps.db, await describeAttempt(deps, user, origin, now), now)
  const way = await inTransaction(deps.db, async (tx) => {
    if (code !== undefined) return (await takeTotpCode(tx, deps, user.id, code)) ? 'totp' : null
    return (await takeRecoveryCode(tx, deps, user.id, recoveryCode ?? '')) ? 'recovery_code' : null
  })
  if (way === null) throw factorRefused()
  return { way, attempts }
}

/** By what a try of the person is counted; the browser counts where they have signed in before. */
export async function describeAttempt(
  { db, cookies }: Pick<CheckFactorDeps, 'db' | 'cookies'>,
  { email }: { readonly email: string },
  { cookieHeader, remoteAddress }: SessionOrigin,
  now: Date,
) {
  const device = readCookie(cookieHeader, cookies.device)
  const deviceHash = device === null ? null : hashSecret(device)
  const user = await findSignInUser(db, email, deviceHash, now)
  return { email, remoteAddress, knownDevice: user?.isKnownDevice === true ? device : null }
}

async function takeTotpCode(
  tx: Tx,
  { secrets, clock }: CheckFactorDeps,
  userId: string,
  code: string,
): Promise<boolean> {
  const totp = await lockTotp(tx, secrets, userId)
  if (totp === null || !totp.isConfirmed) return false
  const nowMs = clock.nowMs()
  const step = findTotpStep(totp.secret, readDigits(code), { nowMs, afterStep: totp.lastStep })
  if (step === null) return false
  await noteTotpStep(tx, userId, step, new Date(nowMs))
  return true
}

/** Apps show the code in two groups. */
export function readDigits(code: string): string {
  return code.replaceAll(/\s/g, '')
}

async function takeRecoveryCode(
  tx: Tx,
  { clock, audit }: CheckFactorDeps,
  userId: string,
  code: string,
): Promise<boolean> {
  const at = new Date(clock.nowMs())
  if (!(await useRecoveryCode(tx, userId, hashRecoveryCode(code), at))) return false
  const { recoveryCodesLeft: left } = await readFactors(tx, userId)
  const by = { kind: 'user', id: userId } as const
  await audit.record(tx, 'user.use_recovery_code', {
    tenantId: null,
    id: userId,
    after: { left },
    by,
  })
  return true
}
