// Moves of one case from state to state. A move compares the version, writes a history row in the
// same transaction, and keeps the open cases of keys true: an open case has its key, an ended case
// has none. Moves of many cases are in case-batch-store.ts.

import { seeTables, type Tx } from '../../kernel/db/database.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { addHistory, type ChangeOrigin, pickOrigin } from './case-history-store.ts'
import { lockForMoves } from './case-locks.ts'
import {
  type CaseMove,
  type CaseState,
  type CloseReason,
  decideMove,
  type IllegalMove,
  isOpenState,
  type MoveDecision,
  type Resolution,
} from './case-state.ts'
import type { CaseRow, CaseTables, WaitingOn } from './case-tables.ts'
import { copyStates } from './lists/last-event-store.ts'
import {
  findOpenCase,
  lockExistingCaseGroups,
  releaseKeysOfEnded,
  takeFreeKeys,
} from './open-case-store.ts'

/**
 * Marks events of these cases as resolved. The events feature owns the table; the app hands it in.
 */
export type MarkEventsResolved = (
  tx: Tx,
  scope: TenantScope,
  cases: readonly ResolvedCase[],
) => Promise<void>

/**
 * Cases became a false positive, or are none any more, so their events are withdrawn or count
 * again. The app hands it in.
 */
export type NoteWithdrawals = (
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
) => Promise<void>

export interface ResolvedCase {
  readonly caseId: string
  /** Only events dated until this time; null for all events of the case. */
  readonly until: Date | null
}

export interface CaseMoveDeps {
  readonly ids: IdSource
  readonly markEventsResolved: MarkEventsResolved
  readonly noteWithdrawals: NoteWithdrawals
}

export interface CaseMoveRequest extends ChangeOrigin {
  readonly caseId: string
  readonly target: CaseState
  /** The version the caller decided on; null takes the case as it is (playbook nodes). */
  readonly expectedVersion: number | null
  readonly resolution?: Resolution | null
  readonly closeReason?: CloseReason | null
  /** False refuses to open an ended case again. */
  readonly mayReopen?: boolean
}

export type CaseMoveResult =
  | { readonly kind: 'moved'; readonly case: CaseRow }
  /** The case is in that state already: nothing was written. */
  | { readonly kind: 'unchanged'; readonly case: CaseRow }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'stale'; readonly version: number }
  | { readonly kind: 'illegal'; readonly reason: IllegalMove }
  | { readonly kind: 'incomplete'; readonly missing: 'resolution' | 'close_reason' }
  /** It cannot be reopened: its key has another open case. */
  | { readonly kind: 'key_has_open_case'; readonly openCaseId: string }
  /** It cannot be reopened: its case group was deleted, and no case is open in a deleted group. */
  | { readonly kind: 'group_deleted' }

/**
 * Moves a case by the table of moves in case-state.ts, with its history row, its key and the
 * `resolved` flag of its events. Takes the correlation lock where the move may end or reopen it.
 */
export async function moveCase(
  tx: Tx,
  deps: CaseMoveDeps,
  scope: TenantScope,
  request: CaseMoveRequest,
): Promise<CaseMoveResult> {
  const current = (await lockForMoves(tx, scope, [request])).get(request.caseId)
  if (current === undefined) return { kind: 'not_found' }
  return await moveLocked(tx, deps, scope, request, current)
}

async function moveLocked(
  tx: Tx,
  { ids, markEventsResolved, noteWithdrawals }: CaseMoveDeps,
  scope: TenantScope,
  request: CaseMoveRequest,
  current: CaseRow,
): Promise<CaseMoveResult> {
  if (request.expectedVersion !== null && request.expectedVersion !== current.version) {
    return { kind: 'stale', version: current.version }
  }
  const decision = decideMoveOf(current, request)
  if (decision.kind === 'unchanged') return { kind: 'unchanged', case: current }
  if (decision.kind !== 'move') return decision
  const refusal = decision.isReopening ? await refuseReopening(tx, scope, current) : null
  if (refusal !== null) return refusal
  const moved = await writeMove(tx, current, decision, request.at)
  if (decision.key === 'claim') await takeFreeKeys(tx, scope, current.id)
  if (decision.key === 'release') await releaseKeysOfEnded(tx, scope, [current.id])
  const resolved = describeResolvedEvents(moved.id, decision, moved.resolved_at)
  if (resolved !== null) await markEventsResolved(tx, scope, [resolved])
  if (isWithdrawal(current, decision)) await noteWithdrawals(tx, scope, [current.id])
  await addHistory(tx, ids, scope, [
    {
      caseId: current.id,
      kind: 'move',
      fromState: decision.from,
      toState: decision.to,
      changes: describeMove(decision),
      ...pickOrigin(request),
    },
  ])
  return { kind: 'moved', case: moved }
}

