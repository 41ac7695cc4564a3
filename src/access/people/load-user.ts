// Which users a caller may see and change. A user of another tenant answers as one that does not
// exist.

import type { Db, Tx } from '../../kernel/db/database.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import { administeredTenant } from '../admin-scope.ts'
import { grantBeyondOwn } from '../errors.ts'
import { userNotFound } from './errors.ts'
import { assertHoldsRoles, type ScopesOfRoles } from './user-roles.ts'
import { findUser, lockUser, type Membership, type UserRecord } from './user-store.ts'

/**
 * Throws 404 for a user whom the caller does not see. The database is asked for one of the caller's
 * tenant, so that a user of another one costs as much as one that does not exist.
 */
export async function loadVisible(db: Db, caller: Caller, id: string): Promise<UserRecord> {
  return requireVisible(caller, await findUser(db, id, administeredTenant(caller)))
}

/** The same, and nobody else changes the user before the transaction ends. */
export async function lockVisible(tx: Tx, caller: Caller, id: string): Promise<UserRecord> {
  return requireVisible(caller, await lockUser(tx, id, administeredTenant(caller)))
}

/** Throws 404 for a user whom the caller does not see. */
export function requireVisible(caller: Caller, user: UserRecord | null): UserRecord {
  const tenantId = administeredTenant(caller)
  const isVisible =
    user !== null &&
    (tenantId === null || user.memberships.some((one) => one.tenantId === tenantId))
  if (!isVisible) throw userNotFound()
  return user
}

/** Throws 404 when the user is not in the tenant. */
export function requireMembership(user: UserRecord, tenantId: string): Membership {
  const membership = user.memberships.find((one) => one.tenantId === tenantId)
  if (membership === undefined) throw userNotFound()
  return membership
}

/**
 * Throws 403 when the account itself is not the caller's to change: its person works for another
 * tenant too, or may do what the caller may not.
 */
export function assertOwnsAccount(
  caller: Caller,
  scopesOfRoles: ScopesOfRoles,
  user: UserRecord,
): void {
  const tenantId = administeredTenant(caller)
  if (tenantId !== null && user.memberships.some((one) => one.tenantId !== tenantId)) {
    throw grantBeyondOwn('the account of a person who works for another tenant too')
  }
  for (const membership of user.memberships) assertHoldsRoles(caller, scopesOfRoles, membership)
}
