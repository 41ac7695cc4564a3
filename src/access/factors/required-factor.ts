// Who must have a second factor: everybody where the instance requires one, and in a tenant that
// requires one whoever works in it. Who comes by a provider is asked for a factor there.

import type { Db, Tx } from '../../kernel/db/database.ts'
import { hasRequiringTenant, requiresFactor } from '../tenant-store.ts'
import { hasFactor, readFactors } from './factor-store.ts'

export interface FactorRule {
  /** CASEWORK_SECOND_FACTOR. */
  readonly secondFactor: 'optional' | 'required'
}

export interface EnteringSession {
  readonly userId: string
  readonly tenantId: string
  readonly methods: readonly string[]
}

/** Whether a session that begins to act in the tenant can do nothing before a factor is set up. */
export async function requiresEnrolment(
  tx: Tx,
  rule: FactorRule,
  { userId, tenantId, methods }: EnteringSession,
): Promise<boolean> {
  if (methods.includes('provider') || hasFactor(await readFactors(tx, userId))) return false
  return rule.secondFactor === 'required' || (await requiresFactor(tx, tenantId))
}

/** Whether the instance or a tenant that the person works for requires a factor. */
export async function requiresFactorOf(db: Db, rule: FactorRule, userId: string): Promise<boolean> {
  return rule.secondFactor === 'required' || (await hasRequiringTenant(db, userId))
}
