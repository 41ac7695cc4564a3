// What an undo of a bulk change does to one case: pure. A member goes back when it is still as the
// bulk change left it; whatever was changed since stays as it is.

import { isDeepStrictEqual } from 'node:util'
import type { OperatingError } from '../../../kernel/operating-error.ts'
import type { CasePatch } from '../case-change-store.ts'
import { type CaseState, type CloseReason, isOpenState, type Resolution } from '../case-state.ts'
import type { CaseRow } from '../case-tables.ts'
import { changeNotAllowed, moveNotAllowed, versionIsStale } from '../errors.ts'

/** The members beside the state that a bulk change can change, and their names in a patch. */
const PATCH_NAMES = {
  severity: 'severity',
  assignee_user_id: 'assigneeUserId',
  metadata: 'metadata',
  waiting_on: 'waitingOn',
  customer_status: 'customerStatus',
  tags: 'tags',
  aware_at: 'awareAt',
  deadline_at: 'deadlineAt',
  deadlines_met: 'deadlinesMet',
} as const satisfies Partial<Record<keyof CaseRow, keyof CasePatch>>

type UndoneMember = keyof typeof PATCH_NAMES

/** The move of a bulk change, with what an undo needs to know of the case before and after. */
interface TakenMove {
  readonly from: CaseState
  readonly to: CaseState
  readonly resolutionBefore: Resolution | null
  readonly closeReasonBefore: CloseReason | null
  readonly resolutionAfter: Resolution | null
  readonly closeReasonAfter: CloseReason | null
  readonly resolvedAt: string | null
  readonly reopenCount: number
}

/** What a bulk change did to one case. */
export interface TakenChange {
  readonly caseId: string
  readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>
  readonly move: TakenMove | null
}

/** A member that stays as it is, and the error that says why. */
export interface KeptMember {
  readonly member: string
  readonly error: OperatingError
}

interface UndoMove {
  readonly target: CaseState
  readonly resolution: Resolution | null
  readonly closeReason: CloseReason | null
}

export interface CaseUndo {
  readonly move: UndoMove | null
  /** One patch for each member, so that one that is refused does not keep the others. */
  readonly patches: readonly { readonly member: UndoneMember; readonly patch: CasePatch }[]
  readonly kept: readonly KeptMember[]
}

/** The members of a comparison of two versions of a case that a patch can change. */
export function pickMembers(changes: Readonly<Record<string, unknown>>): TakenChange['changes'] {
  // compareCases gives these pairs.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(
    Object.entries(changes).filter(([name]) => isUndoneMember(name)),
  ) as TakenChange['changes']
}

/** The move of `before` to `after`; null when the state is the same. */
export function describeTakenMove(before: CaseRow, after: CaseRow): TakenMove | null {
  if (before.state === after.state) return null
  return {
    from: before.state,
    to: after.state,
    resolutionBefore: before.resolution,
    closeReasonBefore: before.close_reason,
    resolutionAfter: after.resolution,
    closeReasonAfter: after.close_reason,
    resolvedAt: after.resolved_at?.toISOString() ?? null,
    reopenCount: after.reopen_count,
  }
}

/** `changedSince`: the members that the history shows as changed after the bulk change. */
export function planUndo(
  row: CaseRow,
  { changes, move }: TakenChange,
  changedSince: ReadonlySet<string>,
): CaseUndo {
  const kept: KeptMember[] = []
  const patches: { member: UndoneMember; patch: CasePatch }[] = []
  const undoMove = move === null ? null : planMove(row, move, kept)
  for (const [member, { from, to }] of Object.entries(changes)) {
    if (!isUndoneMember(member) || isSame(row[member], from)) continue
    if (member === 'waiting_on' && isLeftToRun(row, undoMove)) continue
    if (changedSince.has(member) || !isSame(row[member], to)) {
      kept.push({ member, error: versionIsStale() })
    } else patches.push({ member, patch: buildPatch(member, from) })
  }
  return { move: undoMove, patches, kept }
}

function planMove(row: CaseRow, move: TakenMove, kept: KeptMember[]): UndoMove | null {
  if (row.state === move.from) return null
  const isStill =
    row.state === move.to &&
    row.reopen_count === move.reopenCount &&
    row.resolution === move.resolutionAfter &&
    row.close_reason === move.closeReasonAfter &&
    (row.resolved_at?.toISOString() ?? null) === move.resolvedAt
  if (!isStill) {
    kept.push({ member: 'state', error: versionIsStale() })
    return null
  }
  // NEW means that no person has looked at the case yet, which is past; it is worked on again.
  const target = move.from === 'NEW' ? 'IN_PROGRESS' : move.from
  if (target === row.state) {
    kept.push({ member: 'state', error: moveNotAllowed(row.state, move.from) })
    return null
  }
  if (target === 'CLOSED' && move.resolutionBefore !== null) {
    const why = 'the case was opened again, and a case is closed without the old resolution'
    kept.push({ member: 'resolution', error: changeNotAllowed('resolution', why) })
  }
  return {
    target,
    resolution: target === 'RESOLVED' ? move.resolutionBefore : null,
    closeReason: target === 'CLOSED' ? move.closeReasonBefore : null,
  }
}

/** A case that is opened again waits for whom its run waits for; the move sets that. */
function isLeftToRun(row: CaseRow, undoMove: UndoMove | null): boolean {
  return row.run_waits_for !== null && undoMove !== null && isOpenState(undoMove.target)
}

function isUndoneMember(name: string): name is UndoneMember {
  return Object.hasOwn(PATCH_NAMES, name)
}

/** As JSON, in which a time of a row and one of a stored change are the same text. */
function isSame(present: unknown, stored: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(present)), stored)
}

function buildPatch(member: UndoneMember, from: unknown): CasePatch {
  const isTime = member === 'aware_at' || member === 'deadline_at'
  const value = isTime && typeof from === 'string' ? new Date(from) : from
  // The value is one that the case had, so it has the type of its member.
  return { [PATCH_NAMES[member]]: value }
}
