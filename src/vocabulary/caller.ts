// The caller of a request. Made from a checked credential only; nothing in a header, query or body
// can name another caller.

import type { Range } from '../values/range.ts'
import type { Scope } from './scopes.ts'

/** Who stands behind a credential. Tokens that the caller makes get the same owner. */
export interface CallerOwner {
  readonly kind: 'user' | 'service_account'
  readonly id: string
}

export interface Caller {
  /**
   * The public id of who acts: of the token, of the user where a session sent the request, or
   * `local` for the administrator at the socket in the data folder.
   */
  readonly tokenId: string
  readonly name: string
  readonly tenantId: string
  /** All of them, those of its roles included. */
  readonly scopes: ReadonlySet<Scope>
  readonly roles: readonly string[]
  /** Null for a token that belongs to its tenant alone. */
  readonly owner: CallerOwner | null
  /** Where the credential may come from; null for anywhere. What it hands on comes from there. */
  readonly networks: readonly Range[] | null
  /** The sender of pushed events that name none. */
  readonly contactEmail: string | null
  /** When the credential ends; null for never. What the caller hands on ends no later. */
  readonly expiresAt: Date | null
  /** Where a signed-in person sent the request. */
  readonly session?: CallerSession | undefined
}

interface CallerSession {
  readonly id: string
  readonly userId: string
  /** The person has to set up a second factor; before that there are no scopes. */
  readonly mustEnrol: boolean
}

/** The tenant of every casework query: rows of another tenant do not exist. */
export interface TenantScope {
  readonly tenantId: string
}

export const DEFAULT_TENANT_ID = 'default'
