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
  describeMove,
  describeMovedRow,
  describeResolvedEvents,
  isWithdrawal,
  moveCase,
} from './case-move-store.ts'
import { type CaseMove, decideMove } from './case-state.ts'
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
  const planned: PlannedMove[] = []
  const outcomes: (CaseMoveOutcome | null)[] = []
  for (const request of requests) {
    const current = cases.get(request.caseId)
    const decision = current === undefined ? null : decideMoveOf(current, request)
    if (current === undefined || decision === null) {
      outcomes.push({ kind: 'not_found' })
    } else if (decision.kind !== 'move') {
      outcomes.push(decision)
    } else if (decision.key === 'claim' || isTwice(planned, request.caseId)) {
      // Rare, and each depends on the result of the others: moved one by one below.
      outcomes.push(null)
    } else {
      planned.push({ current, request, move: decision })
      outcomes.push({ kind: 'moved' })
    }
  }
  await writeMoves(tx, deps, scope, planned)
  const released = planned.filter(({ move }) => move.key === 'release')
  const endedIds = released.map(({ current }) => current.id)
  await releaseKeysOfEnded(tx, scope, endedIds)
  for (const [at, request] of requests.entries()) {
    if (outcomes[at] === null) outcomes[at] = await moveAlone(tx, deps, scope, request)
  }
  return outcomes.map((outcome) => outcome ?? { kind: 'not_found' })
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

/** The move of the case, or why it is refused; a key that is taken may refuse it later. */
export function decideMoveOf(
  current: CaseRow,
  request: Pick<CaseMoveRequestOfBatch, 'target' | 'resolution' | 'closeReason' | 'mayReopen'>,
): ReturnType<typeof decideMove> {
  return decideMove(current.state, request.target, {
    ...(request.resolution ? { resolution: request.resolution } : {}),
    ...(request.closeReason ? { closeReason: request.closeReason } : {}),
    isMerged: current.close_reason === 'merged',
    mayReopen: request.mayReopen ?? true,
  })
}

function isTwice(planned: readonly PlannedMove[], caseId: string): boolean {
  return planned.some((one) => one.request.caseId === caseId)
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
