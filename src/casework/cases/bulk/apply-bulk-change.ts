// One change of many cases, in one transaction. Each case follows the rules, locks and history of a
// single change. A preview makes the same changes and rolls them back, so that it cannot differ
// from the real change. What it did is stored for some days, so that it can be undone.

import { strict as assert } from 'node:assert'
import { sql } from 'kysely'
import { inTransaction, type Tx } from '../../../kernel/db/database.ts'
import { type AnswerKey, keepAnswer, takeAnswerKey } from '../../../kernel/db/idempotency-store.ts'
import { idempotencyKeyReused } from '../../../kernel/errors.ts'
import type { OperatingError } from '../../../kernel/operating-error.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import {
  type CaseChangeDeps,
  type CaseCommand,
  explainMove,
  explainRefusal,
} from '../apply-case-change.ts'
import { moveCases } from '../case-batch-store.ts'
import { changeCases, compareCases, previewChange } from '../case-change-store.ts'
import type { ChangeOrigin } from '../case-history-store.ts'
import { lockCases, lockRows } from '../case-locks.ts'
import { decideMoveOf, describeMovedRow } from '../case-move-store.ts'
import type { CaseRow } from '../case-tables.ts'
import { addComments } from '../comments/comment-store.ts'
import { insertBulkChange } from './bulk-change-store.ts'
import { describeTakenMove, pickMembers, type TakenChange } from './bulk-undo.ts'

/** What one request changes of all of its cases. */
export interface BulkCommand extends Omit<CaseCommand, 'expectedVersion'> {
  /** In canonical form, each once. */
  readonly caseIds: readonly string[]
  readonly comment: string | null
  readonly isPreview: boolean
  readonly answerKey: AnswerKey | null
}

/** The outcome for one case. */
export type ChangedCase =
  | {
      readonly kind: 'changed' | 'unchanged'
      readonly version: number
      readonly changes: Record<string, unknown>
    }
  | { readonly kind: 'refused'; readonly error: OperatingError }
  | { readonly kind: 'not_found' }

/** The outcomes in the order of the ids, and the id by which the change can be undone. */
interface BulkOutcomes {
  readonly items: readonly ChangedCase[]
  /** Null when nothing was changed. */
  readonly changeId: string | null
}

/**
 * The answer that `present` makes of the outcomes. A repeat of a
 * request with the same idempotency key gives the answer of the first; a preview stores no answer.
 * Throws `idempotencyKeyReused`.
 */
export async function applyBulkChange(
  deps: CaseChangeDeps,
  scope: TenantScope,
  command: BulkCommand,
  present: (outcomes: BulkOutcomes) => unknown,
): Promise<unknown> {
  const origin: ChangeOrigin = {
    actor: command.actor,
    at: new Date(deps.clock.nowMs()),
    reason: command.reason,
    causeId: command.causeId,
  }
  return await inTransaction(deps.db, async (tx) => {
    if (command.isPreview) {
      await sql`savepoint preview`.execute(tx)
      const { items } = await changeAll(tx, deps, scope, command, origin)
      await sql`rollback to savepoint preview`.execute(tx)
      return present({ items, changeId: null })
    }
    if (command.answerKey !== null) {
      const taken = await takeAnswerKey(tx, scope, command.answerKey)
      if (taken.kind === 'other') throw idempotencyKeyReused()
      if (taken.kind === 'answered') return taken.answer
    }
    const { items, taken } = await changeAll(tx, deps, scope, command, origin)
    const changeId = await keepForUndo(tx, deps, scope, command, { at: origin.at, taken })
    const answer = present({ items, changeId })
    if (command.answerKey !== null) await keepAnswer(tx, scope, command.answerKey, answer)
    return answer
  })
}

