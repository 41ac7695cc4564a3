// Moves tokens through their graphs inside one transaction: the nodes decide (run-step.ts), their
// kinds act (apply-effects.ts), run-token-store.ts saves. A batch is moved in rounds (the first
// step of every token, then the second …), so that each kind of effect is one statement a round.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BriefItem } from '../../../intel/lookup/item-brief.ts'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import { collectByTenant } from '../../../kernel/db/due-tenants.ts'
import { inTenant } from '../../../kernel/db/row-scope.ts'
import { WorkBudget } from '../../rules/condition-meter.ts'
import { EVENT_UNITS_MAX } from '../../rules/condition-work.ts'
import type { Calendar } from '../calendars/calendar.ts'
import { loadCalendars } from '../calendars/calendar-store.ts'
import { type Facts, NO_FACTS } from '../case-facts.ts'
import type { GraphCache } from '../graph-cache.ts'
import type { ApplyDeps, Outcome } from '../node-kind.ts'
import type { PlaybookNode } from '../playbook-graph.ts'
import { applyEffects, type DueEffect } from './apply-effects.ts'
import { cancelEffects } from './cancel-effects.ts'
import { type FactsOfCase, loadFacts } from './case-fact-store.ts'
import {
  beginMoving,
  buildDue,
  describeProgress,
  findNode,
  listCancelled,
  listStop,
  listWaitChange,
  type MovingToken,
  takeStep,
  viewToken,
} from './moving-token.ts'
import { endChildren, resolveTokens, type Walk } from './resolve-tokens.ts'
import { decideStep, followOutcome, type Step } from './run-step.ts'
import { insertVisits, type LeasedToken, type NewVisit, saveProgress } from './run-token-store.ts'
import { showWaiting } from './show-waiting.ts'
import { recordStops } from './stop-runs.ts'

// A transaction holds the locks of its cases. A longer chain of steps continues with the next
// claim.
const ROUNDS_MAX = 50
// 1 ms of conditions (condition-meter.ts); then other work of the process has its turn.
const TURN_UNITS = 20_000

export interface InterpreterDeps extends Omit<ApplyDeps, 'isFirst'> {
  readonly graphs: GraphCache
  readonly briefItem: BriefItem
}

export interface StepsOptions {
  /** Of calls that have ended, by run and token: the first step of these tokens. */
  readonly outcomes?: ReadonlyMap<string, Outcome>
  /** 0: only the outcomes are taken. */
  readonly roundsMax?: number
  /** Is told of the visits that ended, in their order. */
  readonly noteVisits?: (visits: readonly NewVisit[]) => void
  /** Is told of the work of conditions, in units. */
  readonly noteWork?: (units: number) => void
}

/** The key of a token in `outcomes`. */
export function nameToken({ runId, tokenId }: Pick<LeasedToken, 'runId' | 'tokenId'>): string {
  return `${runId}:${tokenId}`
}

/**
 * Moves each token to a node that waits or calls another system, to its end, or to the limit of one
 * transaction, and saves its position. The caller has fenced the tokens in this transaction.
 * Returns how many of them failed.
 */
export async function runSteps(
  tx: Tx,
  deps: InterpreterDeps,
  tokens: readonly LeasedToken[],
  options: StepsOptions = {},
): Promise<number> {
  const { outcomes = new Map(), roundsMax = ROUNDS_MAX } = options
  const [first] = tokens
  if (first === undefined) return 0
  const all: MovingToken[] = []
  for (const token of tokens) {
    const version = await inTenant(token, () => deps.graphs.load(tx, token))
    all.push(beginMoving(token, version))
  }
  const visits: NewVisit[] = []
  const walk: Walk = { deps, all, visits, known: new Set() }
  for (const moving of all) takeOutcome(moving, outcomes, visits)
  await resolveTokens(tx, walk, all)
  // The outcome of a call may have changed its case.
  let isFirst = outcomes.size === 0
  for (let round = 0; round < roundsMax; round += 1) {
    const ready = listMoving(all)
    if (ready.length === 0) break
    const taken = await takeRound(tx, { ...deps, isFirst }, ready, visits)
    isFirst &&= !taken.hasActed
    options.noteWork?.(taken.units)
    await resolveTokens(tx, walk, ready)
  }
  const changed = listChanged(all)
  options.noteVisits?.(visits)
  await insertVisits(tx, visits, first.now)
  await cancelEffects(tx, deps, [
    ...changed.flatMap(listCancelled),
    ...(await endChildren(tx, changed)),
  ])
  await saveProgress(tx, changed.map(describeProgress), first.now)
  await recordStops(tx, deps, changed.flatMap(listStop))
  await showWaiting(tx, deps, changed.flatMap(listWaitChange))
  return all.filter(({ failure }) => failure !== null).length
}

/** The tokens that take a step in the next round. No token of a failed run does. */
function listMoving(all: readonly MovingToken[]): readonly MovingToken[] {
  const failed = findFailedRuns(all)
  return all.filter(
    ({ state, calls, isPutOff, isPassive, token }) =>
      state === 'ready' && !calls && !isPutOff && !isPassive && !failed.has(token.runId),
  )
}

/**
 * The tokens that are saved. A token of a failed run that has not moved is not, so that it keeps
 * its chosen path until the run is resumed.
 */
