// The caller of a request. Made from a checked credential only; nothing in a header, query or body
// can name another caller.

import type { Scope } from './scopes.ts'

export interface Caller {
  /** The token's public id, or `local` for the administrator at the socket in the data folder. */
  readonly tokenId: string
  readonly name: string
  readonly tenantId: string
  readonly scopes: ReadonlySet<Scope>
  /** The sender of pushed events that name none. */
  readonly contactEmail: string | null
  /** When the credential ends; null for never. What the caller hands on ends no later. */
  readonly expiresAt: Date | null
}

/** The tenant of every casework query: rows of another tenant do not exist. */
export interface TenantScope {
  readonly tenantId: string
}

export const DEFAULT_TENANT_ID = 'default'
