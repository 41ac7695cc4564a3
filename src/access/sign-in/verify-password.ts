// The first step of a sign-in: the password, with its back-off. The failures before it are
// forgotten once nothing more is to be proved (`forgetAttempts` with `VerifiedUser.attempts`), else
// somebody who has the password could guess codes for ever.

import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import { findSignInUser, replacePasswordHash, type SignInUser } from '../people/user-store.ts'
import { hashSecret } from '../sessions/session-secret.ts'
import { type AttemptKeys, countAttempt } from './count-attempt.ts'
import { signInRefused } from './errors.ts'
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

export interface VerifiedUser extends Pick<SignInUser, 'id' | 'email' | 'name'> {
  /** What counted the failures of the account, to be forgotten after the last step. */
  readonly attempts: AttemptKeys
}

/** Throws 401 for a wrong address or password, after the same work, and 429 for too many. */
export async function verifyPassword(
  { db, clock, hasher }: VerifyDeps,
  { email, password, remoteAddress, device }: PasswordTry,
): Promise<VerifiedUser> {
  const deviceHash = device === null ? null : hashSecret(device)
  const now = new Date(clock.nowMs())
  const user = await findSignInUser(db, email, deviceHash, now)
  const knownDevice = user?.isKnownDevice === true ? device : null
  const attempts = await countAttempt(db, { email, remoteAddress, knownDevice }, now)
  const isRight = await hasher.verify(password, user?.passwordHash ?? null)
  if (!isRight || user === null || user.isDisabled || user.passwordHash === null) {
    throw signInRefused()
  }
  if (hasher.isOutdated(user.passwordHash)) {
    const renewed = await hasher.hash(password)
    await replacePasswordHash(db, user.id, user.passwordHash, renewed)
  }
  return { id: user.id, email: user.email, name: user.name, attempts }
}
