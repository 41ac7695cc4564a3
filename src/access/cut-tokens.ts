// Cuts the tokens of an owner: of a person who is disabled, removed or demoted, of a service
// account that is deleted. In the transaction of that act, so that no token outlives it.

import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../kernel/db/database.ts'
import { inInstance } from '../kernel/db/instance-acts.ts'
import type { CallerOwner } from '../vocabulary/caller.ts'
import { raiseTokenSerial } from './api-token-store.ts'
import type { Actor } from './audit/audit-entry.ts'
import type { AuditLog } from './audit/audit-log.ts'
import { deleteCodesOfUser } from './device/device-store.ts'

/**
 * Revokes the live tokens that a person owns: those of one tenant, after a change of the roles
 * there, or of all tenants (`tenantId` null). Each is an act of the audit log. Returns their
 * number. Call `refreshTokens` after the commit; other nodes follow within a second.
 */
export async function cutTokensOf(
  tx: Tx,
  audit: AuditLog,
  userId: string,
  tenantId: string | null = null,
): Promise<number> {
  const owner = { kind: 'user', id: userId } as const
  if (tenantId !== null) return await cutTokens(tx, audit, owner, { tenantId })
  // A person is of the instance, and whoever disables one may see a single tenant only.
  return await inInstance('cut tokens', () => cutTokens(tx, audit, owner, { tenantId: null }))
}

/**
 * Ends the logins of a person: their tokens, and the logins that wait for theirs. It goes with the
 * end of the sessions. Tokens for programs stay. `by` is who acts where no request has a caller.
 */
export async function cutLoginsOf(
  tx: Tx,
  audit: AuditLog,
  userId: string,
  { tenantId, by }: { readonly tenantId: string | null; readonly by?: Actor },
): Promise<number> {
  await deleteCodesOfUser(tx, userId)
  const owner = { kind: 'user', id: userId } as const
  const cut = () => cutTokens(tx, audit, owner, { tenantId, isPersonalOnly: true, by })
  return tenantId === null ? await inInstance('cut tokens', cut) : await cut()
}

/** As `cutTokensOf`, of a service account. */
export async function cutTokensOfServiceAccount(
  tx: Tx,
  audit: AuditLog,
  tenantId: string,
  id: string,
): Promise<number> {
  return await cutTokens(tx, audit, { kind: 'service_account', id }, { tenantId })
}

async function cutTokens(
  tx: Tx,
  audit: AuditLog,
  owner: CallerOwner,
  {
    tenantId,
    isPersonalOnly = false,
    by,
  }: {
    readonly tenantId: string | null
    readonly isPersonalOnly?: boolean
    readonly by?: Actor | undefined
  },
): Promise<number> {
  const serial = await raiseTokenSerial(tx)
  const isOwned: RawBuilder<boolean> =
    owner.kind === 'user' ? sql`owner_user_id = ${owner.id}` : sql`service_account_id = ${owner.id}`
  const { rows } = await sql<{ id: string; tenant_id: string }>`
    update api_token set revoked_at = now(), changed_serial = ${serial}
    where ${isOwned} and revoked_at is null
      and (${tenantId}::text is null or tenant_id = ${tenantId})
      and (is_personal or not ${isPersonalOnly})
    returning id, tenant_id`.execute(tx)
  for (const { id, tenant_id: ofTenant } of rows) {
    await audit.record(tx, 'token.revoke', {
      tenantId: ofTenant,
      id,
      after: { cut_with: owner },
      ...(by === undefined ? {} : { by }),
    })
  }
  return rows.length
}
