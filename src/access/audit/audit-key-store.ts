// SQL of the keys of the audit log. A key is made by the first process that has a key of secrets
// and finds none that it can open; older ones stay, because checkpoints name them.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import type { SealedSecret, SecretCipher } from '../../kernel/secrets/secret-cipher.ts'
import { type AuditKey, createAuditKeyText, openAuditKey } from './audit-key.ts'

export interface StoredAuditKey {
  readonly id: string
  readonly publicKey: Buffer
  /** Null when this process cannot open it. */
  readonly key: AuditKey | null
  /** It was there before this transaction, so it stays whatever becomes of that. */
  readonly isOld: boolean
}

interface KeyRow extends SealedSecret {
  readonly id: string
  readonly publicKey: Buffer
  readonly isOld: boolean
}

// One more with each loss of the key of secrets.
const KEYS_MAX = 1_000

/** The oldest first. */
export async function listAuditKeys(
  db: Db,
  cipher: SecretCipher,
): Promise<readonly StoredAuditKey[]> {
  const found = await sql<KeyRow>`
    select id, public_key as "publicKey", secret_key_id as "keyId", sealed, created_at < now() as "isOld"
    from audit_key order by created_at, id limit ${KEYS_MAX}`.execute(db)
  return found.rows.map((row) => {
    const { id, publicKey, isOld } = row
    const key = cipher.keyIds.includes(row.keyId) ? openRow(cipher, row) : null
    return { id, publicKey, key, isOld }
  })
}

/** Gives the key of the audit log; null where there is no key of secrets to keep it with. */
type FindAuditKey = (tx: Tx) => Promise<AuditKey | null>

/** Finds the key, or makes it in the transaction. */
export function createAuditKeyFinder(cipher: SecretCipher): FindAuditKey {
  let known: AuditKey | null = null
  return async (tx) => {
    if (known !== null || cipher.keyIds.length === 0) return known
    const usable = (await listAuditKeys(tx, cipher)).filter(({ key }) => key !== null)
    const found = usable.find(({ isOld }) => isOld) ?? usable[0]
    if (found?.isOld === true) known = found.key
    return found?.key ?? (await insertAuditKey(tx, cipher))
  }
}

async function insertAuditKey(tx: Tx, cipher: SecretCipher): Promise<AuditKey> {
  const text = createAuditKeyText()
  const key = openAuditKey(text)
  const { keyId, sealed } = cipher.seal(describePlace(key.id), text)
  await sql`
    insert into audit_key (id, public_key, secret_key_id, sealed)
    values (${key.id}, ${key.publicKey}, ${keyId}, ${sealed})`.execute(tx)
  return key
}

function openRow(cipher: SecretCipher, row: KeyRow): AuditKey | null {
  try {
    const key = openAuditKey(cipher.open(describePlace(row.id), row))
    return key.id === row.id ? key : null
  } catch {
    // Somebody has written to the row.
    return null
  }
}

function describePlace(id: string): string {
  return JSON.stringify(['audit key', id])
}

/** The ids of the keys of secrets that they are sealed with. */
export async function listAuditSecretKeyIds(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ keyId: string }>`
    select distinct secret_key_id as "keyId" from audit_key order by 1`.execute(db)
  return rows.map(({ keyId }) => keyId)
}

/** Seals the keys of the audit log with the first key of `cipher`. Returns how many had another. */
export async function sealAuditKeysAgain(tx: Tx, cipher: SecretCipher): Promise<number> {
  const [first = ''] = cipher.keyIds
  const found = await sql<KeyRow>`
    select id, public_key as "publicKey", secret_key_id as "keyId", sealed, true as "isOld" from audit_key
    where secret_key_id <> ${first} and secret_key_id = any(${[...cipher.keyIds]}::text[])
    order by id limit ${KEYS_MAX} for update`.execute(tx)
  for (const row of found.rows) {
    const place = describePlace(row.id)
    const { keyId, sealed } = cipher.seal(place, cipher.open(place, row))
    // oxlint-disable-next-line eslint/no-await-in-loop
    await sql`
      update audit_key set secret_key_id = ${keyId}, sealed = ${sealed} where id = ${row.id}`.execute(
      tx,
    )
  }
  return found.rows.length
}
