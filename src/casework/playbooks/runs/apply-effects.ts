// Applies the effects of a batch of nodes to their cases; each kind of effect has its file in
// nodes/. Kinds of nodes without an effect (start, trigger, manual, end) only continue, wait or
// end, which run-step.ts decides.

import type { Clock } from '../../../kernel/clock.ts'
import type { Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { CaseMoveDeps } from '../../cases/case-move-store.ts'
import type { Actor } from '../../cases/case-tables.ts'
import { applyComments } from '../nodes/comment.ts'
import { describeResolve } from '../nodes/resolve.ts'
import { describeSetState } from '../nodes/set-state.ts'
import { type DueMove, moveByPlaybook } from './move-cases.ts'
import type { StepEffect } from './run-step.ts'

type CommentEffect = Extract<StepEffect, { kind: 'comment' }>

export interface EffectDeps extends CaseMoveDeps {
  readonly clock: Clock
}

export interface DueEffect<Effect extends StepEffect = StepEffect> {
  readonly scope: TenantScope
  readonly caseId: string
  readonly actor: Actor
  readonly effect: Effect
}

export type EffectOutcome =
  /** `output` is stored with the visit. */
  | { readonly kind: 'done'; readonly output: object }
  /** Nothing is left to do for the case. The run ends, and the history says why. */
  | { readonly kind: 'over'; readonly reason: string }
  /** The effect can never succeed: the run fails. An error that may pass is thrown instead. */
  | { readonly kind: 'refused'; readonly reason: string }

/** The outcomes by the key of the effect. All effects are written in `tx`. */
export async function applyEffects(
  tx: Tx,
  deps: EffectDeps,
  effects: readonly DueEffect[],
): Promise<ReadonlyMap<string, EffectOutcome>> {
  const outcomes = new Map<string, EffectOutcome>()
  const keep = (due: readonly DueEffect[], done: readonly EffectOutcome[]): void => {
    for (const [at, outcome] of done.entries()) outcomes.set(due[at]?.effect.key ?? '', outcome)
  }
  // Every statement concerns one tenant. Moves lock their cases, so they come before comments in
  // all transactions.
  for (const ofTenant of Map.groupBy(effects, (due) => due.scope.tenantId).values()) {
    const { moves, comments } = sortByKind(ofTenant)
    const moved = await moveByPlaybook(tx, deps, moves)
    keep(
      moves.map(({ due }) => due),
      moved,
    )
    keep(comments, await applyComments(tx, deps, comments))
  }
  return outcomes
}

function sortByKind(effects: readonly DueEffect[]): {
  readonly moves: readonly DueMove[]
  readonly comments: readonly DueEffect<CommentEffect>[]
} {
  const moves: DueMove[] = []
  const comments: DueEffect<CommentEffect>[] = []
  for (const due of effects) {
    const { effect } = due
    switch (effect.kind) {
      case 'set_state':
        moves.push({ due, move: describeSetState(effect) })
        break
      case 'resolve':
        moves.push({ due, move: describeResolve(effect) })
        break
      case 'comment':
        comments.push({ ...due, effect })
        break
    }
  }
  return { moves, comments }
}
