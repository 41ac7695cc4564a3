// A change that a person asks for: the move first, then what stands beside the state, both or
// neither.

import { strict as assert } from 'node:assert'
import { inTransaction, type Tx } from '../../kernel/db/database.ts'
import type { Foundation } from '../../kernel/foundation.ts'
import type { OperatingError } from '../../kernel/operating-error.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import {
  type CaseChangeResult,
  type CasePatch,
  type ChangeRefusal,
  changeCase,
} from './case-change-store.ts'
import type { CaseState, CloseReason, Resolution } from './case-state.ts'
import { type CaseMoveResult, findCase, moveCase } from './case-store.ts'
import type { Actor, CaseRow } from './case-tables.ts'
import {
  caseGroupDeleted,
  caseIsMerged,
  caseNotFound,
  changeNotAllowed,
  changeNotValid,
  moveNotAllowed,
  slotIsTaken,
  versionIsStale,
} from './errors.ts'

export interface CaseWish {
  readonly move: {
    readonly target: CaseState
    readonly resolution: Resolution | null
    readonly closeReason: CloseReason | null
  } | null
  readonly patch: CasePatch
  readonly reason: string | null
  /** Null takes the case as it is. */
  readonly expectedVersion: number | null
  readonly actor: Actor
  /** The request. */
  readonly causeId: string
}

/** The case afterwards. Throws the operating errors of 400, 404, 409 and 412. */
export async function changeCaseOnRequest(
  { database, ids, clock }: Pick<Foundation, 'database' | 'ids' | 'clock'>,
  scope: TenantScope,
  caseId: string,
  wish: CaseWish,
): Promise<CaseRow> {
  const origin = {
    actor: wish.actor,
    at: new Date(clock.nowMs()),
    reason: wish.reason,
    causeId: wish.causeId,
  }
  return await inTransaction(database.kysely, async (tx) => {
    let { expectedVersion } = wish
    if (wish.move !== null) {
      const before = await findState(tx, scope, caseId)
      const request = { ...origin, ...wish.move, caseId, expectedVersion }
      const moved = readMove(await moveCase(tx, ids, scope, request), before, wish.move.target)
      if (Object.keys(wish.patch).length === 0) return moved
      // Locked by the move, so nobody else can have raised it since.
      expectedVersion = moved.version
    }
    const request = { ...origin, caseId, expectedVersion, patch: wish.patch }
    return readChange(await changeCase(tx, ids, scope, request))
  })
}

function readChange(result: CaseChangeResult): CaseRow {
  switch (result.kind) {
    case 'changed':
    case 'unchanged':
      return result.case
    case 'not_found':
      throw caseNotFound()
    case 'stale':
      throw versionIsStale()
    case 'refused':
      throw explainRefusal(result.reason)
    default:
      return assert.fail(result satisfies never)
  }
}

/** The operating error of a change that is refused whatever the version. */
export function explainRefusal(reason: ChangeRefusal): OperatingError {
  switch (reason) {
    case 'case_is_merged':
      return caseIsMerged()
    case 'case_has_ended':
      return changeNotAllowed('waiting_on', 'an ended case waits for nobody; open it again first')
    case 'customer_was_notified':
      return changeNotAllowed('customer_status', 'the customer was told already')
    case 'too_many_tags':
      return changeNotAllowed('tags', 'a case has at most 100')
  }
}

// Only for the sentence of a refusal.
async function findState(tx: Tx, scope: TenantScope, caseId: string): Promise<CaseState> {
  const found = await findCase(tx, scope, caseId)
  if (found === null) throw caseNotFound()
  return found.state
}

function readMove(result: CaseMoveResult, before: CaseState, target: CaseState): CaseRow {
  if (result.kind === 'moved' || result.kind === 'unchanged') return result.case
  throw explainMove(result, before, target)
}

/** The operating error of a move that was refused. */
export function explainMove(
  result: Exclude<CaseMoveResult, { kind: 'moved' | 'unchanged' }>,
  before: CaseState,
  target: CaseState,
): OperatingError {
  switch (result.kind) {
    case 'not_found':
      return caseNotFound()
    case 'stale':
      return versionIsStale()
    case 'illegal':
      return result.reason === 'case_is_merged' ? caseIsMerged() : moveNotAllowed(before, target)
    case 'incomplete':
      return changeNotValid({
        path: `/${result.missing}`,
        reason: `is missing; a move to ${target} needs it`,
      })
    case 'slot_taken':
      return slotIsTaken(result.openCaseId)
    case 'group_deleted':
      return caseGroupDeleted()
    default:
      return assert.fail(result satisfies never)
  }
}
