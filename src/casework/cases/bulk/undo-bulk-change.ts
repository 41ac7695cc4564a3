// POST /beta/casework/cases/bulk/{changeId}/undo: takes back what a bulk change did, in each case
// and member that nobody has changed since. The moves follow the table of moves, so the history
// shows the undo as changes of its own.

import { strict as assert } from 'node:assert'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import { inTransaction, type Tx } from '../../../kernel/db/database.ts'
import { scopeMissing } from '../../../kernel/errors.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { parseRecordId } from '../../../values/uuid.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { type CaseChangeDeps, explainMove, explainRefusal } from '../apply-case-change.ts'
import { moveCases } from '../case-batch-store.ts'
import { type CasePatch, changeCases, compareCases, previewChange } from '../case-change-store.ts'
import type { ChangeOrigin } from '../case-history-store.ts'
import { lockCases, lockRows } from '../case-locks.ts'
import type { CaseRow } from '../case-tables.ts'
import { bulkChangeNotFound, changeNotAllowed } from '../errors.ts'
import {
  type BulkChangeRecord,
  findChangedSince,
  keepUndo,
  listTakenChanges,
  lockBulkChange,
} from './bulk-change-store.ts'
import { UNDO_DAYS } from './bulk-change-wire.ts'
import { type CaseUndo, type KeptMember, planUndo } from './bulk-undo.ts'
import {
  BulkUndoRequest,
  BulkUndoResult,
  type CaseUndoResult,
  presentBulkUndo,
} from './bulk-undo-wire.ts'

export function undoBulkChangeRoute(deps: CaseChangeDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/cases/bulk/{changeId}/undo',
    group: 'casework',
    access: { kind: 'one-of', ways: [['cases:write'], ['cases:write', 'cases:transition']] },
    operationId: 'undoBulkChange',
    summary: 'Undo a bulk change',
    description: `Possible for ${UNDO_DAYS} days. A member of a case goes back when it is still as the bulk change left it, and the rules of cases allow it; comments stay. A repeat changes nothing and gives the same answer. An undone move needs the scope cases:transition too.`,
    params: Type.Object({
      changeId: Type.String({ description: '`change_id` in the answer of the bulk change.' }),
    }),
    query: Type.Object({
      preview: Type.Optional(
        Type.Boolean({ description: 'Says what would go back, and changes nothing.' }),
      ),
    }),
    body: BulkUndoRequest,
    responses: {
      200: {
        description: 'What went back in each case, and what did not.',
        schema: BulkUndoResult,
      },
      404: { description: `There is no such bulk change, or it is older than ${UNDO_DAYS} days.` },
    },
    async handle({ caller, params, query, body, requestId }) {
      const person = requireCaller(caller)
      const changeId = parseRecordId(params.changeId)
      if (changeId === null) throw bulkChangeNotFound(UNDO_DAYS)
      const reason = `Undo of the bulk change ${changeId}`
      const json = await undoBulkChange(deps, person, {
        changeId,
        isPreview: query.preview === true,
        mayMove: person.scopes.has('cases:transition'),
        actor: { kind: 'token', id: person.tokenId, name: person.name },
        reason: body.reason === undefined ? reason : `${reason}: ${body.reason}`,
        causeId: requestId,
      })
      return { status: 200, json }
    },
  })
}

interface UndoCommand extends Omit<ChangeOrigin, 'at'> {
  readonly changeId: string
  readonly isPreview: boolean
  readonly mayMove: boolean
}

async function undoBulkChange(
  deps: CaseChangeDeps,
  { tenantId }: TenantScope,
  { changeId, isPreview, mayMove, ...origin }: UndoCommand,
): Promise<unknown> {
  const scope = { tenantId }
  const at = new Date(deps.clock.nowMs())
  return await inTransaction(deps.db, async (tx) => {
    const change = await lockBulkChange(tx, scope, changeId, at)
    if (change === null) throw bulkChangeNotFound(UNDO_DAYS)
    if (change.hasMove && !mayMove) throw scopeMissing('cases:transition')
    if (change.undone !== null) return change.undone
    if (isPreview) await sql`savepoint preview`.execute(tx)
    const cases = await undoAll(tx, deps, scope, change, { ...origin, at })
    const answer = presentBulkUndo(changeId, isPreview, cases)
    if (isPreview) await sql`rollback to savepoint preview`.execute(tx)
    else await keepUndo(tx, scope, changeId, answer)
    return answer
  })
}

