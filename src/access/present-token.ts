// The only place where a token becomes wire JSON.

import type { TokenRecord } from './api-token-store.ts'

/** `nowMs` decides between live and expired. */
export function presentToken(token: TokenRecord, nowMs: number) {
  return {
    id: token.id,
    name: token.name,
    tenant_id: token.tenantId,
    scopes: token.scopes,
    contact_email: token.contactEmail,
    state: readState(token, nowMs),
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt?.toISOString() ?? null,
    revoked_at: token.revokedAt?.toISOString() ?? null,
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
  }
}

function readState(token: TokenRecord, nowMs: number): 'live' | 'expired' | 'revoked' {
  if (token.revokedAt !== null) return 'revoked'
  return token.expiresAt !== null && token.expiresAt.getTime() <= nowMs ? 'expired' : 'live'
}
