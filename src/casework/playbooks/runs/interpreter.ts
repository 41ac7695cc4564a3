// Moves tokens through their graphs inside one transaction: run-step.ts decides, the files of
// nodes/ act, run-token-store.ts saves. A batch is moved in rounds (the first step of every token,
// then the second …), so that each kind of effect is one statement a round.

import type { Clock } from '../../../kernel/clock.ts'
import type { Tx } from '../../../kernel/db/database.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { MarkEventsResolved, NoteWithdrawals } from '../../cases/case-move-store.ts'
import type { GraphCache, LoadedVersion } from '../graph-cache.ts'
import type { WaitingParty } from '../playbook-node.ts'
import { applyEffects, type DueEffect, type EffectOutcome } from './apply-effects.ts'
import { decideStep, type StepDecision } from './run-step.ts'
import type { TokenState } from './run-store.ts'
import {
  insertVisits,
  type LeasedToken,
  type NewVisit,
  saveProgress,
  type TokenProgress,
} from './run-token-store.ts'
import { showWaiting, type WaitChange } from './show-waiting.ts'
import { type RunStop, recordStops } from './stop-runs.ts'

// A transaction holds the locks of its cases. A longer chain of steps continues with the next
// claim.
const ROUNDS_MAX = 50

export interface InterpreterDeps {
  readonly ids: IdSource
  readonly clock: Clock
  readonly graphs: GraphCache
  readonly markEventsResolved: MarkEventsResolved
  readonly noteWithdrawals: NoteWithdrawals
}

/** A token while this transaction moves it. */
interface MovingToken {
  readonly token: LeasedToken
  readonly version: LoadedVersion
  node: string
  visit: number
  chosenPath: string | null
  chosenBy: string | null
  enteredAt: Date | null
  state: TokenState
  waitsFor: WaitingParty | null
  failure: string | null
  /** Why the run ended before the end of its graph; null when it has not. */
  endedBy: string | null
  visits: number
}

/**
 * Moves each token to a waiting node, to its end, or to the limit of one transaction, and saves its
 * position. The caller has fenced the tokens in this transaction. Returns how many of them failed.
 */
export async function runSteps(
  tx: Tx,
  deps: InterpreterDeps,
  tokens: readonly LeasedToken[],
): Promise<number> {
  if (tokens.length === 0) return 0
  const all: MovingToken[] = []
  for (const token of tokens) all.push(begin(token, await deps.graphs.load(tx, token)))
  const visits: NewVisit[] = []
  let ready = all
  for (let round = 0; round < ROUNDS_MAX && ready.length > 0; round += 1) {
    const steps = ready.map((moving) => ({ moving, decision: decide(moving) }))
    const outcomes = await applyEffects(tx, deps, steps.flatMap(listDueEffects))
    for (const step of steps) takeStep(step.moving, step.decision, outcomes, visits)
    ready = ready.filter((moving) => moving.state === 'ready')
  }
  await insertVisits(tx, visits)
  await saveProgress(tx, all.map(describeProgress))
  await recordStops(tx, deps, all.flatMap(listStop))
  await showWaiting(tx, deps, all.flatMap(listWaitChange))
  return all.filter(({ failure }) => failure !== null).length
}

function begin(token: LeasedToken, version: LoadedVersion): MovingToken {
  return {
    token,
    version,
    node: token.node,
    visit: token.visit,
    chosenPath: token.chosenPath,
    chosenBy: token.chosenBy,
    enteredAt: token.enteredAt,
    state: 'ready',
    waitsFor: null,
    failure: null,
    endedBy: null,
    visits: 0,
  }
}

function decide(moving: MovingToken): StepDecision {
  const { token } = moving
  return decideStep(moving.version.graph, {
    runId: token.runId,
    tokenId: String(token.tokenId),
    nodeId: moving.node,
    visit: moving.visit,
    chosenPath: moving.chosenPath,
    runVisits: token.runVisits + moving.visits,
  })
}

