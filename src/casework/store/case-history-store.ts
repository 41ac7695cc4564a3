// The history of cases: rows are added in the transaction of what they tell, and never changed.

import { sql } from 'kysely'
import type { TenantScope } from '../../kernel/auth/caller.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { CaseState } from '../model/case-state.ts'
import type { Actor, HistoryKind } from './case-tables.ts'

export interface NewHistoryEntry {
  readonly caseId: string
  readonly kind: HistoryKind
  readonly actor: Actor
  readonly at: Date
  readonly fromState?: CaseState | null
  readonly toState?: CaseState | null
  readonly reason: string | null
  readonly causeId: string | null
  readonly changes: Record<string, unknown> | null
}

/** Adds the entries in their order. */
export async function addHistory(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  entries: readonly NewHistoryEntry[],
): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map((entry) => ({
    case_id: entry.caseId,
    id: ids.nextUuid(),
    at: entry.at,
    kind: entry.kind,
    actor_kind: entry.actor.kind,
    actor: entry.actor.id,
    from_state: entry.fromState ?? null,
    to_state: entry.toState ?? null,
    reason: entry.reason,
    cause_id: entry.causeId,
    changes: entry.changes,
  }))
  await sql`
    insert into case_history (tenant_id, case_id, id, at, kind, actor_kind, actor, from_state, to_state, reason, cause_id, changes)
    select ${scope.tenantId}, row.*
    from json_to_recordset(${JSON.stringify(rows)}::json) as row (
      case_id text, id uuid, at timestamptz, kind text, actor_kind text, actor text, from_state text, to_state text,
      reason text, cause_id text, changes jsonb)`.execute(tx)
}
