// A token while one transaction moves it: where it is, what it has passed, and what is saved of it.

import type { WorkBudget } from '../../rules/condition-meter.ts'
import type { Calendar } from '../calendars/calendar.ts'
import type { Facts } from '../case-facts.ts'
import type { LoadedVersion } from '../graph-cache.ts'
import type { Due, JoinMode, Vars, WaitingParty } from '../node-kind.ts'
import { findEarlyEnd, findPartyBehind, type PlaybookNode } from '../playbook-graph.ts'
import type { EndedToken } from './cancel-effects.ts'
import { type Branch, buildEffectKey, type Step, type TokenOfStep } from './run-step.ts'
import type { TokenState } from './run-store.ts'
import type { LeasedToken, NewVisit, TokenProgress } from './run-token-store.ts'
import type { WaitChange } from './show-waiting.ts'
import type { RunStop } from './stop-runs.ts'

export interface MovingToken {
  readonly token: LeasedToken
  readonly version: LoadedVersion
  node: string
  visit: number
  chosenPath: string | null
  chosenBy: string | null
  /** Null: it entered its node in this transaction. */
  enteredAt: Date | null
  timerRang: boolean
  state: TokenState
  waitsFor: WaitingParty | null
  timerAt: Date | null
  watchesCase: boolean
  calls: boolean
  /** Its effect is applied by its next transaction. */
  isPutOff: boolean
  vars: Vars
  areVarsNew: boolean
  memo: object | null
  /** In which forks it is, written as in LeasedToken. */
  fork: string
  /** It waits at a join of this mode. */
  joins: JoinMode | null
  /** Of a fork that is not taken yet: the token goes by the first, new tokens by the others. */
  branches: readonly Branch[]
  /** The playbook of which a run is to be started for it. */
  childPlaybook: string | null
  /** Loaded for the sake of another token, and saved only when that one has moved or ended it. */
  isPassive: boolean
  /** Another token has ended it at a node that may have begun an effect. */
  isCancelled: boolean
  failure: string | null
  /** Why the run ended before the end of its graph; null when it has not. */
  endedBy: string | null
  /** The deadline of its node has passed; the history says so once. */
  isOverdue: boolean
  visits: number
}

// As much as a page of form values and some answers of other systems.
export const VARS_BYTES_MAX = 65_536

export function beginMoving(token: LeasedToken, version: LoadedVersion): MovingToken {
  return {
    token,
    version,
    node: token.node,
    visit: token.visit,
    chosenPath: token.chosenPath,
    chosenBy: token.chosenBy,
    enteredAt: token.enteredAt,
    timerRang: token.timerRang,
    state: 'ready',
    waitsFor: null,
    timerAt: null,
    watchesCase: false,
    calls: false,
    isPutOff: false,
    vars: token.vars,
    areVarsNew: false,
    memo: token.memo,
    fork: token.fork,
    joins: null,
    branches: [],
    childPlaybook: null,
    isPassive: false,
    isCancelled: false,
    failure: null,
    endedBy: null,
    isOverdue: false,
    visits: 0,
  }
}

export function findNode({ version, node }: MovingToken): PlaybookNode | undefined {
  return version.graph.nodes.get(node)
}

export function viewToken(
  moving: MovingToken,
  node: PlaybookNode | undefined,
  work: WorkBudget,
  calendars: ReadonlyMap<string, Calendar>,
): TokenOfStep {
  const { token } = moving
  return {
    runId: token.runId,
    caseId: token.caseId,
    tokenId: token.tokenId,
    nodeId: moving.node,
    visit: moving.visit,
    enteredAt: moving.enteredAt ?? token.now,
    now: token.now,
    chosenPath: moving.chosenPath,
    timerRang: moving.timerRang,
    vars: moving.vars,
    memo: moving.memo,
    calendars,
    work,
    // Few kinds ask for it.
    get key() {
      return keyOf(moving)
    },
    isConnected: (path) => isConnected(node, path),
    runVisits: token.runVisits + moving.visits,
  }
}

function isConnected(node: PlaybookNode | undefined, path: string): boolean {
  return (node?.paths.get(path) ?? null) !== null
}