interface Step {
  readonly moving: MovingToken
  readonly decision: StepDecision
}

function listDueEffects({ moving, decision }: Step): readonly DueEffect[] {
  if (decision.kind !== 'advance' && decision.kind !== 'end') return []
  const { tenantId, caseId, runId } = moving.token
  // The actor names the run, so that a listener to changes never starts a run because of a run.
  const actor = {
    kind: 'run' as const,
    id: `${runId}:${moving.node}`,
    name: moving.version.playbookName,
  }
  return decision.effects.map((effect) => ({ scope: { tenantId }, caseId, actor, effect }))
}

function takeStep(
  moving: MovingToken,
  decision: StepDecision,
  outcomes: ReadonlyMap<string, EffectOutcome>,
  visits: NewVisit[],
): void {
  if (decision.kind === 'wait') {
    moving.state = 'waiting'
    moving.waitsFor = decision.waitsFor
    return
  }
  if (decision.kind === 'fail') {
    fail(moving, decision.reason, visits)
    return
  }
  const done = decision.effects.map((effect) => outcomes.get(effect.key))
  const refused = done.find((outcome) => outcome?.kind === 'refused')
  if (refused?.kind === 'refused') {
    fail(moving, refused.reason, visits)
    return
  }
  const over = done.find((outcome) => outcome?.kind === 'over')
  if (over?.kind === 'over') {
    leave(moving, null, { ended: over.reason }, visits)
    moving.state = 'done'
    moving.endedBy = over.reason
    return
  }
  const output = done.find((outcome) => outcome?.kind === 'done')
  leave(moving, decision.path, output?.kind === 'done' ? output.output : null, visits)
  if (decision.kind === 'end') moving.state = 'done'
  else enter(moving, decision.toNodeId)
}

function fail(moving: MovingToken, reason: string, visits: NewVisit[]): void {
  leave(moving, null, { failure: reason }, visits)
  moving.state = 'dead'
  moving.failure = reason
}

function leave(
  moving: MovingToken,
  path: string | null,
  output: object | null,
  visits: NewVisit[],
): void {
  const { tenantId, runId, tokenId, caseId } = moving.token
  visits.push({
    tenantId,
    runId,
    tokenId,
    caseId,
    visit: moving.visit,
    node: moving.node,
    kind: moving.version.graph.nodes.get(moving.node)?.action.kind ?? 'unknown',
    path,
    actor: moving.chosenBy,
    output,
    enteredAt: moving.enteredAt,
  })
  moving.visits += 1
}

function enter(moving: MovingToken, node: string): void {
  moving.node = node
  moving.visit += 1
  moving.chosenPath = null
  moving.chosenBy = null
  moving.enteredAt = null
}

function listStop(moving: MovingToken): readonly RunStop[] {
  const { token, node, visit, failure, endedBy } = moving
  if (failure !== null) return [{ ...token, kind: 'run_failed', node, visit, reason: failure }]
  return endedBy === null ? [] : [{ ...token, kind: 'run_ended', node, visit, reason: endedBy }]
}

/** A token that came to wait for somebody, or no longer does; one that failed needs an agent. */
function listWaitChange({
  token,
  node,
  visit,
  waitsFor,
  failure,
}: MovingToken): readonly WaitChange[] {
  const arrivesFor = failure === null ? waitsFor : 'agent'
  if (arrivesFor === null && token.waitsFor === null) return []
  return [{ ...token, node, visit, arrivesFor }]
}

function describeProgress(moving: MovingToken): TokenProgress {
  const { tenantId, runId, tokenId } = moving.token
  return {
    tenantId,
    runId,
    tokenId,
    state: moving.state,
    node: moving.node,
    visit: moving.visit,
    waitsFor: moving.waitsFor,
    visits: moving.visits,
    failure: moving.failure,
  }
}
