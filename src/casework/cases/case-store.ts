// Changes to one case: every one compares the version, writes a history row in the same
// transaction, and keeps its correlation key true to the state (an open case has its key, an ended
// one has none). Locks are those of case-locks.ts.

import { sql } from 'kysely'
import { type Db, seeTables, type Tx } from '../../kernel/db/database.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { addHistory } from './case-history-store.ts'
import { holdCaseGroups, lockCases } from './case-locks.ts'
import {
  type CaseMove,
  type CaseState,
  type CloseReason,
  decideMove,
  type IllegalMove,
  isOpenState,
  type Resolution,
} from './case-state.ts'
import type { Actor, CaseRow, CaseTables } from './case-tables.ts'
import { copyStates } from './lists/last-event-store.ts'
import { findOpenCase, releaseKeysOfEnded, takeFreeKeys } from './open-case-store.ts'

/**
 * The case, or null when the tenant has none of that id (given in canonical form, see
 * `parseCaseId`).
 */
export async function findCase(
  db: Db,
  scope: TenantScope,
  caseId: string,
): Promise<CaseRow | null> {
  const row = await seeTables<CaseTables>(db)
    .selectFrom('abuse_case')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', caseId)
    .executeTakeFirst()
  return row ?? null
}

/** What every change says of itself. */
export interface ChangeOrigin {
  readonly actor: Actor
  readonly at: Date
  readonly reason?: string | null
  /** What led to it: a request id, or `run:token:visit`. */
  readonly causeId?: string | null
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
  | { readonly kind: 'slot_taken'; readonly openCaseId: string }
  /** It cannot be reopened: nothing is open in a group that is gone. */
  | { readonly kind: 'group_deleted' }

/**
 * Moves a case by the table of casework/cases/case-state.ts, with history, slot and the `resolved`
 * flag of its events.
 */
export async function moveCase(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  request: CaseMoveRequest,
): Promise<CaseMoveResult> {
  const current = (await lockCases(tx, scope, [request.caseId])).get(request.caseId)
  if (current === undefined) return { kind: 'not_found' }
  return await moveLocked(tx, ids, scope, request, current)
}

async function moveLocked(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  request: CaseMoveRequest,
  current: CaseRow,
): Promise<CaseMoveResult> {
  if (request.expectedVersion !== null && request.expectedVersion !== current.version) {
    return { kind: 'stale', version: current.version }
  }
  const decision = decideMove(current.state, request.target, {
    ...(request.resolution ? { resolution: request.resolution } : {}),
    ...(request.closeReason ? { closeReason: request.closeReason } : {}),
    isMerged: current.close_reason === 'merged',
    mayReopen: request.mayReopen ?? true,
  })
  if (decision.kind === 'unchanged') return { kind: 'unchanged', case: current }
  if (decision.kind !== 'move') return decision
  if (decision.slot === 'claim') {
    const { case_group_id: caseGroupId, key_hash: keyHash } = current
    const key = { caseGroupId, keyHash: keyHash.toString('hex') }
    const openCaseId = await findOpenCase(tx, scope, key)
    if (openCaseId !== null && openCaseId !== current.id) return { kind: 'slot_taken', openCaseId }
  }
  if (decision.isReopening && !(await hasGroup(tx, current))) return { kind: 'group_deleted' }
  const moved = await writeMove(tx, current, decision, request.at)
  if (decision.slot === 'claim') await takeFreeKeys(tx, scope, current.id)
  if (decision.slot === 'release') await releaseKeysOfEnded(tx, scope, [current.id])
  await settleEvents(tx, moved, decision)
  await addHistory(tx, ids, { tenantId: current.tenant_id }, [
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

async function hasGroup(tx: Tx, { tenant_id: tenantId, case_group_id: groupId }: CaseRow) {
  return (await holdCaseGroups(tx, { tenantId }, [groupId])).has(groupId)
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

/** What a move changes in the row of a case, beside its version. */
export function describeMovedRow(current: CaseRow, move: CaseMove, at: Date) {
  return {
    state: move.to,
    resolution: move.to === 'CLOSED' ? current.resolution : move.resolution,
    close_reason: move.closeReason,
    resolved_at: decideResolvedAt(current, move, at),
    ended_at: isOpenState(move.to) ? null : (current.ended_at ?? at),
    reopen_count: current.reopen_count + (move.isReopening ? 1 : 0),
    // An ended case waits for nobody.
    waiting_on: isOpenState(move.to) ? current.waiting_on : ('none' as const),
    // Whoever opens a case again has its slot.
    sealed_at: move.isReopening ? null : current.sealed_at,
  }
}

// A resolved case that is closed afterwards was resolved all the same: what had happened until then
// stays settled.
function decideResolvedAt(current: CaseRow, move: CaseMove, at: Date): Date | null {
  if (isOpenState(move.to)) return null
  return move.to === 'RESOLVED' ? at : current.resolved_at
}

async function settleEvents(tx: Tx, moved: CaseRow, move: CaseMove): Promise<void> {
  if (move.resolvesEvents === 'none') return
  const until = move.resolvesEvents === 'all' ? null : moved.resolved_at
  await sql`
    update event set resolved = true
    where tenant_id = ${moved.tenant_id} and case_id = ${moved.id} and not resolved
      and (${until}::timestamptz is null or event_date <= ${until}::timestamptz)`.execute(tx)
}

/** What the history tells of a move beside its states. */
export function describeMove(move: CaseMove): Record<string, unknown> | null {
  if (move.resolution !== null) return { resolution: move.resolution }
  return move.closeReason === null ? null : { close_reason: move.closeReason }
}

export interface NewComment extends ChangeOrigin {
  readonly caseId: string
  readonly text: string
}

export interface CommentRecord {
  readonly id: string
  readonly text: string
  readonly author: string
  readonly createdAt: Date
}

/** Adds a comment and its history row; the caller has made sure that the case is the tenant's. */
export async function addComment(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  comment: NewComment,
): Promise<CommentRecord> {
  const id = ids.nextUuid()
  await seeTables<CaseTables>(tx)
    .insertInto('case_comment')
    .values({
      tenant_id: scope.tenantId,
      case_id: comment.caseId,
      id,
      text: comment.text,
      author: comment.actor.name,
      created_at: comment.at,
    })
    .execute()
  await addHistory(tx, ids, scope, [
    {
      caseId: comment.caseId,
      kind: 'comment',
      changes: { comment_id: id },
      ...pickOrigin(comment),
    },
  ])
  return { id, text: comment.text, author: comment.actor.name, createdAt: comment.at }
}

export function pickOrigin(origin: ChangeOrigin): Required<ChangeOrigin> {
  return {
    actor: origin.actor,
    at: origin.at,
    reason: origin.reason ?? null,
    causeId: origin.causeId ?? null,
  }
}
