// The change of a case that a person requests: the move first, then the members beside the state.
// Both happen or neither.

import { strict as assert } from 'node:assert'
import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import type { OperatingError } from '../../kernel/operating-error.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import {
  type CaseChangeResult,
  type CasePatch,
  type ChangeRefusal,
  changeCase,
} from './case-change-store.ts'
import { type CaseMoveDeps, type CaseMoveResult, moveCase } from './case-move-store.ts'
import type { CaseState, CloseReason, Resolution } from './case-state.ts'
import { findCase } from './case-store.ts'
import type { Actor, CaseRow } from './case-tables.ts'
import {
  caseGroupDeleted,
  caseIsMerged,
  caseNotFound,
  changeNotAllowed,
  changeNotValid,
  keyHasOpenCase,
  moveNotAllowed,
  versionIsStale,
} from './errors.ts'

/** What a request changes of a case. */
export interface CaseCommand {
  readonly move: {
    readonly target: CaseState
    readonly resolution: Resolution | null
    readonly closeReason: CloseReason | null
  } | null
  readonly patch: CasePatch
  readonly reason: string | null
  /** Null takes any version. */
  readonly expectedVersion: number | null
  readonly actor: Actor
  /** The id of the request. */
  readonly causeId: string
}

export interface CaseChangeDeps extends CaseMoveDeps {
  readonly db: Db
  readonly clock: Clock
}

/** The case afterwards. Throws the operating errors of 400, 404, 409 and 412. */
export async function applyCaseChange(
  deps: CaseChangeDeps,
  scope: TenantScope,
  caseId: string,
  command: CaseCommand,
): Promise<CaseRow> {
  const origin = {
    actor: command.actor,
    at: new Date(deps.clock.nowMs()),
    reason: command.reason,
    causeId: command.causeId,
  }
  return await inTransaction(deps.db, async (tx) => {
    let { expectedVersion } = command
    if (command.move !== null) {
      const before = await findState(tx, scope, caseId)
      const request = { ...origin, ...command.move, caseId, expectedVersion }
      const moved = readMove(await moveCase(tx, deps, scope, request), before, command.move.target)
      if (Object.keys(command.patch).length === 0) return moved
      // The move has locked the case, so this is still its version.
      expectedVersion = moved.version
    }
    const request = { ...origin, caseId, expectedVersion, patch: command.patch }
    return readChange(await changeCase(tx, deps.ids, scope, request))
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

/** The operating error of a change that is refused at any version. */
export function explainRefusal(reason: ChangeRefusal): OperatingError {
  switch (reason) {
    case 'case_is_merged':
      return caseIsMerged()
    case 'case_has_ended':
      return changeNotAllowed('waiting_on', 'an ended case waits for nobody; open it again first')
    case 'customer_was_notified':
      return changeNotAllowed('customer_status', 'the customer was notified already')
    case 'too_many_tags':
      return changeNotAllowed('tags', 'a case has at most 100')
    case 'metadata_too_large':
      return changeNotAllowed('metadata', 'it would be too large')
  }
}

// Only for the message of a refused move.
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
    case 'key_has_open_case':
      return keyHasOpenCase(result.openCaseId)
    case 'group_deleted':
      return caseGroupDeleted()
    default:
      return assert.fail(result satisfies never)
  }
}