interface PlannedUndo extends Omit<CaseUndo, 'kept'> {
  readonly before: CaseRow
  readonly kept: KeptMember[]
}

async function undoAll(
  tx: Tx,
  deps: CaseChangeDeps,
  scope: TenantScope,
  change: BulkChangeRecord,
  origin: ChangeOrigin,
): Promise<readonly CaseUndoResult[]> {
  const taken = await listTakenChanges(tx, scope, change.id)
  const caseIds = taken.map(({ caseId }) => caseId)
  const lock = change.hasMove ? lockCases : lockRows
  const rows = await lock(tx, scope, caseIds)
  const changedSince = await findChangedSince(tx, scope, change.id, caseIds)
  const planned = taken.flatMap((one): readonly PlannedUndo[] => {
    const before = rows.get(one.caseId)
    if (before === undefined) return []
    const { kept, ...undo } = planUndo(before, one, changedSince.get(one.caseId) ?? new Set())
    return [{ ...undo, before, kept: change.hasComment ? [...kept, KEPT_COMMENT] : [...kept] }]
  })
  await moveBack(tx, deps, scope, origin, planned)
  const moved = await lockRows(tx, scope, caseIds)
  await changeBack(tx, deps, scope, origin, planned, moved)
  const after = await lockRows(tx, scope, caseIds)
  const undone = new Map(planned.map((one) => [one.before.id, describeUndo(one, after)]))
  return caseIds.map((id) => undone.get(id) ?? { id, kind: 'not_found' })
}

const KEPT_COMMENT: KeptMember = {
  member: 'comment',
  error: changeNotAllowed('comment', 'a comment is never taken back'),
}

async function moveBack(
  tx: Tx,
  deps: CaseChangeDeps,
  scope: TenantScope,
  origin: ChangeOrigin,
  planned: readonly PlannedUndo[],
): Promise<void> {
  const moving = planned.flatMap(({ before, move, kept }) =>
    move === null ? [] : [{ before, move, kept }],
  )
  const requests = moving.map(({ before, move }) => ({ ...origin, ...move, caseId: before.id }))
  const outcomes = await moveCases(tx, deps, scope, requests)
  for (const [at, { before, move, kept }] of moving.entries()) {
    const outcome = outcomes[at]
    assert.ok(outcome !== undefined, 'every request has an outcome')
    if (outcome.kind === 'moved' || outcome.kind === 'unchanged') continue
    kept.push({ member: 'state', error: explainMove(outcome, before.state, move.target) })
  }
}

/** Each member is checked alone; those that may go back do so with one row of history. */
async function changeBack(
  tx: Tx,
  { ids }: CaseChangeDeps,
  scope: TenantScope,
  origin: ChangeOrigin,
  planned: readonly PlannedUndo[],
  rows: ReadonlyMap<string, CaseRow>,
): Promise<void> {
  const requests = planned.flatMap(({ before, patches, kept }) => {
    const row = rows.get(before.id)
    assert.ok(row !== undefined, 'a locked case is there')
    let patch: CasePatch = {}
    for (const one of patches) {
      const refusal = previewChange(row, one.patch)
      if (refusal === null) patch = { ...patch, ...one.patch }
      else kept.push({ member: one.member, error: explainRefusal(refusal) })
    }
    const request = { ...origin, caseId: before.id, expectedVersion: null, patch }
    return Object.keys(patch).length === 0 ? [] : [request]
  })
  const results = await changeCases(tx, ids, scope, requests)
  assert.ok(results.every(({ kind }) => kind === 'changed' || kind === 'unchanged'))
}

function describeUndo(
  { before, kept }: PlannedUndo,
  rows: ReadonlyMap<string, CaseRow>,
): CaseUndoResult {
  const after = rows.get(before.id)
  assert.ok(after !== undefined, 'a locked case is there')
  const changes = compareCases(before, after)
  const { id } = before
  const hasChanges = Object.keys(changes).length > 0
  const kindOfRest = hasChanges ? 'partly_undone' : 'kept'
  const kind = kept.length === 0 ? 'undone' : kindOfRest
  return { id, kind, version: after.version, changes, kept }
}
