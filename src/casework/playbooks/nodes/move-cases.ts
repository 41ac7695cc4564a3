// Moves the cases of Set State, Resolve and Close nodes. All moves of one tenant are made together,
// so that every transaction locks cases in the same order.

import { Type } from 'typebox'
import type { Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { type CaseMoveOutcome, moveCases } from '../../cases/case-batch-store.ts'
import {
  CloseReason as CloseReasonSchema,
  Resolution as ResolutionSchema,
} from '../../cases/case-detail-wire.ts'
import { needsCorrelationLock } from '../../cases/case-locks.ts'
import type { CaseState, CloseReason, Resolution } from '../../cases/case-state.ts'
import { lockCorrelation, tryLockCorrelation } from '../../cases/open-case-store.ts'
import type { ApplyDeps, Due, Outcome } from '../node-kind.ts'

export const ResolutionMember = Type.Optional(
  Type.Union(ResolutionSchema.anyOf, {
    description: 'How a resolved case was settled; handled when left out.',
  }),
)
export const CloseReasonMember = Type.Optional(
  Type.Union(CloseReasonSchema.anyOf, { description: 'Why a case is closed.' }),
)

export interface PlaybookMove {
  readonly target: Exclude<CaseState, 'NEW'>
  /** Set exactly for RESOLVED. */
  readonly resolution: Resolution | null
  /** Set exactly for CLOSED. */
  readonly closeReason: CloseReason | null
  /** True: an ended case is opened again. False: the run ends at an ended case. */
  readonly mayReopen: boolean
}

/**
 * The outcomes in the order of the moves. Moves that may end or reopen a case are put off where the
 * transaction has locked cases and somebody else has the correlation lock: intake waits for cases
 * while it has that lock, and a batch would keep it during all of its steps.
 */
export async function moveByPlaybook(
  tx: Tx,
  deps: ApplyDeps,
  dues: readonly Due<PlaybookMove>[],
): Promise<readonly Outcome[]> {
  const [first] = dues
  if (first === undefined) return []
  const isFree = await lockWhereNeeded(tx, deps, dues)
  const taken = isFree ? dues : dues.filter(({ config }) => !needsCorrelationLock(config))
  const outcomes = (await moveTogether(tx, deps, first.scope, taken)).values()
  return dues.map((due) =>
    taken.includes(due) ? (outcomes.next().value ?? { kind: 'busy' }) : { kind: 'busy' },
  )
}

/** False: another transaction has the correlation lock, and this one must not wait for it. */
async function lockWhereNeeded(
  tx: Tx,
  { isFirst }: ApplyDeps,
  dues: readonly Due<PlaybookMove>[],
): Promise<boolean> {
  const needing = dues.find(({ config }) => needsCorrelationLock(config))
  if (needing === undefined) return true
  if (!isFirst) return await tryLockCorrelation(tx, needing.scope)
  await lockCorrelation(tx, needing.scope)
  return true
}

async function moveTogether(
  tx: Tx,
  deps: ApplyDeps,
  scope: TenantScope,
  dues: readonly Due<PlaybookMove>[],
): Promise<readonly Outcome[]> {
  const at = new Date(deps.clock.nowMs())
  const requests = dues.map(({ caseId, actor, key, config }) => ({
    caseId,
    target: config.target,
    resolution: config.resolution,
    closeReason: config.closeReason,
    mayReopen: config.mayReopen,
    actor,
    at,
    causeId: key,
  }))
  const outcomes = await moveCases(tx, deps, scope, requests)
  return outcomes.map((outcome, index) => explain(outcome, dues[index]?.config.target))
}

function explain(outcome: CaseMoveOutcome, state: CaseState | undefined): Outcome {
  switch (outcome.kind) {
    case 'moved':
    case 'unchanged':
      return { kind: 'done', output: { state, moved: outcome.kind === 'moved' } }
    case 'illegal':
      if (outcome.reason === 'case_has_ended') return { kind: 'over', reason: outcome.reason }
      return { kind: 'refused', reason: outcome.reason }
    case 'key_has_open_case':
      return { kind: 'refused', reason: 'other_case_is_open' }
    case 'group_deleted':
      return { kind: 'refused', reason: 'case_group_was_deleted' }
    case 'not_found':
      return { kind: 'refused', reason: 'case_not_found' }
    case 'incomplete':
      // A graph without its resolution or reason is refused before it is stored.
      throw new Error(`a playbook move lacks its ${outcome.missing}`)
  }
}
