// The first step of a sign-in: the password, with its back-off. What comes after it (a second
// factor) builds on `VerifiedUser`; `createSession` is the last.

import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { findSignInUser, replacePasswordHash, type SignInUser } from '../people/user-store.ts'
import { hashSecret } from '../sessions/session-secret.ts'
import { listBackOffKeys } from './back-off.ts'
import { forgetAttempts, takeAttempt } from './back-off-store.ts'
import { signInRefused, signInTooOften } from './errors.ts'
import type { PasswordHasher } from './password-hash.ts'

export interface VerifyDeps {
  readonly db: Db
  readonly clock: Clock
  readonly hasher: PasswordHasher
}

export interface PasswordTry {
  readonly email: string
  readonly password: string
  readonly remoteAddress: string
  /** The secret of the device cookie, or null. */
  readonly device: string | null
}

export type VerifiedUser = Pick<SignInUser, 'id' | 'email' | 'name'>

/** Throws 401 for a wrong address or password, after the same work, and 429 for too many. */
export async function verifyPassword(
  { db, clock, hasher }: VerifyDeps,
  { email, password, remoteAddress, device }: PasswordTry,
): Promise<VerifiedUser> {
  const deviceHash = device === null ? null : hashSecret(device)
  const now = new Date(clock.nowMs())
  const user = await findSignInUser(db, email, deviceHash, now)
  const knownDevice = user?.isKnownDevice === true ? device : null
  const keys = listBackOffKeys({ email, remoteAddress, knownDevice })
  await inTransaction(db, async (tx) => {
    const waitSeconds = await takeAttempt(tx, keys.all, now)
    if (waitSeconds > 0) throw signInTooOften(waitSeconds)
  })
  const isRight = await hasher.verify(password, user?.passwordHash ?? null)
  if (!isRight || user === null || user.isDisabled || user.passwordHash === null) {
    throw signInRefused()
  }
  await inTransaction(db, (tx) => forgetAttempts(tx, keys.ofAccount, now))
  if (hasher.isOutdated(user.passwordHash)) {
    const renewed = await hasher.hash(password)
    await replacePasswordHash(db, user.id, user.passwordHash, renewed)
  }
  return { id: user.id, email: user.email, name: user.name }
}
