// SQL of the accounts at providers that people are linked to.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'

export interface IdentityRecord {
  readonly id: string
  readonly userId: string
  /** The id of the provider in the settings when it was linked. */
  readonly provider: string
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

const IDENTITIES = sql`select id, user_id as "userId", provider, issuer, subject, email,
  created_at as "createdAt", last_used_at as "lastUsedAt" from user_identity`

export async function findIdentity(
  db: Db,
  { issuer, subject }: Pick<IdentityRecord, 'issuer' | 'subject'>,
): Promise<IdentityRecord | null> {
  const { rows } = await sql<IdentityRecord>`${IDENTITIES}
    where issuer = ${issuer} and subject = ${subject}`.execute(db)
  return rows[0] ?? null
}

// A person has one account at each of some providers.
const IDENTITIES_MAX = 50

export async function listIdentities(db: Db, userId: string): Promise<readonly IdentityRecord[]> {
  const { rows } = await sql<IdentityRecord>`${IDENTITIES}
    where user_id = ${userId} order by created_at, id limit ${IDENTITIES_MAX}`.execute(db)
  return rows
}

/** False when the account is linked already: of two at once one links it. */
export async function insertIdentity(
  tx: Tx,
  made: Omit<IdentityRecord, 'lastUsedAt'>,
): Promise<boolean> {
  const inserted = await sql`insert into user_identity
      (id, user_id, provider, issuer, subject, email, created_at)
    values (${made.id}, ${made.userId}, ${made.provider}, ${made.issuer}, ${made.subject},
      ${made.email}, ${made.createdAt})
    on conflict (issuer, subject) do nothing`.execute(tx)
  return inserted.numAffectedRows === 1n
}

export async function noteIdentityUsed(
  tx: Tx,
  id: string,
  use: { readonly at: Date; readonly email: string | null },
): Promise<void> {
  await sql`update user_identity set last_used_at = ${use.at}, email = ${use.email}
    where id = ${id}`.execute(tx)
}

/** All of a person; what was there. */
export async function deleteIdentitiesOfUser(
  tx: Tx,
  userId: string,
): Promise<readonly Pick<IdentityRecord, 'id' | 'provider' | 'issuer' | 'subject'>[]> {
  const { rows } = await sql<Pick<IdentityRecord, 'id' | 'provider' | 'issuer' | 'subject'>>`
    delete from user_identity where user_id = ${userId}
    returning id, provider, issuer, subject`.execute(tx)
  return rows
}

/** What was there, or null. */
export async function deleteIdentity(
  tx: Tx,
  userId: string,
  id: string,
): Promise<IdentityRecord | null> {
  const { rows } = await sql<IdentityRecord>`delete from user_identity
    where user_id = ${userId} and id = ${id}
    returning id, user_id as "userId", provider, issuer, subject, email,
      created_at as "createdAt", last_used_at as "lastUsedAt"`.execute(tx)
  return rows[0] ?? null
}