async function changeAll(
  tx: Tx,
  deps: CaseChangeDeps,
  scope: TenantScope,
  command: BulkCommand,
  origin: ChangeOrigin,
): Promise<{ readonly items: readonly ChangedCase[]; readonly taken: readonly TakenChange[] }> {
  const before = await lockAll(tx, scope, command)
  // Checked before the moves: a case whose members are refused is not moved either.
  const refused = findRefusals(before, command, origin.at)
  const listAllowed = (): CaseRow[] => [...before.values()].filter(({ id }) => !refused.has(id))
  const refusedMoves = await moveAll(tx, deps, scope, command, origin, listAllowed())
  for (const [id, error] of refusedMoves) refused.set(id, error)
  await changeAndComment(tx, deps, scope, command, origin, listAllowed())
  const after = await lockRows(tx, scope, [...before.keys()])
  const taken: TakenChange[] = []
  const items = command.caseIds.map((id): ChangedCase => {
    const [was, is, error] = [before.get(id), after.get(id), refused.get(id)]
    if (was === undefined || is === undefined) return { kind: 'not_found' }
    if (error !== undefined) return { kind: 'refused', error }
    const changes = compareCases(was, is)
    const isChanged = Object.keys(changes).length > 0 || command.comment !== null
    if (isChanged) {
      taken.push({ caseId: id, changes: pickMembers(changes), move: describeTakenMove(was, is) })
    }
    return { kind: isChanged ? 'changed' : 'unchanged', version: is.version, changes }
  })
  return { items, taken }
}

/** By id: the cases whose members cannot change so, as the move would leave the case. */
function findRefusals(
  rows: ReadonlyMap<string, CaseRow>,
  { move, patch }: BulkCommand,
  at: Date,
): Map<string, OperatingError> {
  const refused = new Map<string, OperatingError>()
  for (const row of rows.values()) {
    const reason = previewChange(previewMove(row, move, at), patch)
    if (reason !== null) refused.set(row.id, explainRefusal(reason))
  }
  return refused
}

/** Returns by id the cases whose move was refused. */
async function moveAll(
  tx: Tx,
  deps: CaseChangeDeps,
  scope: TenantScope,
  { move }: BulkCommand,
  origin: ChangeOrigin,
  cases: readonly CaseRow[],
): Promise<ReadonlyMap<string, OperatingError>> {
  const refused = new Map<string, OperatingError>()
  if (move === null) return refused
  const requests = cases.map(({ id }) => ({ ...origin, ...move, caseId: id }))
  const outcomes = await moveCases(tx, deps, scope, requests)
  for (const [at, row] of cases.entries()) {
    const outcome = outcomes[at]
    assert.ok(outcome !== undefined, 'every request has an outcome')
    if (outcome.kind === 'moved' || outcome.kind === 'unchanged') continue
    refused.set(row.id, explainMove(outcome, row.state, move.target))
  }
  return refused
}

/** Returns the id of the change; null when there is nothing to undo. */
async function keepForUndo(
  tx: Tx,
  { ids }: CaseChangeDeps,
  scope: TenantScope,
  { comment }: BulkCommand,
  { at, taken }: { readonly at: Date; readonly taken: readonly TakenChange[] },
): Promise<string | null> {
  if (taken.length === 0) return null
  const hasMove = taken.some(({ move }) => move !== null)
  // Made after the history of the change, so every later entry has a greater id (findChangedSince).
  const id = ids.nextUuid()
  await insertBulkChange(tx, scope, { id, at, hasMove, hasComment: comment !== null, cases: taken })
  return id
}

/** The case as the move would leave it. Unchanged where it is refused: `moveAll` reports that. */
function previewMove(row: CaseRow, move: CaseCommand['move'], at: Date): CaseRow {
  if (move === null) return row
  const decision = decideMoveOf(row, move)
  return decision.kind === 'move' ? { ...row, ...describeMovedRow(row, decision, at) } : row
}

async function lockAll(
  tx: Tx,
  scope: TenantScope,
  { caseIds, move }: BulkCommand,
): Promise<ReadonlyMap<string, CaseRow>> {
  if (move === null) return await lockRows(tx, scope, caseIds)
  return await lockCases(tx, scope, caseIds)
}

async function changeAndComment(
  tx: Tx,
  { ids }: CaseChangeDeps,
  scope: TenantScope,
  command: BulkCommand,
  origin: ChangeOrigin,
  cases: readonly CaseRow[],
): Promise<void> {
  const results = await changeCases(
    tx,
    ids,
    scope,
    cases.map(({ id }) => ({ ...origin, caseId: id, expectedVersion: null, patch: command.patch })),
  )
  // Nothing that is answered as changed may be left out: refusals were decided before.
  assert.ok(results.every(({ kind }) => kind === 'changed' || kind === 'unchanged'))
  const { comment } = command
  if (comment === null) return
  await addComments(
    tx,
    ids,
    scope,
    cases.map(({ id }) => ({ ...origin, caseId: id, text: comment })),
  )
}