/** A visit that a person has resumed may have the key of the former one. */
function keyOf({ token, visit }: MovingToken): string {
  const { runId, tokenId, keyVisit } = token
  const isSame = keyVisit !== null && visit === token.visit
  return buildEffectKey({ runId, tokenId, visit: isSame ? keyVisit : visit })
}

export function buildDue(
  moving: MovingToken,
  node: PlaybookNode,
  facts: Facts,
  calendars: ReadonlyMap<string, Calendar> = new Map(),
): Due<object> {
  const { tenantId, runId, tokenId, caseId } = moving.token
  return {
    scope: { tenantId },
    caseId,
    runId,
    tokenId,
    nodeId: node.id,
    visit: moving.visit,
    key: keyOf(moving),
    // The actor names the run, so that a listener to changes never starts a run because of a run.
    actor: { kind: 'run', id: `${runId}:${node.id}`, name: moving.token.playbookName },
    config: node.config,
    enteredAt: moving.enteredAt ?? moving.token.now,
    now: moving.token.now,
    timerRang: moving.timerRang,
    memo: moving.memo,
    isConnected: (path) => isConnected(node, path),
    partyBehind: (path) => findPartyBehind(moving.version.graph, node, path),
    vars: moving.vars,
    facts,
    calendars,
  }
}

/** Takes a step; the visit that ends by it is added to `visits`. */
export function takeStep(moving: MovingToken, step: Step, visits: NewVisit[]): void {
  switch (step.kind) {
    case 'wait':
      moving.state = 'waiting'
      moving.waitsFor = step.waitsFor
      moving.timerAt = step.timerAt
      moving.watchesCase = step.watchesCase
      moving.memo = step.memo ?? moving.memo
      moving.isOverdue = step.isOverdue ?? false
      return
    case 'act':
      moving.calls = true
      return
    case 'busy':
      moving.isPutOff = true
      return
    case 'advance':
      if (step.vars !== null && !keepVars(moving, step.vars)) {
        failMoving(moving, 'vars_too_large', { failure: 'vars_too_large' }, visits)
        return
      }
      leaveNode(moving, step.path, step.output, visits)
      enterNode(moving, step.toNodeId)
      return
    case 'fork':
      moving.branches = step.branches
      return
    case 'join':
      moving.state = 'waiting'
      moving.joins = step.mode
      return
    case 'start_child':
      moving.state = 'waiting'
      moving.childPlaybook = step.playbookId
      return
    case 'end':
      leaveNode(moving, step.path, step.output, visits)
      moving.state = 'done'
      return
    case 'over':
      leaveNode(moving, null, { ended: step.reason }, visits)
      moving.state = 'done'
      moving.endedBy = step.reason
      return
    case 'fail':
      failMoving(moving, step.reason, step.output, visits)
  }
}

/** Leaves a fork by its first branch. Returns the nodes of the others, for new tokens. */
export function takeFork(moving: MovingToken, visits: NewVisit[]): readonly string[] {
  const [first, ...others] = moving.branches
  moving.branches = []
  if (first === undefined) return []
  const { tokenId } = moving.token
  const { fork, visit } = moving
  leaveNode(moving, first.path, { paths: [first, ...others].map(({ path }) => path) }, visits)
  moving.fork = `${fork}/${tokenId}:${visit}`
  enterNode(moving, first.toNodeId)
  return others.map(({ toNodeId }) => toNodeId)
}

/** A token that a fork of `parent` makes, at the node of its branch. */
export function beginBranch(parent: MovingToken, tokenId: number, node: string): MovingToken {
  const { token, version, fork, vars } = parent
  const own: LeasedToken = {
    ...token,
    tokenId,
    node,
    visit: 1,
    keyVisit: null,
    chosenPath: null,
    chosenBy: null,
    waitsFor: null,
    timerRang: false,
    hasWaited: false,
    fork,
    vars,
    memo: null,
    callOutcome: null,
  }
  return { ...beginMoving(own, version), enteredAt: null }
}

