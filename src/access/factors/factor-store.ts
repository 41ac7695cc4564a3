// SQL of second factors: the secret of an authenticator app, recovery codes, passkeys.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import type { SealedSecret, SecretCipher } from '../../kernel/secrets/secret-cipher.ts'
import { deletePasskeysOf } from '../passkeys/passkey-store.ts'

/** What a person has beside the password. An app that no code has confirmed is none. */
export interface Factors {
  readonly totpSince: Date | null
  readonly passkeys: number
  readonly recoveryCodesLeft: number
}

export async function readFactors(db: Db, userId: string): Promise<Factors> {
  const { rows } = await sql<Factors>`select
    (select confirmed_at from user_totp where user_id = ${userId}) as "totpSince",
    (select count(*) from user_passkey where user_id = ${userId})::integer as passkeys,
    (select count(*) from user_recovery_code where user_id = ${userId} and used_at is null)::integer
      as "recoveryCodesLeft"`.execute(db)
  return rows[0] ?? { totpSince: null, passkeys: 0, recoveryCodesLeft: 0 }
}

/** Whether a password alone is not enough. Recovery codes are no factor of their own. */
export function hasFactor({ totpSince, passkeys }: Factors): boolean {
  return totpSince !== null || passkeys > 0
}

interface TotpRow extends SealedSecret {
  readonly userId: string
  readonly isConfirmed: boolean
  readonly lastStep: number
}

export interface StoredTotp {
  readonly secret: Buffer
  readonly isConfirmed: boolean
  readonly lastStep: number
}

/** A sealed secret opens for its person only. */
function describePlace(userId: string): string {
  return JSON.stringify(['totp', userId])
}

/** False when a confirmed one is there; one that waits for its first code is replaced. */
export async function insertTotp(
  tx: Tx,
  cipher: SecretCipher,
  userId: string,
  secret: Buffer,
): Promise<boolean> {
  const { keyId, sealed } = cipher.seal(describePlace(userId), secret.toString('base64'))
  const made = await sql`insert into user_totp as t (user_id, secret_key_id, sealed)
    values (${userId}, ${keyId}, ${sealed})
    on conflict (user_id) do update set secret_key_id = excluded.secret_key_id,
      sealed = excluded.sealed, created_at = now(), last_step = 0
    where t.confirmed_at is null`.execute(tx)
  return made.numAffectedRows === 1n
}

/** No other transaction changes it before this one ends: of two uses of a code one gets it. */
export async function lockTotp(
  tx: Tx,
  cipher: SecretCipher,
  userId: string,
): Promise<StoredTotp | null> {
  const { rows } = await sql<TotpRow>`select user_id as "userId", secret_key_id as "keyId", sealed,
    confirmed_at is not null as "isConfirmed", last_step as "lastStep"
    from user_totp where user_id = ${userId} for update`.execute(tx)
  const [row] = rows
  if (row === undefined) return null
  const secret = Buffer.from(cipher.open(describePlace(userId), row), 'base64')
  return { secret, isConfirmed: row.isConfirmed, lastStep: row.lastStep }
}

/** A code of that step was taken. The first one confirms. */
export async function noteTotpStep(tx: Tx, userId: string, step: number, at: Date): Promise<void> {
  await sql`update user_totp set last_step = ${step}, confirmed_at = coalesce(confirmed_at, ${at})
    where user_id = ${userId}`.execute(tx)
}

/** False when there is none; one that waits for its first code is none, and stays. */
export async function deleteTotp(tx: Tx, userId: string): Promise<boolean> {
  const gone = await sql`delete from user_totp
    where user_id = ${userId} and confirmed_at is not null`.execute(tx)
  return gone.numAffectedRows === 1n
}

/** In the place of all former ones. */
export async function replaceRecoveryCodes(
  tx: Tx,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await sql`delete from user_recovery_code where user_id = ${userId}`.execute(tx)
  await sql`insert into user_recovery_code (user_id, code_hash)
    select ${userId}, hash from unnest(${[...hashes]}::bytea[]) as one (hash)`.execute(tx)
}

/** True once for each code. */
export async function useRecoveryCode(
  tx: Tx,
  userId: string,
  hash: Buffer,
  at: Date,
): Promise<boolean> {
  const used = await sql`update user_recovery_code set used_at = ${at}
    where user_id = ${userId} and code_hash = ${hash} and used_at is null`.execute(tx)
  return used.numAffectedRows === 1n
}

export async function deleteRecoveryCodes(tx: Tx, userId: string): Promise<void> {
  await sql`delete from user_recovery_code where user_id = ${userId}`.execute(tx)
}

/** All of them, confirmed or not: the person has lost them, or is forgotten. */
export async function deleteFactors(tx: Tx, userId: string): Promise<void> {
  await sql`delete from user_totp where user_id = ${userId}`.execute(tx)
  await deleteRecoveryCodes(tx, userId)
  await deletePasskeysOf(tx, userId)
}

/** The ids of the keys that stored secrets are sealed with. */
export async function listTotpKeyIds(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ keyId: string }>`
    select distinct secret_key_id as "keyId" from user_totp order by 1`.execute(db)
  return rows.map(({ keyId }) => keyId)
}

const SEALED_AT_ONCE = 500

/**
 * Seals some with the first key of `cipher`; how many had another one. Call it until it gives 0.
 */
export async function sealTotpAgain(tx: Tx, cipher: SecretCipher): Promise<number> {
  const [first = ''] = cipher.keyIds
  const { rows } = await sql<Pick<TotpRow, 'userId' | 'keyId' | 'sealed'>>`
    select user_id as "userId", secret_key_id as "keyId", sealed from user_totp
    where secret_key_id <> ${first} order by user_id limit ${SEALED_AT_ONCE} for update`.execute(tx)
  for (const row of rows) {
    const place = describePlace(row.userId)
    const { keyId, sealed } = cipher.seal(place, cipher.open(place, row))
    // An installation has few people, and this is done once in years.
    // oxlint-disable-next-line eslint/no-await-in-loop
    await sql`update user_totp set secret_key_id = ${keyId}, sealed = ${sealed}
      where user_id = ${row.userId}`.execute(tx)
  }
  return rows.length
}
