// Whom a rule of the settings makes a member: decided by the claims of the provider alone.

import type { MemberRule } from './provider-settings.ts'

type Claims = Readonly<Record<string, unknown>>

/** All rules that fit; each names a tenant. */
export function findRules(rules: readonly MemberRule[], claims: Claims): readonly MemberRule[] {
  return rules.filter(({ when }) =>
    when.kind === 'domain'
      ? readVerifiedEmail(claims)?.split('@').at(-1)?.toLowerCase() === when.domain
      : hasValue(claims[when.claim], when.value),
  )
}

/** The address that the provider vouches for, or null. */
export function readVerifiedEmail(claims: Claims): string | null {
  const { email, email_verified: isVerified } = claims
  return typeof email === 'string' && isVerified === true ? email : null
}

/** Groups come as a list, one value as a text. */
function hasValue(claim: unknown, value: string): boolean {
  return Array.isArray(claim) ? claim.includes(value) : claim === value
}
