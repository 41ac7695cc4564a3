// SQL of links that are good once: of the first person, of invited people, for a new password.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'

export type LinkKind = 'setup' | 'invitation' | 'reset'

export interface SignInLink {
  readonly kind: LinkKind
  /** Null for the first person. */
  readonly userId: string | null
  /** Of an invitation. */
  readonly tenantId: string | null
  readonly expiresAt: Date
}

/**
 * A new link. The former ones of its kind for the same user and tenant stop working: of two links
 * in two mails the newer one counts.
 */
export async function insertLink(tx: Tx, secretHash: Buffer, link: SignInLink): Promise<void> {
  const { kind, userId, tenantId, expiresAt } = link
  await sql`delete from sign_in_link where kind = ${kind}
    and user_id is not distinct from ${userId} and tenant_id is not distinct from ${tenantId}`.execute(
    tx,
  )
  await sql`insert into sign_in_link (secret_hash, kind, user_id, tenant_id, expires_at)
    values (${secretHash}, ${kind}, ${userId}, ${tenantId}, ${expiresAt})`.execute(tx)
}

const LINKS = sql`select kind, user_id as "userId", tenant_id as "tenantId", expires_at as "expiresAt"
  from sign_in_link`

/** A link that is still good, or null. */
export async function findLink(db: Db, secretHash: Buffer, now: Date): Promise<SignInLink | null> {
  const { rows } = await sql<SignInLink>`${LINKS}
    where secret_hash = ${secretHash} and used_at is null and expires_at > ${now}`.execute(db)
  return rows[0] ?? null
}

/** The same, and it is used now: of two calls at once one gets it. */
export async function useLink(tx: Tx, secretHash: Buffer, now: Date): Promise<SignInLink | null> {
  const { rows } = await sql<SignInLink>`update sign_in_link set used_at = ${now}
    where secret_hash = ${secretHash} and used_at is null and expires_at > ${now}
    returning kind, user_id as "userId", tenant_id as "tenantId", expires_at as "expiresAt"`.execute(
    tx,
  )
  return rows[0] ?? null
}

/** Uses the open invitation of a person into a tenant. False when there is none, or no more. */
export async function useInvitation(
  tx: Tx,
  { userId, tenantId }: { readonly userId: string; readonly tenantId: string },
  now: Date,
): Promise<boolean> {
  const used = await sql`update sign_in_link set used_at = ${now}
    where kind = 'invitation' and user_id = ${userId} and tenant_id = ${tenantId}
      and used_at is null and expires_at > ${now}`.execute(tx)
  return used.numAffectedRows === 1n
}

/** A disabled account, or one with a new password, has no open links. */
export async function deleteLinksOfUser(
  tx: Tx,
  userId: string,
  kind: LinkKind | null = null,
): Promise<void> {
  await sql`delete from sign_in_link where user_id = ${userId}
    and (${kind}::text is null or kind = ${kind})`.execute(tx)
}

export async function deleteInvitation(tx: Tx, userId: string, tenantId: string): Promise<void> {
  await sql`delete from sign_in_link where user_id = ${userId} and tenant_id = ${tenantId}`.execute(
    tx,
  )
}
