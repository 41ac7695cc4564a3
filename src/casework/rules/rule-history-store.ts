// SQL of the history of case groups and mute rules. A row is added in the transaction of the change
// that it records, and is never changed itself.

import { type Selectable, sql } from 'kysely'
import { type Db, seeTables, type Tx } from '../../kernel/db/database.ts'
import type { PageRequest } from '../../kernel/db/page-request.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'

export type RuleKind = 'case_group' | 'mute_rule'

interface RuleHistoryTables {
  rule_history: {
    tenant_id: string
    rule_kind: RuleKind
    rule_id: string
    id: string
    at: Date
    kind: 'create' | 'change' | 'delete' | 'end'
    actor: string
    changes: Record<string, unknown>
  }
}

export type RuleHistoryRow = Selectable<RuleHistoryTables['rule_history']>

/** Who changed a rule, and when. */
export interface RuleOrigin {
  readonly id: string
  readonly at: Date
  readonly actor: string
}

export async function addRuleHistory(
  tx: Tx,
  scope: TenantScope,
  ruleKind: RuleKind,
  ruleId: string,
  entry: RuleOrigin & Pick<RuleHistoryRow, 'kind' | 'changes'>,
): Promise<void> {
  await sql`
    insert into rule_history (tenant_id, rule_kind, rule_id, id, at, kind, actor, changes)
    values (${scope.tenantId}, ${ruleKind}, ${ruleId}, ${entry.id}, ${entry.at}, ${entry.kind}, ${entry.actor},
      ${JSON.stringify(entry.changes)}::jsonb)`.execute(tx)
}

/**
 * Newest first by default: ids are UUIDv7, so their order is the order of time. Also for deleted
 * rules.
 */
export async function listRuleHistory(
  db: Db,
  scope: TenantScope,
  ruleKind: RuleKind,
  ruleId: string,
  page: PageRequest,
): Promise<readonly RuleHistoryRow[]> {
  let query = seeTables<RuleHistoryTables>(db)
    .selectFrom('rule_history')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('rule_kind', '=', ruleKind)
    .where('rule_id', '=', ruleId)
    .orderBy('id', page.order)
    .limit(page.limit + 1)
  const id = page.position?.[0]
  if (id !== undefined) query = query.where('id', page.order === 'asc' ? '>' : '<', id)
  return await query.execute()
}
