// SQL of what a browser has begun and not ended: a sign-in that waits for its second factor, and
// the challenge of a passkey. The browser has the secret, the database its hash.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'

export type StepPurpose = 'second_factor' | 'passkey_sign_in' | 'passkey_registration'

export interface SignInStep {
  readonly purpose: StepPurpose
  /** Null where the passkey says who signs in. */
  readonly userId: string | null
  /** The tenant that was asked for. */
  readonly tenantId: string | null
  /** What was proved already. */
  readonly methods: readonly string[]
  readonly challenge: string | null
  readonly expiresAt: Date
}

const COLUMNS = sql`purpose, user_id as "userId", tenant_id as "tenantId", methods, challenge,
  expires_at as "expiresAt"`

// Anybody can begin a sign-in by passkey, so one address has a bound, which others do not feel.
const OPEN_STEPS_OF_ORIGIN_MAX = 50
const FORGOTTEN_AT_ONCE = 100

export interface NewStep extends SignInStep {
  /** Of the address that begins it, where nothing was proved before; else null. */
  readonly originHash: Buffer | null
}

/** False when the address has too many open. Some of those that have ended are forgotten. */
export async function insertStep(
  tx: Tx,
  secretHash: Buffer,
  step: NewStep,
  now: Date,
): Promise<boolean> {
  await sql`delete from sign_in_step where secret_hash in (
    select secret_hash from sign_in_step where expires_at <= ${now} limit ${FORGOTTEN_AT_ONCE})`.execute(
    tx,
  )
  const { purpose, userId, tenantId, methods, challenge, originHash, expiresAt } = step
  const made = await sql`insert into sign_in_step
    (secret_hash, purpose, user_id, tenant_id, methods, challenge, origin_hash, expires_at)
    select ${secretHash}, ${purpose}, ${userId}, ${tenantId}, ${[...methods]}::text[], ${challenge},
      ${originHash}::bytea, ${expiresAt}::timestamptz
    where ${originHash}::bytea is null or (select count(*) from sign_in_step
      where origin_hash = ${originHash}) < ${OPEN_STEPS_OF_ORIGIN_MAX}`.execute(tx)
  return made.numAffectedRows === 1n
}

/** One that is still good, or null. */
export async function findStep(
  db: Db,
  secretHash: Buffer,
  purpose: StepPurpose,
  now: Date,
): Promise<SignInStep | null> {
  const { rows } = await sql<SignInStep>`select ${COLUMNS} from sign_in_step
    where secret_hash = ${secretHash} and purpose = ${purpose} and expires_at > ${now}`.execute(db)
  return rows[0] ?? null
}

/** The same, and it is used up: of two calls at once one gets it. */
export async function takeStep(
  tx: Tx,
  secretHash: Buffer,
  purpose: StepPurpose,
  now: Date,
): Promise<SignInStep | null> {
  const { rows } = await sql<SignInStep>`delete from sign_in_step
    where secret_hash = ${secretHash} and purpose = ${purpose} and expires_at > ${now}
    returning ${COLUMNS}`.execute(tx)
  return rows[0] ?? null
}

/** After a new password, or of a person who may not sign in any more. */
export async function deleteStepsOfUser(tx: Tx, userId: string): Promise<void> {
  await sql`delete from sign_in_step where user_id = ${userId}`.execute(tx)
}

/** A new challenge in a sign-in that waits for its second factor. False when there is none. */
export async function setChallenge(
  tx: Tx,
  secretHash: Buffer,
  challenge: string,
): Promise<boolean> {
  const set = await sql`update sign_in_step set challenge = ${challenge}
    where secret_hash = ${secretHash} and purpose = 'second_factor'`.execute(tx)
  return set.numAffectedRows === 1n
}

/** The challenge, which is used up: of two answers to it at once one is looked at. */
export async function takeChallengeOfStep(tx: Tx, secretHash: Buffer): Promise<string | null> {
  const { rows } = await sql<{ challenge: string | null }>`
    select challenge from sign_in_step where secret_hash = ${secretHash} for update`.execute(tx)
  await sql`update sign_in_step set challenge = null where secret_hash = ${secretHash}`.execute(tx)
  return rows[0]?.challenge ?? null
}
