// Accepts an answer by mail to a notice of a case: a token that waits at a node which takes answers
// of this party leaves it by the path of the node. In the transaction that stores the answer.

import type { Clock } from '../../../kernel/clock.ts'
import type { Tx } from '../../../kernel/db/database.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { addHistory } from '../../cases/case-history-store.ts'
import type { Actor } from '../../cases/case-tables.ts'
import type { GraphCache } from '../graph-cache.ts'
import type { AnsweringParty } from '../node-kind.ts'
import { passEarly, standAhead } from './pass-early.ts'
import { acceptSignal, isOpenToTriggers, lockLiveTokens, type TokenOfRun } from './signal-store.ts'

export interface CaseAnswer {
  readonly caseId: string
  readonly party: AnsweringParty
  /**
   * Who made the notice, as the notice has it: `<run id>:<node id>` for a run; empty where no
   * notice is known.
   */
  readonly noticeCreatedBy: string
  readonly actor: Actor
  /** Of the history row. */
  readonly causeId: string
}

/** `several_runs`: more than one run takes the answer, and none of them made the notice. */
export type AnswerResult =
  | {
      readonly kind: 'accepted'
      readonly runId: string
      readonly node: string
      readonly path: string
    }
  | { readonly kind: 'none' | 'several_runs' }

export interface AcceptAnswerDeps {
  readonly ids: IdSource
  readonly clock: Clock
  readonly graphs: GraphCache
}

/**
 * Locks the runs of the case and then their tokens, so call it before the case is locked. The
 * caller wakes the workers after the commit.
 */
export async function acceptAnswer(
  tx: Tx,
  deps: AcceptAnswerDeps,
  scope: TenantScope,
  answer: CaseAnswer,
): Promise<AnswerResult> {
  const taking: Taking[] = []
  for (const one of await lockLiveTokens(tx, scope, answer.caseId)) {
    const { graph } = await deps.graphs.load(tx, { ...scope, ...one })
    const token = standAhead(graph, one)
    if (!isOpenToTriggers(token)) continue
    const node = graph.nodes.get(token.node)
    const path = node?.kind.answerPath?.(node.config, answer.party) ?? null
    if (path !== null) taking.push({ token, path })
  }
  const chosen = choose(taking, answer.noticeCreatedBy)
  if (chosen === 'several_runs') return { kind: 'several_runs' }
  if (chosen === null) return { kind: 'none' }
  const { token, path } = chosen
  if (!(await passEarly(tx, scope, token))) return { kind: 'none' }
  const { caseId, actor, causeId } = answer
  const by = `${actor.kind}:${actor.id}`
  await acceptSignal(tx, scope, { caseId, token, path, actor: by })
  await addHistory(tx, deps.ids, scope, [
    {
      caseId,
      kind: 'trigger',
      actor,
      at: new Date(deps.clock.nowMs()),
      reason: null,
      causeId,
      changes: { node: token.node, path, answer_from: answer.party },
    },
  ])
  return { kind: 'accepted', runId: token.runId, node: token.node, path }
}

interface Taking {
  readonly token: TokenOfRun
  readonly path: string
}

/** The run that made the notice comes first; of one run, its oldest token. */
function choose(taking: readonly Taking[], createdBy: string): Taking | 'several_runs' | null {
  const own = taking.find(({ token }) => createdBy.startsWith(`${token.runId}:`))
  const [first] = taking
  if (own !== undefined || first === undefined) return own ?? null
  const isOneRun = taking.every(({ token }) => token.runId === first.token.runId)
  return isOneRun ? first : 'several_runs'
}
