// The history of cases: rows are added in the transaction of what they tell, and never changed.

import { sql } from 'kysely'
import type { Tx } from '../../kernel/db/database.ts'
import { writeTexts, writeWords } from '../../kernel/db/write-arrays.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { CaseState } from './case-state.ts'
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
  await sql`
    insert into case_history (tenant_id, case_id, id, at, kind, actor_kind, actor, from_state, to_state, reason, cause_id, changes)
    select ${scope.tenantId}, case_id, id, at, kind, actor_kind, actor, from_state, to_state, reason, cause_id, nullif(changes, 'null')
    from rows from (unnest(
      ${writeTexts(entries.map((entry) => entry.caseId))}::text[], ${writeWords(entries.map(() => ids.nextUuid()))}::uuid[],
      ${writeWords(entries.map((entry) => entry.at.toISOString()))}::timestamptz[],
      ${writeTexts(entries.map((entry) => entry.kind))}::text[], ${writeTexts(entries.map((entry) => entry.actor.kind))}::text[],
      ${writeTexts(entries.map((entry) => entry.actor.id))}::text[],
      ${writeTexts(entries.map((entry) => entry.fromState ?? null))}::text[],
      ${writeTexts(entries.map((entry) => entry.toState ?? null))}::text[],
      ${writeTexts(entries.map((entry) => entry.reason))}::text[], ${writeTexts(entries.map((entry) => entry.causeId))}::text[]
      ), jsonb_array_elements(${JSON.stringify(entries.map(({ changes }) => changes))}::jsonb)
    ) as given (case_id, id, at, kind, actor_kind, actor, from_state, to_state, reason, cause_id, changes)`.execute(
    tx,
  )
}
