// What each change of the factors of a person has in common.

import type { Static } from 'typebox'
import type { Tx } from '../../kernel/db/database.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import { listPasskeys } from '../passkeys/passkey-store.ts'
import { lockUser } from '../people/user-store.ts'
import type { CheckFactorDeps } from './check-factor.ts'
import { factorRequired } from './errors.ts'
import {
  deleteRecoveryCodes,
  hasFactor,
  readFactors,
  replaceRecoveryCodes,
} from './factor-store.ts'
import { type Factors, presentFactors } from './factor-wire.ts'
import { loadOwnSession } from './load-own-session.ts'
import { createRecoveryCodes, hashRecoveryCode } from './recovery-code.ts'
import { type FactorRule, requiresFactorOf } from './required-factor.ts'

export interface FactorDeps extends CheckFactorDeps, FactorRule {
  readonly refreshTokens: () => Promise<void>
  readonly readPublicUrl: () => string
}

/** Ten new recovery codes in the place of the former ones. */
export async function makeCodes(
  tx: Tx,
  { audit }: Pick<FactorDeps, 'audit'>,
  userId: string,
): Promise<readonly string[]> {
  const codes = createRecoveryCodes()
  await replaceRecoveryCodes(tx, userId, codes.map(hashRecoveryCode))
  const after = { count: codes.length }
  await audit.record(tx, 'user.make_recovery_codes', { tenantId: null, id: userId, after })
  return codes
}

/** The same for a person who has none left; else null. */
export async function makeFirstCodes(
  tx: Tx,
  deps: Pick<FactorDeps, 'audit'>,
  userId: string,
): Promise<readonly string[] | null> {
  const { recoveryCodesLeft } = await readFactors(tx, userId)
  return recoveryCodesLeft > 0 ? null : await makeCodes(tx, deps, userId)
}

/**
 * Removes a factor by `remove`, and the recovery codes with the last one. Of two removals at once
 * the second sees what the first has left. Throws 409, and removes nothing, when the instance or a
 * tenant of the person requires a factor and none would be left.
 */
export async function removeFactor(
  tx: Tx,
  rule: FactorRule,
  userId: string,
  remove: () => Promise<void>,
): Promise<void> {
  await lockUser(tx, userId)
  await remove()
  if (hasFactor(await readFactors(tx, userId))) return
  if (await requiresFactorOf(tx, rule, userId)) throw factorRequired()
  await deleteRecoveryCodes(tx, userId)
}

/** The factors of the signed-in person. Throws 404 for a caller with a token. */
export async function describeFactors(
  deps: Pick<FactorDeps, 'db' | 'clock' | 'secondFactor'>,
  caller: Caller | null,
): Promise<Static<typeof Factors>> {
  const { userId, proofEndsAt } = await loadOwnSession(deps, caller)
  const required = await requiresFactorOf(deps.db, deps, userId)
  const passkeys = await listPasskeys(deps.db, userId)
  const factors = await readFactors(deps.db, userId)
  return presentFactors(factors, { passkeys, required, proofEndsAt })
}