/** The move of the case, or why it is refused; a key that is taken may refuse it later. */
export function decideMoveOf(
  current: CaseRow,
  request: Pick<CaseMoveRequest, 'target' | 'resolution' | 'closeReason' | 'mayReopen'>,
): MoveDecision {
  return decideMove(current.state, request.target, {
    ...(request.resolution ? { resolution: request.resolution } : {}),
    ...(request.closeReason ? { closeReason: request.closeReason } : {}),
    isMerged: current.close_reason === 'merged',
    mayReopen: request.mayReopen ?? true,
  })
}

/** Null when the case can be open again: its key is free, and its group exists. */
async function refuseReopening(
  tx: Tx,
  scope: TenantScope,
  current: CaseRow,
): Promise<CaseMoveResult | null> {
  const { case_group_id: caseGroupId, key_hash: keyHash } = current
  const key = { caseGroupId, keyHash: keyHash.toString('hex') }
  const openCaseId = await findOpenCase(tx, scope, key)
  if (openCaseId !== null && openCaseId !== current.id) {
    return { kind: 'key_has_open_case', openCaseId }
  }
  const groups = await lockExistingCaseGroups(tx, scope, [caseGroupId])
  return groups.has(caseGroupId) ? null : { kind: 'group_deleted' }
}

/** Whether the move makes the case a false positive, or ends that. */
export function isWithdrawal(current: CaseRow, { closeReason }: CaseMove): boolean {
  return (current.close_reason === 'false_positive') !== (closeReason === 'false_positive')
}

async function writeMove(tx: Tx, current: CaseRow, move: CaseMove, at: Date): Promise<CaseRow> {
  const moved = await seeTables<CaseTables>(tx)
    .updateTable('abuse_case')
    .set({ ...describeMovedRow(current, move, at), version: current.version + 1, updated_at: at })
    .where('tenant_id', '=', current.tenant_id)
    .where('id', '=', current.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await copyStates(tx, { tenantId: current.tenant_id }, [current.id])
  return moved
}

/** The columns of the case that a move changes, beside its version. */
export function describeMovedRow(current: CaseRow, move: CaseMove, at: Date) {
  return {
    state: move.to,
    resolution: move.to === 'CLOSED' ? current.resolution : move.resolution,
    close_reason: move.closeReason,
    resolved_at: decideResolvedAt(current, move, at),
    ended_at: isOpenState(move.to) ? null : (current.ended_at ?? at),
    reopen_count: current.reopen_count + (move.isReopening ? 1 : 0),
    waiting_on: decideWaitingOn(current, move),
    // A reopened case is the open case of its key again.
    sealed_at: move.isReopening ? null : current.sealed_at,
  }
}

/** An ended case waits for nobody. When it is reopened, its runs still wait where they were. */
function decideWaitingOn(current: CaseRow, move: CaseMove): WaitingOn {
  if (!isOpenState(move.to)) return 'none'
  return move.isReopening ? (current.run_waits_for ?? 'none') : current.waiting_on
}

// A case that is RESOLVED and then CLOSED keeps its time of resolution, and its earlier events stay
// resolved.
function decideResolvedAt(current: CaseRow, move: CaseMove, at: Date): Date | null {
  if (isOpenState(move.to)) return null
  return move.to === 'RESOLVED' ? at : current.resolved_at
}

/** The events that a move marks as resolved; null when it marks none. */
export function describeResolvedEvents(
  caseId: string,
  move: CaseMove,
  resolvedAt: Date | null,
): ResolvedCase | null {
  if (move.resolvesEvents === 'none') return null
  return { caseId, until: move.resolvesEvents === 'all' ? null : resolvedAt }
}

/** The changes that the history shows for a move, beside its states. */
export function describeMove(move: CaseMove): Record<string, unknown> | null {
  if (move.resolution !== null) return { resolution: move.resolution }
  return move.closeReason === null ? null : { close_reason: move.closeReason }
}
