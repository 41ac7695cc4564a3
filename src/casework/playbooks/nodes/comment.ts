// Comment: writes its text to the case, in the name of the playbook.

import type { Tx } from '../../../kernel/db/database.ts'
import { addComments } from '../../cases/comments/comment-store.ts'
import type { DueEffect, EffectDeps, EffectOutcome } from '../runs/apply-effects.ts'
import type { StepEffect } from '../runs/run-step.ts'

/** All effects belong to one tenant. Returns the outcomes in their order. */
export async function applyComments(
  tx: Tx,
  deps: EffectDeps,
  effects: readonly DueEffect<Extract<StepEffect, { kind: 'comment' }>>[],
): Promise<readonly EffectOutcome[]> {
  const [first] = effects
  if (first === undefined) return []
  const at = new Date(deps.clock.nowMs())
  const comments = effects.map(({ caseId, actor, effect }) => ({
    caseId,
    actor,
    at,
    text: effect.text,
    causeId: effect.key,
  }))
  const records = await addComments(tx, deps.ids, first.scope, comments)
  return records.map((record) => ({ kind: 'done', output: { comment_id: record.id } }))
}
