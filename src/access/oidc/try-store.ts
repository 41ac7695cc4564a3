// SQL of sign-ins with a provider that are under way, each good for one answer of the provider.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'

export interface ProviderTry {
  readonly provider: string
  /** Of the invitation that it accepts; null without one. */
  readonly linkHash: Buffer | null
  /** The signed-in person who links the account; null for a sign-in. */
  readonly userId: string | null
  /** The path of this site that the person asked for; null for none. */
  readonly nextPage: string | null
}

export interface NewProviderTry extends ProviderTry {
  readonly secretHash: Buffer
  readonly addressGroup: string
  readonly expiresAt: Date
}

export interface TryCounts {
  readonly ofAddress: number
  readonly all: number
}

/** Open ones; those that have ended are forgotten. */
export async function countTries(tx: Tx, addressGroup: string, now: Date): Promise<TryCounts> {
  await sql`delete from provider_try where expires_at <= ${now}`.execute(tx)
  const { rows } = await sql<TryCounts>`select count(*)::integer as all,
    (count(*) filter (where address_group = ${addressGroup}))::integer as "ofAddress"
    from provider_try`.execute(tx)
  return rows[0] ?? { ofAddress: 0, all: 0 }
}

export async function insertTry(tx: Tx, made: NewProviderTry): Promise<void> {
  await sql`insert into provider_try (secret_hash, provider, link_hash, user_id, next_page, address_group, expires_at)
    values (${made.secretHash}, ${made.provider}, ${made.linkHash}, ${made.userId},
      ${made.nextPage}, ${made.addressGroup}, ${made.expiresAt})`.execute(tx)
}

/** Uses it up: of two answers at once one gets it. Null for none that is open. */
export async function takeTry(db: Db, secretHash: Buffer, now: Date): Promise<ProviderTry | null> {
  const { rows } = await sql<ProviderTry>`delete from provider_try
    where secret_hash = ${secretHash} and expires_at > ${now}
    returning provider, link_hash as "linkHash", user_id as "userId", next_page as "nextPage"`.execute(
    db,
  )
  return rows[0] ?? null
}