/** Ends a token for the sake of another one. */
export function cancelMoving(moving: MovingToken, output: object, visits: NewVisit[]): void {
  leaveNode(moving, null, output, visits)
  moving.isCancelled = moving.joins === null
  moving.state = 'done'
  moving.waitsFor = null
  moving.timerAt = null
  moving.watchesCase = false
  moving.calls = false
  moving.joins = null
  moving.branches = []
  moving.childPlaybook = null
  moving.isPassive = false
}

/** Adds the vars of another token that it has not got itself; it fails when they are too large. */
export function addMissingVars(moving: MovingToken, others: Vars, visits: NewVisit[]): void {
  const isMissing = Object.keys(others).some((name) => !Object.hasOwn(moving.vars, name))
  if (!isMissing || keepVars(moving, { ...others, ...moving.vars })) return
  failMoving(moving, 'vars_too_large', { failure: 'vars_too_large' }, visits)
}

/** False when they are too large. */
function keepVars(moving: MovingToken, added: Vars): boolean {
  const vars = { ...moving.vars, ...added }
  if (Buffer.byteLength(JSON.stringify(vars)) > VARS_BYTES_MAX) return false
  moving.vars = vars
  moving.areVarsNew = true
  return true
}

function failMoving(moving: MovingToken, reason: string, output: object, visits: NewVisit[]): void {
  leaveNode(moving, null, output, visits)
  moving.state = 'dead'
  moving.failure = reason
}

function leaveNode(
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
    kind: findNode(moving)?.kind.kind ?? 'unknown',
    path,
    actor: moving.chosenBy,
    output,
    enteredAt: moving.enteredAt,
  })
  moving.visits += 1
}

function enterNode(moving: MovingToken, node: string): void {
  moving.node = node
  moving.visit += 1
  moving.chosenPath = null
  moving.chosenBy = null
  moving.enteredAt = null
  moving.timerRang = false
  moving.memo = null
}

export function listStop(moving: MovingToken): readonly RunStop[] {
  const { token, node, visit, failure, endedBy } = moving
  if (failure !== null) return [{ ...token, kind: 'run_failed', node, visit, reason: failure }]
  if (endedBy !== null) return [{ ...token, kind: 'run_ended', node, visit, reason: endedBy }]
  const reason = 'deadline_passed'
  return moving.isOverdue ? [{ ...token, kind: 'run_overdue', node, visit, reason }] : []
}

/** A token that came to wait for somebody, or no longer does; one that failed needs an agent. */
export function listWaitChange(moving: MovingToken): readonly WaitChange[] {
  const { token, node, visit, waitsFor, failure } = moving
  const newParty = isWaitContinued(moving) ? null : waitsFor
  const arrivesFor = failure === null ? newParty : 'agent'
  if (arrivesFor === null && token.waitsFor === null) return []
  return [{ ...token, node, visit, arrivesFor }]
}

/**
 * The token has left the wait for a bounce for the node behind it. The former node has told already
 * that the case waits for the party of this one.
 */
function isWaitContinued({ token, version: { graph }, node, visits, waitsFor }: MovingToken) {
  if (visits !== 1 || waitsFor === null || waitsFor !== token.waitsFor) return false
  return findEarlyEnd(graph, graph.nodes.get(token.node), token.memo)?.toNode.id === node
}

/** A token that another has ended, at the node where it was; none for any other. */
export function listCancelled({
  token,
  isCancelled,
  node,
  visit,
}: MovingToken): readonly EndedToken[] {
  const keyVisit = visit === token.visit ? token.keyVisit : null
  return isCancelled ? [{ ...token, node, visit, keyVisit }] : []
}

export function describeProgress(moving: MovingToken): TokenProgress {
  const { tenantId, runId, tokenId } = moving.token
  return {
    tenantId,
    runId,
    tokenId,
    state: moving.state,
    node: moving.node,
    visit: moving.visit,
    enteredAt: moving.enteredAt,
    waitsFor: moving.waitsFor,
    timerAt: moving.timerAt,
    watchesCase: moving.watchesCase,
    calls: moving.calls,
    vars: moving.areVarsNew ? moving.vars : null,
    fork: moving.fork,
    memo: moving.state === 'done' || moving.state === 'dead' ? null : moving.memo,
    isArrival: moving.enteredAt === null || !moving.token.hasWaited,
    visits: moving.visits,
    failure: moving.failure,
  }
}
