// One change to many cases, in one transaction: each case by the rules, locks and history of a
// single change, all of it or nothing. A preview does the same and takes it back, so that it cannot
// differ from the act.

import { strict as assert } from 'node:assert'
import { sql } from 'kysely'
import { inTransaction, type Tx } from '../../../kernel/db/database.ts'
import { type AnswerKey, keepAnswer, takeAnswerKey } from '../../../kernel/db/idempotency-store.ts'
import { idempotencyKeyReused } from '../../../kernel/errors.ts'
import type { Foundation } from '../../../kernel/foundation.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { OperatingError } from '../../../kernel/operating-error.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { type CaseWish, explainMove, explainRefusal } from '../apply-case-change.ts'
import { addComments, moveCases } from '../case-batch-store.ts'
import { changeCases, compareCases, previewChange } from '../case-change-store.ts'
import { lockCases, lockRows } from '../case-locks.ts'
import type { ChangeOrigin } from '../case-store.ts'
import type { CaseRow } from '../case-tables.ts'

export interface BulkWish extends Omit<CaseWish, 'expectedVersion'> {
  /** Canonical and different. */
  readonly caseIds: readonly string[]
  readonly comment: string | null
  readonly isPreview: boolean
  readonly answerKey: AnswerKey | null
}

export type BulkItem =
  | {
      readonly kind: 'changed' | 'unchanged'
      readonly version: number
      readonly changes: Record<string, unknown>
    }
  | { readonly kind: 'refused'; readonly error: OperatingError }
  | { readonly kind: 'not_found' }

/**
 * What `present` makes of the items, in the order of the ids. A repeat of a request with the same
 * key gives the first one's; a preview keeps none. Throws `idempotencyKeyReused`.
 */
export async function changeCasesOnRequest(
  { database, ids, clock }: Pick<Foundation, 'database' | 'ids' | 'clock'>,
  scope: TenantScope,
  wish: BulkWish,
  present: (items: readonly BulkItem[]) => unknown,
): Promise<unknown> {
  const origin: ChangeOrigin = {
    actor: wish.actor,
    at: new Date(clock.nowMs()),
    reason: wish.reason,
    causeId: wish.causeId,
  }
  return await inTransaction(database.kysely, async (tx) => {
    if (wish.isPreview) {
      await sql`savepoint preview`.execute(tx)
      const items = await changeAll(tx, ids, scope, wish, origin)
      await sql`rollback to savepoint preview`.execute(tx)
      return present(items)
    }
    if (wish.answerKey !== null) {
      const taken = await takeAnswerKey(tx, scope, wish.answerKey)
      if (taken.kind === 'other') throw idempotencyKeyReused()
      if (taken.kind === 'answered') return taken.answer
    }
    const answer = present(await changeAll(tx, ids, scope, wish, origin))
    if (wish.answerKey !== null) await keepAnswer(tx, scope, wish.answerKey, answer)
    return answer
  })
}

async function changeAll(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  wish: BulkWish,
  origin: ChangeOrigin,
): Promise<readonly BulkItem[]> {
  const before = await lockAll(tx, scope, wish)
  const refused = new Map<string, OperatingError>()
  for (const row of before.values()) {
    const reason = previewChange(row, wish.patch)
    if (reason !== null) refused.set(row.id, explainRefusal(reason))
  }
  const listAllowed = (): CaseRow[] => [...before.values()].filter(({ id }) => !refused.has(id))
  const { move } = wish
  if (move !== null) {
    const moving = listAllowed()
    const requests = moving.map(({ id }) => ({ ...origin, ...move, caseId: id }))
    const outcomes = await moveCases(tx, ids, scope, requests)
    for (const [at, row] of moving.entries()) {
      const outcome = outcomes[at]
      assert.ok(outcome !== undefined, 'every request has an outcome')
      if (outcome.kind === 'moved' || outcome.kind === 'unchanged') continue
      refused.set(row.id, explainMove(outcome, row.state, move.target))
    }
  }
  await changeAndComment(tx, ids, scope, wish, origin, listAllowed())
  const after = await lockRows(tx, scope, [...before.keys()])
  return wish.caseIds.map((id): BulkItem => {
    const [was, is, error] = [before.get(id), after.get(id), refused.get(id)]
    if (was === undefined || is === undefined) return { kind: 'not_found' }
    if (error !== undefined) return { kind: 'refused', error }
    const changes = compareCases(was, is)
    const isChanged = Object.keys(changes).length > 0 || wish.comment !== null
    return { kind: isChanged ? 'changed' : 'unchanged', version: is.version, changes }
  })
}

async function lockAll(
  tx: Tx,
  scope: TenantScope,
  { caseIds, move }: BulkWish,
): Promise<ReadonlyMap<string, CaseRow>> {
  if (move === null) return await lockRows(tx, scope, caseIds)
  return await lockCases(tx, scope, caseIds)
}

async function changeAndComment(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  wish: BulkWish,
  origin: ChangeOrigin,
  cases: readonly CaseRow[],
): Promise<void> {
  await changeCases(
    tx,
    ids,
    scope,
    cases.map(({ id }) => ({ ...origin, caseId: id, expectedVersion: null, patch: wish.patch })),
  )
  const { comment } = wish
  if (comment === null) return
  await addComments(
    tx,
    ids,
    scope,
    cases.map(({ id }) => ({ ...origin, caseId: id, text: comment })),
  )
}