function listChanged(all: readonly MovingToken[]): readonly MovingToken[] {
  const failed = findFailedRuns(all)
  return all.filter(
    ({ isPassive, state, visits, token }) =>
      !isPassive && !(failed.has(token.runId) && state === 'ready' && visits === 0),
  )
}

/** The ids of the runs of which a token has failed. */
function findFailedRuns(all: readonly MovingToken[]): ReadonlySet<string> {
  return new Set(all.flatMap(({ failure, token }) => (failure === null ? [] : [token.runId])))
}

/** Takes the step to which the outcome of the token's call leads, where there is one. */
function takeOutcome(
  moving: MovingToken,
  outcomes: ReadonlyMap<string, Outcome>,
  visits: NewVisit[],
): void {
  const outcome = outcomes.get(nameToken(moving.token))
  const node = findNode(moving)
  if (outcome !== undefined && node !== undefined) {
    takeStep(moving, followOutcome(node, outcome), visits)
  }
}

interface Decided {
  readonly moving: MovingToken
  readonly step: Step
  /** Of a step that acts in the transaction. */
  readonly effect: (DueEffect & { readonly node: PlaybookNode }) | null
}

interface TakenRound {
  /** The work of its conditions. */
  readonly units: number
  readonly hasActed: boolean
}

async function takeRound(
  tx: Tx,
  deps: InterpreterDeps & ApplyDeps,
  ready: readonly MovingToken[],
  visits: NewVisit[],
): Promise<TakenRound> {
  const facts = await loadFactsOf(tx, deps.briefItem, ready)
  const calendars = await loadCalendarsOf(tx, ready)
  const decided: Decided[] = []
  let units = 0
  let turnUnits = 0
  for (const moving of ready) {
    const node = findNode(moving)
    const work = new WorkBudget(EVENT_UNITS_MAX)
    const seen = facts.get(moving) ?? NO_FACTS
    const known = calendars.get(moving.token.tenantId) ?? NO_CALENDARS
    const view = viewToken(moving, node, work, known)
    const step = decideStep(moving.version.graph, view, seen)
    const acts = step.kind === 'act' && node?.kind.apply !== undefined
    const effect = acts ? { node, kind: node.kind, due: buildDue(moving, node, seen, known) } : null
    decided.push({ moving, step, effect })
    units += EVENT_UNITS_MAX - work.left
    if (units - turnUnits < TURN_UNITS) continue
    turnUnits = units
    await nextTurn()
  }
  const effects = decided.flatMap(({ effect }) => effect ?? [])
  const outcomes = await applyEffects(tx, deps, effects)
  for (const { moving, step, effect } of decided) {
    const outcome = effect === null ? undefined : outcomes.get(effect.due.key)
    const isSettled = outcome !== undefined && effect !== null
    takeStep(moving, isSettled ? followOutcome(effect.node, outcome) : step, visits)
  }
  return { units, hasActed: effects.length > 0 }
}

const NO_CALENDARS: ReadonlyMap<string, Calendar> = new Map()

/** By tenant and name: those that the nodes of the tokens name. */
async function loadCalendarsOf(
  db: Db,
  tokens: readonly MovingToken[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, Calendar>>> {
  const named = tokens.flatMap((moving) => {
    const node = findNode(moving)
    const names = node?.kind.calendars?.(node.config) ?? []
    return names.map((name) => ({ tenantId: moving.token.tenantId, name }))
  })
  const calendars = await collectByTenant(named, async (tenantId, own) => {
    const names = new Set(own.map(({ name }) => name))
    return [[tenantId, await loadCalendars(db, { tenantId }, [...names])] as const]
  })
  return new Map(calendars)
}

/** Of the tokens whose nodes ask for facts: one statement for each tenant. */
export async function loadFactsOf(
  db: Db,
  briefItem: BriefItem,
  tokens: readonly MovingToken[],
): Promise<ReadonlyMap<MovingToken, Facts>> {
  const asking = tokens.flatMap((moving) => {
    const node = findNode(moving)
    const needs = node?.kind.needsFacts ?? false
    const asks = typeof needs === 'boolean' ? needs : node !== undefined && needs(node.config)
    const { tenantId, caseId } = moving.token
    return asks ? [{ tenantId, caseId, moving }] : []
  })
  const facts = await collectByTenant(asking, async (tenantId, own) => {
    const caseIds = new Set(own.map(({ caseId }) => caseId))
    const at = own[0]?.moving.token.now ?? null
    const known = await loadFacts(db, { tenantId, at }, briefItem, [...caseIds])
    return own.map(({ caseId, moving }) => {
      return [moving, completeFacts(known.get(caseId), moving)] as const
    })
  })
  return new Map(facts)
}

function completeFacts(ofCase: FactsOfCase | undefined, moving: MovingToken): Facts {
  const { token, vars, visits } = moving
  const base = ofCase ?? NO_FACTS
  return {
    case: base.case,
    event: base.event,
    events: base.events,
    customer: base.customer,
    // Looked up when it is asked for.
    get intel() {
      return base.intel
    },
    vars,
    run: {
      id: token.runId,
      playbook_id: token.playbookId,
      version: BigInt(token.version),
      visits: BigInt(token.runVisits + visits),
    },
    now: token.now,
  }
}
