// The answer to a signed-in person: who they are, where they act, what they may do there.

import type { Static } from 'typebox'
import type { Db } from '../../kernel/db/database.ts'
import type { ScopesOfRoles } from '../people/user-roles.ts'
import { findUser } from '../people/user-store.ts'
import { sessionNotFound } from '../sign-in/errors.ts'
import { deriveCsrfToken, hashSecret } from './session-secret.ts'
import { findSessionBySecret, readRoles } from './session-store.ts'
import type { OwnSession } from './session-wire.ts'

/** Throws 404 when the secret is of no session. */
export async function presentOwnSession(
  { db, scopesOfRoles }: { readonly db: Db; readonly scopesOfRoles: ScopesOfRoles },
  secret: string,
): Promise<Static<typeof OwnSession>> {
  const session = await findSessionBySecret(db, hashSecret(secret))
  const user = session === null ? null : await findUser(db, session.userId)
  if (session === null || user === null) throw sessionNotFound()
  return {
    id: session.id,
    user: { id: user.id, name: user.name, email: user.email },
    tenant_id: session.tenantId,
    scopes: [...new Set(scopesOfRoles(session.tenantId, readRoles(session)))],
    tenants: user.memberships
      .filter(({ isAccepted }) => isAccepted)
      .map(({ tenantId, roles }) => ({ tenant_id: tenantId, roles: [...roles] })),
    must_enrol: session.mustEnrol,
    csrf_token: deriveCsrfToken(secret),
    created_at: session.createdAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
  }
}
