// Runs tokens through their graphs inside one transaction: the model decides, the node files act,
// the store commits. A batch goes in rounds (the first step of every token, then the second …), so
// that each kind of effect is one set-based write a round.

import type { Clock } from '../../kernel/clock.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { MarkEventsResolved } from '../cases/case-move-store.ts'
import { applyEffects, type DueEffect, type EffectOutcome } from './apply-effects.ts'
import type { GraphCache, LoadedVersion } from './graph-cache.ts'
import { type RunStop, recordStops } from './record-stops.ts'
import { decideStep, type StepDecision } from './run-step.ts'
import type { TokenState } from './run-store.ts'
import {
  insertVisits,
  type LeasedToken,
  type NewVisit,
  saveProgress,
  type TokenProgress,
} from './run-token-store.ts'

// A transaction holds the locks of its cases: a longer chain goes on with the next claim.
const ROUNDS_MAX = 50

export interface InterpreterDeps {
  readonly ids: IdSource
  readonly clock: Clock
  readonly graphs: GraphCache
  readonly markEventsResolved: MarkEventsResolved
}

/** A token on its way through this transaction. */
interface Traveller {
  readonly token: LeasedToken
  readonly version: LoadedVersion
  node: string
  visit: number
  chosenPath: string | null
  chosenBy: string | null
  enteredAt: Date | null
  state: TokenState
  failure: string | null
  /** Why the run ended before the end of its graph; null when it did not. */
  endedBy: string | null
  visits: number
}

/**
 * Moves each token as far as it goes (to a waiting node, its end, or the bound of one transaction)
 * and saves where it stands. The tokens are fenced by the caller in this transaction. How many
 * passages were made.
 */
export async function runSteps(
  tx: Tx,
  deps: InterpreterDeps,
  tokens: readonly LeasedToken[],
): Promise<number> {
  if (tokens.length === 0) return 0
  const travellers: Traveller[] = []
  for (const token of tokens) travellers.push(setOut(token, await deps.graphs.load(tx, token)))
  const visits: NewVisit[] = []
  let moving = travellers
  for (let round = 0; round < ROUNDS_MAX && moving.length > 0; round += 1) {
    const steps = moving.map((traveller) => ({ traveller, decision: decide(traveller) }))
    const outcomes = await applyEffects(tx, deps, steps.flatMap(listDueEffects))
    for (const step of steps) takeStep(step.traveller, step.decision, outcomes, visits)
    moving = moving.filter((traveller) => traveller.state === 'ready')
  }
  await insertVisits(tx, visits)
  await saveProgress(tx, travellers.map(describeProgress))
  await recordStops(tx, deps, travellers.flatMap(listStop))
  return visits.length
}

function setOut(token: LeasedToken, version: LoadedVersion): Traveller {
  return {
    token,
    version,
    node: token.node,
    visit: token.visit,
    chosenPath: token.chosenPath,
    chosenBy: token.chosenBy,
    enteredAt: token.enteredAt,
    state: 'ready',
    failure: null,
    endedBy: null,
    visits: 0,
  }
}

function decide(traveller: Traveller): StepDecision {
  const { token } = traveller
  return decideStep(traveller.version.graph, {
    runId: token.runId,
    tokenId: String(token.tokenId),
    nodeId: traveller.node,
    visit: traveller.visit,
    chosenPath: traveller.chosenPath,
    runVisits: token.runVisits + traveller.visits,
  })
}

interface Step {
  readonly traveller: Traveller
  readonly decision: StepDecision
}

function listDueEffects({ traveller, decision }: Step): readonly DueEffect[] {
  if (decision.kind !== 'advance' && decision.kind !== 'end') return []
  const { tenantId, caseId, runId } = traveller.token
  // Own writes carry the run, so that nothing which listens to changes starts a run from a run.
  const actor = {
    kind: 'run' as const,
    id: `${runId}:${traveller.node}`,
    name: traveller.version.playbookName,
  }
  return decision.effects.map((effect) => ({ scope: { tenantId }, caseId, actor, effect }))
}

function takeStep(
  traveller: Traveller,
  decision: StepDecision,
  outcomes: ReadonlyMap<string, EffectOutcome>,
  visits: NewVisit[],
): void {
  if (decision.kind === 'wait') {
    traveller.state = 'waiting'
    return
  }
  if (decision.kind === 'fail') {
    fail(traveller, decision.reason, visits)
    return
  }
  const done = decision.effects.map((effect) => outcomes.get(effect.key))
  const refused = done.find((outcome) => outcome?.kind === 'refused')
  if (refused?.kind === 'refused') {
    fail(traveller, refused.reason, visits)
    return
  }
  const over = done.find((outcome) => outcome?.kind === 'over')
  if (over?.kind === 'over') {
    leave(traveller, null, { ended: over.reason }, visits)
    traveller.state = 'done'
    traveller.endedBy = over.reason
    return
  }
  const output = done.find((outcome) => outcome?.kind === 'done')
  leave(traveller, decision.path, output?.kind === 'done' ? output.output : null, visits)
  if (decision.kind === 'end') traveller.state = 'done'
  else enter(traveller, decision.toNodeId)
}

function fail(traveller: Traveller, reason: string, visits: NewVisit[]): void {
  leave(traveller, null, { failure: reason }, visits)
  traveller.state = 'dead'
  traveller.failure = reason
}

function leave(
  traveller: Traveller,
  path: string | null,
  output: object | null,
  visits: NewVisit[],
): void {
  const { tenantId, runId, tokenId, caseId } = traveller.token
  visits.push({
    tenantId,
    runId,
    tokenId,
    caseId,
    visit: traveller.visit,
    node: traveller.node,
    kind: traveller.version.graph.nodes.get(traveller.node)?.action.kind ?? 'unknown',
    path,
    actor: traveller.chosenBy,
    output,
    enteredAt: traveller.enteredAt,
  })
  traveller.visits += 1
}

function enter(traveller: Traveller, node: string): void {
  traveller.node = node
  traveller.visit += 1
  traveller.chosenPath = null
  traveller.chosenBy = null
  traveller.enteredAt = null
}

function listStop(traveller: Traveller): readonly RunStop[] {
  const { token, node, visit, failure, endedBy } = traveller
  if (failure !== null) return [{ ...token, kind: 'run_failed', node, visit, reason: failure }]
  return endedBy === null ? [] : [{ ...token, kind: 'run_ended', node, visit, reason: endedBy }]
}

function describeProgress(traveller: Traveller): TokenProgress {
  const { tenantId, runId, tokenId } = traveller.token
  return {
    tenantId,
    runId,
    tokenId,
    state: traveller.state,
    node: traveller.node,
    visit: traveller.visit,
    visits: traveller.visits,
    failure: traveller.failure,
  }
}
