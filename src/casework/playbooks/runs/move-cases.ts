// Moves the cases of Set State and Resolve nodes. All moves of one tenant are made together, so
// that every transaction locks cases in the same order.

import type { Tx } from '../../../kernel/db/database.ts'
import { type CaseMoveOutcome, moveCases } from '../../cases/case-batch-store.ts'
import type { CaseState, CloseReason, Resolution } from '../../cases/case-state.ts'
import type { DueEffect, EffectDeps, EffectOutcome } from './apply-effects.ts'

export interface PlaybookMove {
  readonly target: CaseState
  readonly resolution: Resolution | null
  readonly closeReason: CloseReason | null
  readonly mayReopen: boolean
}

export interface DueMove {
  readonly due: DueEffect
  readonly move: PlaybookMove
}

/** The outcomes in the order of the moves. */
export async function moveByPlaybook(
  tx: Tx,
  deps: EffectDeps,
  moves: readonly DueMove[],
): Promise<readonly EffectOutcome[]> {
  const [first] = moves
  if (first === undefined) return []
  const at = new Date(deps.clock.nowMs())
  const requests = moves.map(({ due, move }) => ({
    caseId: due.caseId,
    ...move,
    actor: due.actor,
    at,
    causeId: due.effect.key,
  }))
  const outcomes = await moveCases(tx, deps, first.due.scope, requests)
  return outcomes.map((outcome, index) => explain(outcome, moves[index]?.move.target))
}

function explain(outcome: CaseMoveOutcome, state: CaseState | undefined): EffectOutcome {
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
