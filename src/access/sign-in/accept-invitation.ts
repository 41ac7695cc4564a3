// An invitation into a tenant is accepted: at once by whoever has no second factor, else with that
// factor. A foreign factor shows this way: an inviter sees the link, can open the account with a
// factor of their own and wait until another tenant invites its owner, who cannot accept then
// (docs/concepts/threat-model.md).

import type { Tx } from '../../kernel/db/database.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { acceptMembership } from '../people/user-store.ts'
import { useInvitation } from './link-store.ts'
import type { SignInStep } from './step-store.ts'

export async function acceptInvitation(
  tx: Tx,
  audit: AuditLog,
  { userId, tenantId }: { readonly userId: string; readonly tenantId: string },
): Promise<void> {
  await acceptMembership(tx, userId, tenantId)
  const by = { kind: 'user', id: userId } as const
  await audit.record(tx, 'user.accept', { tenantId, id: userId, by })
}

/** After the second factor of a sign-in that began with an invitation, unless it was withdrawn. */
export async function acceptWaitingInvitation(
  tx: Tx,
  audit: AuditLog,
  { userId, tenantId, methods }: Pick<SignInStep, 'userId' | 'tenantId' | 'methods'>,
  now: Date,
): Promise<void> {
  if (userId === null || tenantId === null || !methods.includes('link')) return
  const invited = { userId, tenantId }
  if (await useInvitation(tx, invited, now)) await acceptInvitation(tx, audit, invited)
}
