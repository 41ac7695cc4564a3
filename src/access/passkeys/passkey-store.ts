// SQL of passkeys.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'

export interface StoredPasskey {
  readonly id: string
  readonly userId: string
  readonly credentialId: string
  readonly publicKey: Buffer
  readonly signCount: number
  readonly transports: readonly string[]
  readonly name: string
  readonly isSynced: boolean
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

const PASSKEYS = sql`select id, user_id as "userId", credential_id as "credentialId",
    public_key as "publicKey", sign_count as "signCount", transports, name, is_synced as "isSynced",
    created_at as "createdAt", last_used_at as "lastUsedAt"
  from user_passkey`

// Several devices, and some forgotten ones.
const PASSKEYS_OF_USER_MAX = 20

/** The oldest first. */
export async function listPasskeys(db: Db, userId: string): Promise<readonly StoredPasskey[]> {
  const { rows } = await sql<StoredPasskey>`${PASSKEYS}
    where user_id = ${userId} order by created_at, id limit ${PASSKEYS_OF_USER_MAX}`.execute(db)
  return rows
}

export async function findPasskey(db: Db, credentialId: string): Promise<StoredPasskey | null> {
  const { rows } = await sql<StoredPasskey>`${PASSKEYS}
    where credential_id = ${credentialId}`.execute(db)
  return rows[0] ?? null
}

export type NewPasskey = Omit<StoredPasskey, 'createdAt' | 'lastUsedAt'>

/** False when the credential is known already, or the person has too many. */
export async function insertPasskey(tx: Tx, passkey: NewPasskey): Promise<boolean> {
  const { id, userId, credentialId, publicKey, signCount, transports, name, isSynced } = passkey
  const made = await sql`insert into user_passkey
    (id, user_id, credential_id, public_key, sign_count, transports, name, is_synced)
    select ${id}, ${userId}, ${credentialId}, ${publicKey}, ${signCount}::bigint,
      ${[...transports]}::text[], ${name}, ${isSynced}::boolean
    where (select count(*) from user_passkey where user_id = ${userId}) < ${PASSKEYS_OF_USER_MAX}
    on conflict (credential_id) do nothing`.execute(tx)
  return made.numAffectedRows === 1n
}

/**
 * It was used. False when its count did not grow, which shows a copy of the authenticator; one that
 * does not count says 0 always (WebAuthn section 6.1.1).
 */
export async function notePasskeyUse(
  tx: Tx,
  id: string,
  { signCount, at }: { readonly signCount: number; readonly at: Date },
): Promise<boolean> {
  const noted = await sql`update user_passkey set sign_count = ${signCount}, last_used_at = ${at}
    where id = ${id} and (sign_count < ${signCount} or (sign_count = 0 and ${signCount} = 0))`.execute(
    tx,
  )
  return noted.numAffectedRows === 1n
}

/** False when the person has none of this id. */
export async function renamePasskey(
  tx: Tx,
  { id, userId, name }: Pick<StoredPasskey, 'id' | 'userId' | 'name'>,
): Promise<boolean> {
  const named = await sql`update user_passkey set name = ${name}
    where id = ${id} and user_id = ${userId}`.execute(tx)
  return named.numAffectedRows === 1n
}

/** The same. */
export async function deletePasskey(
  tx: Tx,
  { id, userId }: Pick<StoredPasskey, 'id' | 'userId'>,
): Promise<boolean> {
  const gone = await sql`delete from user_passkey
    where id = ${id} and user_id = ${userId}`.execute(tx)
  return gone.numAffectedRows === 1n
}

export async function deletePasskeysOf(tx: Tx, userId: string): Promise<void> {
  await sql`delete from user_passkey where user_id = ${userId}`.execute(tx)
}
