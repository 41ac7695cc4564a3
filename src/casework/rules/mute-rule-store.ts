// SQL of mute rules (migration 0019). case-group-store.ts reads the rules in force together with
// the case groups, in one statement.

import { type Selectable, sql } from 'kysely'
import { type Db, seeTables, type Tx } from '../../kernel/db/database.ts'
import type { PageRequest } from '../../kernel/db/page-request.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { KEY_FIELDS } from './correlation-key.ts'
import { type KeyMatch, type MuteRule } from './mute-rule.ts'

export interface StoredMuteRule {
  readonly id: string
  readonly condition: string | null
  readonly keyMatch: Record<string, string> | null
  readonly until: string
}

export function readMuteRule({ id, condition, keyMatch, until }: StoredMuteRule): MuteRule {
  return {
    id,
    condition,
    keyMatch: keyMatch === null ? null : readKeyMatch(keyMatch),
    untilMs: Date.parse(until),
  }
}

// Ignoring a field that a newer version of the program wrote would widen the rule. A rule with an
// unknown field therefore matches nothing.
function readKeyMatch(stored: Record<string, string>): KeyMatch {
  const known = KEY_FIELDS.filter((field) => stored[field] !== undefined)
  if (known.length < Object.keys(stored).length) return {}
  return Object.fromEntries(known.map((field) => [field, stored[field] ?? '']))
}

interface MuteRuleTables {
  mute_rule: {
    tenant_id: string
    id: string
    condition: string | null
    key_match: KeyMatch | null
    reason: string
    created_at: Date
    created_by: string
    until: Date
    ended_at: Date | null
    ended_by: string | null
  }
}

/** `muted`: the number of events that the rule muted and that are still stored. */
export type MuteRuleRow = Selectable<MuteRuleTables['mute_rule']> & { readonly muted: number }

export interface NewMuteRule {
  readonly id: string
  readonly condition: string | null
  readonly keyMatch: KeyMatch | null
  readonly reason: string
  readonly createdAt: Date
  readonly createdBy: string
  readonly until: Date
}

export async function insertMuteRule(tx: Tx, scope: TenantScope, rule: NewMuteRule): Promise<void> {
  const keyMatch = rule.keyMatch === null ? null : JSON.stringify(rule.keyMatch)
  await sql`
    insert into mute_rule (tenant_id, id, condition, key_match, reason, created_at, created_by, until)
    values (${scope.tenantId}, ${rule.id}, ${rule.condition}, ${keyMatch}::jsonb, ${rule.reason}, ${rule.createdAt},
      ${rule.createdBy}, ${rule.until})`.execute(tx)
}

/**
 * Counts the rules in force. Rules whose time has run out are marked as ended first, so that ingest
 * no longer reads them.
 */
export async function countRulesInForce(tx: Tx, scope: TenantScope, at: Date): Promise<number> {
  await sql`
    update mute_rule set ended_at = until
    where tenant_id = ${scope.tenantId} and ended_at is null and until <= ${at}`.execute(tx)
  const result = await sql<{ count: number }>`
    select count(*) as count from mute_rule where tenant_id = ${scope.tenantId} and ended_at is null`.execute(
    tx,
  )
  return result.rows[0]?.count ?? 0
}

/** Up to `limit` rows and one more, which says that there is a next page. */
export async function listMuteRules(
  db: Db,
  scope: TenantScope,
  inForceAt: Date | null,
  page: PageRequest,
): Promise<readonly MuteRuleRow[]> {
  let query = selectRules(db, scope)
  if (inForceAt !== null) {
    query = query.where('ended_at', 'is', null).where('until', '>', inForceAt)
  }
  const id = page.position?.[0]
  if (id !== undefined) query = query.where('id', page.order === 'asc' ? '>' : '<', id)
  return await query
    .orderBy('id', page.order)
    .limit(page.limit + 1)
    .execute()
}

export async function findMuteRule(
  db: Db,
  scope: TenantScope,
  ruleId: string,
): Promise<MuteRuleRow | null> {
  const row = await selectRules(db, scope).where('id', '=', ruleId).executeTakeFirst()
  return row ?? null
}

function selectRules(db: Db, scope: TenantScope) {
  return seeTables<MuteRuleTables>(db)
    .selectFrom('mute_rule')
    .selectAll()
    .select(
      sql<number>`(
        select count(*) from event
        where event.tenant_id = mute_rule.tenant_id and event.mute_rule_id = mute_rule.id
      )`.as('muted'),
    )
    .where('tenant_id', '=', scope.tenantId)
}

/** False when the rule has ended already. */
export async function endMuteRule(
  tx: Tx,
  scope: TenantScope,
  ruleId: string,
  at: Date,
  by: string,
): Promise<boolean> {
  const result = await sql`
    update mute_rule set ended_at = ${at}, ended_by = ${by}
    where tenant_id = ${scope.tenantId} and id = ${ruleId} and ended_at is null and until > ${at}`.execute(
    tx,
  )
  return Number(result.numAffectedRows ?? 0n) > 0
}
