// What a caller may hand on by a token: scopes, roles, networks, a tenant and a lifetime that lie
// within its own.

import type { Static } from 'typebox'
import { isLooseEmailAddress } from '../values/email.ts'
import type { FieldProblem } from '../values/field-problem.ts'
import { parseNetwork } from '../values/network.ts'
import type { Range } from '../values/range.ts'
import { parseInstant } from '../values/timestamp.ts'
import type { Caller } from '../vocabulary/caller.ts'
import { isScope, type Scope } from '../vocabulary/scopes.ts'
import { chooseTenant } from './admin-scope.ts'
import type { NewApiToken } from './api-token-wire.ts'
import { grantBeyondOwn, tokenNotValid } from './errors.ts'
import { isNetworkIn } from './token-networks.ts'

const DAY_MS = 86_400_000
const LIFETIME_DEFAULT_MS = 90 * DAY_MS

export interface TokenGrant {
  readonly name: string
  readonly scopes: readonly Scope[]
  /** The caller of this module checks that they exist and what they grant. */
  readonly roles: readonly string[]
  readonly networks: readonly string[] | null
  readonly tenantId: string
  readonly serviceAccountId: string | null
  readonly contactEmail: string | null
  readonly expiresAt: Date | null
}

/** The grant that the caller asks for. Throws 400 for a faulty and 403 for a forbidden one. */
export function readGrant(
  caller: Caller,
  body: Static<typeof NewApiToken>,
  nowMs: number,
): TokenGrant {
  const problems: FieldProblem[] = []
  const named = body.scopes ?? []
  for (const [index, scope] of named.entries()) {
    if (!isScope(scope)) problems.push({ path: `/scopes/${index}`, reason: 'is no scope' })
  }
  const roles = [
    ...new Set([...(body.role === undefined ? [] : [body.role]), ...(body.roles ?? [])]),
  ]
  if (body.scopes === undefined && roles.length === 0) {
    problems.push({ path: '/scopes', reason: 'is missing, and so is "roles"' })
  }
  const networks = readNetworks(body.networks, problems)
  const contactEmail = body.contact_email ?? null
  if (contactEmail !== null && !isLooseEmailAddress(contactEmail)) {
    problems.push({ path: '/contact_email', reason: 'must be an e-mail address' })
  }
  const expiresAt = readTokenEnd(body.expires_at, { nowMs, callerEnd: caller.expiresAt })
  if (expiresAt === 'wrong') problems.push(END_WRONG)
  if (expiresAt === 'wrong' || problems.length > 0) throw tokenNotValid(problems)
  const scopes = [...new Set(named.filter(isScope))]
  assertHolds(caller, scopes)
  const tenantId = chooseTenant(caller, body.tenant_id)
  assertEndsWith(caller, expiresAt)
  return {
    name: body.name,
    scopes,
    roles,
    networks: chooseNetworks(caller, networks),
    tenantId,
    serviceAccountId: body.service_account_id ?? null,
    contactEmail,
    expiresAt,
  }
}

export function assertHolds(caller: Caller, scopes: readonly Scope[]): void {
  const missing = scopes.filter((scope) => !caller.scopes.has(scope))
  if (missing.length > 0) throw grantBeyondOwn(`the scopes ${missing.join(', ')}`)
}

export const END_WRONG = {
  path: '/expires_at',
  reason: 'must be a time to come, in ISO 8601 form',
}

/**
 * In 90 days, or after `lifetimeMs`, when it is left out; with the caller when that ends earlier.
 */
export function readTokenEnd(
  text: string | null | undefined,
  bounds: {
    readonly nowMs: number
    readonly callerEnd: Date | null
    /** Null for a token without an end. */
    readonly lifetimeMs?: number | null
  },
): Date | null | 'wrong' {
  if (text === null) return null
  if (text === undefined) {
    const { nowMs, callerEnd, lifetimeMs = LIFETIME_DEFAULT_MS } = bounds
    const endMs = lifetimeMs === null ? Number.POSITIVE_INFINITY : nowMs + lifetimeMs
    const soonestMs = Math.min(endMs, callerEnd?.getTime() ?? Number.POSITIVE_INFINITY)
    return Number.isFinite(soonestMs) ? new Date(soonestMs) : null
  }
  const ms = parseInstant(text)
  return ms !== null && ms > bounds.nowMs ? new Date(ms) : 'wrong'
}

/** A stolen token that ends must not buy one that does not. */
export function assertEndsWith({ expiresAt: callerEnd }: Caller, end: Date | null): void {
  if (callerEnd === null) return
  if (end === null || end.getTime() > callerEnd.getTime()) {
    throw grantBeyondOwn(`a life beyond ${callerEnd.toISOString()}`)
  }
}

function readNetworks(
  texts: readonly string[] | null | undefined,
  problems: FieldProblem[],
): readonly Range[] | null {
  if (texts === undefined || texts === null) return null
  return texts.flatMap((text, index) => {
    const network = parseNetwork(text)
    if (network !== null) return [network]
    problems.push({ path: `/networks/${index}`, reason: 'must be an IP address or a CIDR block' })
    return []
  })
}

/** Left out, they are those of the caller: a token stolen from its network must not leave it. */
function chooseNetworks(
  caller: Caller,
  networks: readonly Range[] | null,
): readonly string[] | null {
  const own = caller.networks
  if (networks === null) return own?.map(({ text }) => text) ?? null
  const beyond = own === null ? [] : networks.filter((network) => !isNetworkIn(network, own))
  if (beyond.length > 0) {
    throw grantBeyondOwn(`the networks ${beyond.map(({ text }) => text).join(', ')}`)
  }
  return [...new Set(networks.map(({ text }) => text))]
}
