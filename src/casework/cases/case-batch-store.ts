// Moves of many cases of one tenant at once, for playbook workers and bulk changes: the same rules,
// locks and history as case-move-store.ts, in a fixed number of statements.

import { sql } from 'kysely'
import type { Tx } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { addHistory, pickOrigin } from './case-history-store.ts'
import { lockForMoves } from './case-locks.ts'
import {
  type CaseMoveDeps,
  type CaseMoveRequest,
  type CaseMoveResult,
  decideMoveOf,
  describeMove,
  describeMovedRow,
  describeResolvedEvents,
  isWithdrawal,
  moveCase,
} from './case-move-store.ts'
import type { CaseMove } from './case-state.ts'
import type { CaseRow } from './case-tables.ts'
import { copyStates } from './lists/last-event-store.ts'
import { releaseKeysOfEnded } from './open-case-store.ts'

export type CaseMoveRequestOfBatch = Omit<CaseMoveRequest, 'expectedVersion'>

export type CaseMoveOutcome =
  | Exclude<CaseMoveResult, { kind: 'moved' | 'unchanged' | 'stale' }>
  | { readonly kind: 'moved' }
  | { readonly kind: 'unchanged' }

interface PlannedMove {
  readonly current: CaseRow
  readonly request: CaseMoveRequestOfBatch
  readonly move: CaseMove
}

/** Moves cases whatever their version. The outcomes are in the order of the requests. */
export async function moveCases(
  tx: Tx,
  deps: CaseMoveDeps,
  scope: TenantScope,
  requests: readonly CaseMoveRequestOfBatch[],
): Promise<readonly CaseMoveOutcome[]> {
  const cases = await lockForMoves(tx, scope, requests)
  const plans = planMoves(cases, requests)
  const planned = plans.filter((plan) => plan.kind === 'together')
  await writeMoves(tx, deps, scope, planned)
  const released = planned.filter(({ move }) => move.key === 'release')
  const endedIds = released.map(({ current }) => current.id)
  await releaseKeysOfEnded(tx, scope, endedIds)
  const outcomes: CaseMoveOutcome[] = []
  for (const plan of plans) {
    if (plan.kind === 'decided') outcomes.push(plan.outcome)
    else if (plan.kind === 'together') outcomes.push({ kind: 'moved' })
    else outcomes.push(await moveAlone(tx, deps, scope, plan.request))
  }
  return outcomes
}

type MovePlan =
  | { readonly kind: 'decided'; readonly outcome: CaseMoveOutcome }
  | (PlannedMove & { readonly kind: 'together' })
  /** Its result depends on the moves before it, so it is decided after them. */
  | { readonly kind: 'alone'; readonly request: CaseMoveRequestOfBatch }

/** In the order of the requests. Alone: who claims a key, and each further move of one case. */
function planMoves(
  cases: ReadonlyMap<string, CaseRow>,
  requests: readonly CaseMoveRequestOfBatch[],
): readonly MovePlan[] {
  const met = new Set<string>()
  return requests.map((request): MovePlan => {
    const current = cases.get(request.caseId)
    if (current === undefined) return { kind: 'decided', outcome: { kind: 'not_found' } }
    if (met.has(request.caseId)) return { kind: 'alone', request }
    met.add(request.caseId)
    const decision = decideMoveOf(current, request)
    if (decision.kind !== 'move') return { kind: 'decided', outcome: decision }
    if (decision.key === 'claim') return { kind: 'alone', request }
    return { kind: 'together', current, request, move: decision }
  })
}

async function moveAlone(
  tx: Tx,
  deps: CaseMoveDeps,
  scope: TenantScope,
  request: CaseMoveRequestOfBatch,
): Promise<CaseMoveOutcome> {
  const result = await moveCase(tx, deps, scope, { ...request, expectedVersion: null })
  if (result.kind === 'stale') throw new Error('no version was expected')
  return result.kind === 'moved' || result.kind === 'unchanged' ? { kind: result.kind } : result
}

async function writeMoves(
  tx: Tx,
  { ids, markEventsResolved, noteWithdrawals }: CaseMoveDeps,
  scope: TenantScope,
  planned: readonly PlannedMove[],
): Promise<void> {
  if (planned.length === 0) return
  await updateRows(tx, scope, planned)
  await markEventsResolved(
    tx,
    scope,
    planned.flatMap(({ current, request, move }) => {
      const { resolved_at: resolvedAt } = describeMovedRow(current, move, request.at)
      return describeResolvedEvents(current.id, move, resolvedAt) ?? []
    }),
  )
  const withdrawn = planned.filter(({ current, move }) => isWithdrawal(current, move))
  if (withdrawn.length > 0) {
    await noteWithdrawals(
      tx,
      scope,
      withdrawn.map(({ current }) => current.id),
    )
  }
  await addHistory(
    tx,
    ids,
    scope,
    planned.map(({ current, request, move }) => ({
      caseId: current.id,
      kind: 'move' as const,
      fromState: move.from,
      toState: move.to,
      changes: describeMove(move),
      ...pickOrigin(request),
    })),
  )
}

async function updateRows(
  tx: Tx,
  scope: TenantScope,
  planned: readonly PlannedMove[],
): Promise<void> {
  const rows = planned.map(({ current, request, move }) => ({
    id: current.id,
    at: request.at,
    ...describeMovedRow(current, move, request.at),
  }))
  await sql`
    update abuse_case set state = given.state, resolution = given.resolution, close_reason = given.close_reason,
      resolved_at = given.resolved_at, ended_at = given.ended_at, reopen_count = given.reopen_count,
      waiting_on = given.waiting_on, version = abuse_case.version + 1, updated_at = given.at
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (
      id text, at timestamptz, state text, resolution text, close_reason text, resolved_at timestamptz,
      ended_at timestamptz, reopen_count integer, waiting_on text)
    where abuse_case.tenant_id = ${scope.tenantId} and abuse_case.id = given.id collate "C"`.execute(
    tx,
  )
  await copyStates(
    tx,
    scope,
    rows.map(({ id }) => id),
  )
}
