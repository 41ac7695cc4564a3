// Counts a try to prove who somebody is, by password or by a code: both share their back-off.

import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import { listBackOffKeys, listTestMailKeys, type SignInTry } from './back-off.ts'
import { takeAttempt } from './back-off-store.ts'
import { mailsTooMany, signInTooOften } from './errors.ts'

/** What counts the failures of an account, hashed. */
export type AttemptKeys = readonly Buffer[]

/**
 * Counts it as failed in advance, so that many at once get no more tries than one after the other.
 * Throws 429 while the account, the address or the browser waits; that try counts nowhere.
 */
export async function countAttempt(db: Db, attempt: SignInTry, now: Date): Promise<AttemptKeys> {
  const keys = listBackOffKeys(attempt)
  await inTransaction(db, async (tx) => {
    const waitSeconds = await takeAttempt(tx, keys.all, now)
    if (waitSeconds > 0) throw signInTooOften(waitSeconds)
  })
  return keys.ofAccount
}

/** Counts a test of the relay, over all people. Throws 429 while it has to wait. */
export async function countTestMail(tx: Tx, now: Date): Promise<void> {
  const waitSeconds = await takeAttempt(tx, listTestMailKeys(), now)
  if (waitSeconds > 0) throw mailsTooMany(waitSeconds)
}
