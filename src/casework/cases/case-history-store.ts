// SQL of the history of cases. A row is added in the transaction of the change that it describes,
// and is never changed.

import { type Selectable, sql } from 'kysely'
import { type Db, seeTables, type Tx } from '../../kernel/db/database.ts'
import type { PageRequest } from '../../kernel/db/page-request.ts'
import { defineRows } from '../../kernel/db/write-rows.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { noteRows } from '../changes/outbox-store.ts'
import type { CaseState } from './case-state.ts'
import type { Actor, CaseTables, HistoryKind } from './case-tables.ts'

/** Who changed a case, when and why: every change of a case carries it into the history. */
export interface ChangeOrigin {
  readonly actor: Actor
  readonly at: Date
  readonly reason?: string | null
  /** A request id, or `run:token:visit`. */
  readonly causeId?: string | null
}

export function pickOrigin(origin: ChangeOrigin): Required<ChangeOrigin> {
  return {
    actor: origin.actor,
    at: origin.at,
    reason: origin.reason ?? null,
    causeId: origin.causeId ?? null,
  }
}

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

const writeEntries = defineRows<NewHistoryEntry & { readonly id: string }>({
  case_id: ['text', ({ caseId }) => caseId],
  id: ['uuid', ({ id }) => id],
  at: ['timestamptz', ({ at }) => at.toISOString()],
  kind: ['text', ({ kind }) => kind],
  actor_kind: ['text', ({ actor }) => actor.kind],
  actor: ['text', ({ actor }) => actor.id],
  from_state: ['text', ({ fromState }) => fromState ?? null],
  to_state: ['text', ({ toState }) => toState ?? null],
  reason: ['text', ({ reason }) => reason],
  cause_id: ['text', ({ causeId }) => causeId],
  changes: ['jsonb', ({ changes }) => changes],
})

/** Adds the entries in their order, and notes them for those who listen for changes of cases. */
export async function addHistory(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  entries: readonly NewHistoryEntry[],
): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map((entry) => ({ ...entry, id: ids.nextUuid() }))
  const { names, values, given } = writeEntries(rows)
  await sql`
    with added as (
      insert into case_history (tenant_id, ${names}) select ${scope.tenantId}, ${values} from ${given}
      returning case_history.*
    )
    ${noteRows(scope, 'case', ADDED)}`.execute(tx)
}

const ADDED = sql`(
  select kind as what, case_id as subject_id, case_id, actor_kind, actor, cause_id, at,
    jsonb_strip_nulls(jsonb_build_object('from_state', from_state, 'to_state', to_state, 'reason', reason, 'changes', changes)) as data
  from added order by id
) as changed`

export type HistoryRow = Selectable<CaseTables['case_history']>

/** The history of a case. Ids are UUIDv7, so the order of ids is the order of time. */
export async function listHistory(
  db: Db,
  scope: TenantScope,
  caseId: string,
  page: PageRequest,
): Promise<readonly HistoryRow[]> {
  let query = seeTables<CaseTables>(db)
    .selectFrom('case_history')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('case_id', '=', caseId)
    .orderBy('id', page.order)
    .limit(page.limit + 1)
  const id = page.position?.[0]
  if (id !== undefined) query = query.where('id', page.order === 'asc' ? '>' : '<', id)
  return await query.execute()
}
