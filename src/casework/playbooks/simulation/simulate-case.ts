// Simulates one case: the real engine moves a run of it in a transaction that is rolled back. No
// worker sees the run, no call is made, no mail is sent. Where the real run would wait, the clock
// of the simulation moves on to the next timer, and assumptions take the place of people and
// systems.

import type { Clock } from '../../../kernel/clock.ts'
import { type Db, inRolledBackTransaction, type Tx } from '../../../kernel/db/database.ts'
import { classifyTrouble, readErrorCode } from '../../../kernel/db/trouble-codes.ts'
import type { Log } from '../../../kernel/log.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { compareCases } from '../../cases/case-change-store.ts'
import { lockCases, lockRows } from '../../cases/case-locks.ts'
import type { CaseRow } from '../../cases/case-tables.ts'
import { resetCase } from '../../cases/reset-case-store.ts'
import { type AssumedSending, assumeNoticesSent } from '../../notices/assume-sent-store.ts'
import { NO_FACTS } from '../case-facts.ts'
import type { GraphCache, LoadedVersion } from '../graph-cache.ts'
import type { NewGraph } from '../new-graph.ts'
import type { ApplyDeps, Outcome, WaitingParty } from '../node-kind.ts'
import { SET_STATE } from '../nodes/set-state.ts'
import { listChoices, type PlaybookGraph, type PlaybookNode } from '../playbook-graph.ts'
import { insertPlaybook, insertVersion } from '../playbook-store.ts'
import { loadFactsOf, nameToken, runSteps } from '../runs/interpreter.ts'
import { beginMoving, buildDue } from '../runs/moving-token.ts'
import { buildEffectKey } from '../runs/run-step.ts'
import { fenceTokens, type LeasedToken, type NewVisit } from '../runs/run-token-store.ts'
import { type Assumptions, chooseGoodPath, findAssumption } from './assumptions.ts'
import {
  findTriedRun,
  insertTriedRun,
  leaseTokens,
  limitWaits,
  listTriedEffects,
  listTriedTokens,
  readPulse,
  setRunsAside,
  type TriedEffect,
  type TriedToken,
} from './simulation-store.ts'

/** What effects of nodes need; the simulation has a clock of its own. */
export type SimulatedEffects = Omit<ApplyDeps, 'clock' | 'isFirst'>

export interface SimulateCaseDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly graphs: GraphCache
  readonly effects: SimulatedEffects
}

/** What is tried. */
export interface SimulationSubject {
  readonly playbookId: string
  readonly version: number
  readonly graph: PlaybookGraph
  /** A graph that is not stored; null for a version that is. */
  readonly draft: NewGraph | null
}

export interface SimulationPlan {
  readonly scope: TenantScope
  readonly subject: SimulationSubject
  readonly assumptions: Assumptions
  /** The case is worked as when it was opened. */
  readonly asNew: boolean
}

export type SkipReason = 'locked' | 'unknown_case' | 'merged' | 'no_time_left' | 'answer_full'
type StopReason = 'too_many_visits' | 'too_long' | 'too_much_work'

export interface SimulatedVisit {
  readonly node: string
  readonly kind: string
  readonly path: string | null
  readonly token: number
  /** Of a child; null for the playbook that is tried. */
  readonly playbookId: string | null
  readonly enteredAt: Date
  readonly leftAt: Date
  readonly output: object | null
}

interface SimulatedWait {
  readonly node: string
  readonly kind: string
  readonly playbookId: string | null
  readonly waitsFor: WaitingParty | null
  readonly choices: readonly string[]
}

type SimulatedEnd =
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'stopped'; readonly reason: StopReason }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }

interface SimulationProblem {
  readonly node: string
  readonly reason: string
}

export interface SimulatedCase {
  readonly caseId: string
  readonly end: SimulatedEnd
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  readonly visits: readonly SimulatedVisit[]
  readonly effects: readonly TriedEffect[]
  /** `{member: {from, to}}` of the case. */
  readonly changes: Readonly<Record<string, unknown>>
  readonly waits: readonly SimulatedWait[]
  readonly problems: readonly SimulationProblem[]
}

export function skipCase(caseId: string, reason: SkipReason): SimulatedCase {
  return { ...EMPTY, caseId, end: { kind: 'skipped', reason } }
}

const EMPTY = {
  startedAt: null,
  endedAt: null,
  visits: [],
  effects: [],
  changes: {},
  waits: [],
  problems: [],
} as const

// A person reads the visits of a case; a loop is seen after fewer.
const VISITS_MAX = 1_000
// Timers that ran out one after the other: two months of daily reminders. A wait that comes back to
// itself is seen after fewer, in a fifth of a second.
const TIMERS_MAX = 60
// The case stays locked for so long at most, and with it intake when the playbook moves cases.
const CASE_MS_MAX = 2_000
// 20 visits of nodes with conditions that use up all of their work: 50 ms of the processor.
const WORK_UNITS_MAX = 1_000_000

/** Nothing of it stays. Throws only when the database cannot serve. */
export async function simulateCase(
  deps: SimulateCaseDeps,
  plan: SimulationPlan,
  caseId: string,
): Promise<SimulatedCase> {
  try {
    return await inRolledBackTransaction(deps.db, (tx) => simulateIn(tx, deps, plan, caseId))
  } catch (error) {
    const trouble = classifyTrouble(error)
    const isLocked = trouble === 'conflict' || readErrorCode(error) === LOCK_NOT_AVAILABLE
    if (isLocked) return skipCase(caseId, 'locked')
    if (trouble === 'gave_up') {
      return { ...EMPTY, caseId, end: { kind: 'stopped', reason: 'too_long' } }
    }
    if (trouble !== null) throw error
    deps.log.warn('A simulated step failed', { case_id: caseId, error: String(error) })
    return { ...EMPTY, caseId, end: { kind: 'failed', reason: 'step_failed' } }
  }
}

const LOCK_NOT_AVAILABLE = '55P03'

async function simulateIn(
  tx: Tx,
  deps: SimulateCaseDeps,
  plan: SimulationPlan,
  caseId: string,
): Promise<SimulatedCase> {
  const { scope, subject } = plan
  const startedMs = deps.clock.nowMs()
  await limitWaits(tx)
  await setRunsAside(tx, scope, caseId)
  const row = await lockCase(tx, plan, caseId)
  if (row === undefined) return skipCase(caseId, 'unknown_case')
  if (row.close_reason === 'merged') return skipCase(caseId, 'merged')
  const before = plan.asNew ? await resetCase(tx, scope, row) : row
  const startedAt = plan.asNew ? row.created_at : new Date(startedMs)
  const runId = deps.effects.ids.nextUuid()
  if (subject.draft !== null) await storeDraft(tx, scope, subject, subject.draft)
  const startNode = subject.graph.startId
  await insertTriedRun(tx, scope, { ...subject, runId, caseId, startNode, at: startedAt })
  const trial = beginTrial(tx, deps, plan, { caseId, runId, startedAt, startedMs })
  const stop = await walk(trial)
  const after = (await lockRows(tx, scope, [caseId])).get(caseId) ?? before
  const run = await findTriedRun(tx, scope, runId)
  return {
    caseId,
    end: decideEnd(run, stop),
    startedAt,
    endedAt: trial.now,
    visits: trial.visits,
    effects: await listTriedEffects(tx, scope, runId, caseId),
    changes: compareCases(before, after),
    waits: run.state === 'active' ? await listWaits(trial) : [],
    problems: trial.visits.flatMap(findProblem),
  }
}

/** Locks are taken in the order in which the engine takes them. */
async function lockCase(
  tx: Tx,
  { scope, subject }: SimulationPlan,
  caseId: string,
): Promise<CaseRow | undefined> {
  // All kinds that move cases share the `apply` of Set State.
  const moves = [...subject.graph.nodes.values()].some(({ kind }) => kind.apply === SET_STATE.apply)
  const rows = moves ? await lockCases(tx, scope, [caseId]) : await lockRows(tx, scope, [caseId])
  return rows.get(caseId)
}

async function storeDraft(
  tx: Tx,
  scope: TenantScope,
  { playbookId: id }: SimulationSubject,
  draft: NewGraph,
): Promise<void> {
  await insertPlaybook(tx, scope, { id, name: `Simulation ${id}` })
  await insertVersion(tx, scope, id, draft)
}

function decideEnd(
  run: { readonly state: string; readonly failure: string | null },
  stop: StopReason | null,
): SimulatedEnd {
  if (run.state === 'failed') return { kind: 'failed', reason: run.failure ?? 'failed' }
  if (run.state !== 'active') return { kind: 'ended' }
  return stop === null ? { kind: 'waiting' } : { kind: 'stopped', reason: stop }
}

/** A visit that a real run would have repeated, or left by its path error. */
function findProblem({ node, output }: SimulatedVisit): readonly SimulationProblem[] {
  const reason: unknown = output === null ? null : Reflect.get(output, 'failure')
  return typeof reason === 'string' ? [{ node, reason }] : []
}

interface Trial {
  readonly tx: Tx
  readonly deps: SimulateCaseDeps
  readonly plan: SimulationPlan
  readonly caseId: string
  readonly runId: string
  readonly owner: string
  readonly startedMs: number
  readonly graphs: GraphCache
  /** The clock of the simulation. */
  now: Date
  readonly visits: SimulatedVisit[]
  readonly seenRuns: Map<string, string>
  units: number
  /** Timers that ran out so far. */
  timers: number
  /** Of the case, when those that watch it were last woken. */
  pulse: string
}

function beginTrial(
  tx: Tx,
  deps: SimulateCaseDeps,
  plan: SimulationPlan,
  { startedAt, ...begun }: Pick<Trial, 'caseId' | 'runId' | 'startedMs'> & { startedAt: Date },
): Trial {
  const { playbookId, version, graph } = plan.subject
  return {
    ...begun,
    tx,
    deps,
    plan,
    owner: deps.effects.ids.nextUuid(),
    // What is tried is in no cache: it is gone after the simulation.
    graphs: {
      load: (db, key) =>
        key.playbookId === playbookId && key.version === version
          ? Promise.resolve({ graph })
          : deps.graphs.load(db, key),
    },
    now: startedAt,
    visits: [],
    seenRuns: new Map(),
    units: 0,
    timers: 0,
    pulse: '',
  }
}

/** Moves the run until it has ended, waits for something that is not assumed, or meets a limit. */
async function walk(trial: Trial): Promise<StopReason | null> {
  for (;;) {
    const tokens = await listTriedTokens(trial.tx, trial.plan.scope, trial.runId)
    if (tokens.length === 0) return null
    const stop = findStop(trial)
    if (stop !== null) return stop
    const hasMoved =
      (await moveReady(trial, tokens)) ||
      (await wakeWatching(trial, tokens)) ||
      (await answerOne(trial, tokens)) ||
      (await ringNext(trial, tokens))
    if (!hasMoved) return null
  }
}

function findStop({ visits, units, timers, deps, startedMs }: Trial): StopReason | null {
  if (visits.length >= VISITS_MAX || timers > TIMERS_MAX) return 'too_many_visits'
  if (units >= WORK_UNITS_MAX) return 'too_much_work'
  return deps.clock.nowMs() - startedMs > CASE_MS_MAX ? 'too_long' : null
}

async function moveReady(trial: Trial, tokens: readonly TriedToken[]): Promise<boolean> {
  const ready = tokens.filter(({ state }) => state === 'ready')
  const moving = ready.filter(({ calls }) => !calls)
  if (moving.length > 0) return await move(trial, moving)
  const [call] = ready
  return call !== undefined && (await answerCall(trial, call))
}

/** Leases the tokens and takes their steps, by the clock of the simulation. */
async function move(
  trial: Trial,
  tokens: readonly TriedToken[],
  readiness: Parameters<typeof leaseTokens>[4] = {},
  outcomes: ReadonlyMap<string, Outcome> = new Map(),
): Promise<boolean> {
  const { tx, deps, plan, graphs, owner } = trial
  await leaseTokens(tx, plan.scope, owner, tokens, readiness)
  const fenced = await fenceTokens(tx, owner, tokens)
  const clock = { ...deps.clock, nowMs: () => trial.now.getTime() }
  const moving = fenced.map((token) => adopt(trial, token))
  await runSteps(tx, { ...deps.effects, clock, graphs }, moving, {
    outcomes,
    noteVisits: (visits) => trial.visits.push(...visits.map((one) => describeVisit(trial, one))),
    noteWork: (units) => {
      trial.units += units
    },
  })
  return moving.length > 0
}

function adopt(trial: Trial, token: LeasedToken): LeasedToken {
  const { runId, playbookId } = token
  // A child begins by the clock of the database.
  const enteredAt = trial.seenRuns.has(runId) ? token.enteredAt : trial.now
  trial.seenRuns.set(runId, playbookId)
  return { ...token, enteredAt, now: trial.now }
}

function describeVisit({ runId, now, seenRuns }: Trial, visit: NewVisit): SimulatedVisit {
  const { node, kind, path, tokenId, enteredAt, output } = visit
  const playbookId = visit.runId === runId ? null : (seenRuns.get(visit.runId) ?? null)
  return {
    node,
    kind,
    path,
    token: tokenId,
    playbookId,
    enteredAt: enteredAt ?? now,
    leftAt: now,
    output,
  }
}

/** As a change of the case wakes them. */
async function wakeWatching(trial: Trial, tokens: readonly TriedToken[]): Promise<boolean> {
  const watching = tokens.filter(({ watchesCase }) => watchesCase)
  if (watching.length === 0) return false
  const pulse = await readPulse(trial.tx, trial.plan.scope, trial.caseId)
  if (pulse === trial.pulse) return false
  trial.pulse = pulse
  return await move(trial, watching)
}

interface Standing {
  readonly node: PlaybookNode
  readonly version: LoadedVersion
  /** As assumptions name it. */
  readonly name: string
  readonly playbookId: string | null
  readonly visitsBefore: number
}

async function findStanding(trial: Trial, token: TriedToken): Promise<Standing | null> {
  const version = await trial.graphs.load(trial.tx, token)
  const node = version.graph.nodes.get(token.node)
  if (node === undefined) return null
  const isOfChild = token.runId !== trial.runId
  const playbookId = isOfChild ? token.playbookId : null
  const before = trial.visits.filter(
    (visit) => visit.node === node.id && visit.playbookId === playbookId,
  )
  const name = isOfChild ? `${token.playbookId}/${node.id}` : node.id
  return { node, version, name, playbookId, visitsBefore: before.length }
}

/** The call is not made: its end is assumed, and the request is shown. */
async function answerCall(trial: Trial, token: TriedToken): Promise<boolean> {
  const standing = await findStanding(trial, token)
  if (standing === null) return false
  const { tx, deps, plan, owner } = trial
  await leaseTokens(tx, plan.scope, owner, [token])
  const [fenced] = await fenceTokens(tx, owner, [token])
  if (fenced === undefined) return false
  const { node, version } = standing
  const moving = beginMoving(adopt(trial, fenced), version)
  const facts = (await loadFactsOf(tx, deps.effects.briefItem, [moving])).get(moving) ?? NO_FACTS
  const shown = node.kind.simulate?.(buildDue(moving, node, facts))
  if (shown?.kind === 'refused') return await settle(trial, token, shown)
  return await settle(trial, token, assumeEnd(trial, standing, shown?.request))
}

/** A good end, where nothing else is assumed. */
function assumeEnd(
  { plan: { assumptions } }: Trial,
  { node, name, visitsBefore }: Standing,
  request?: object,
): Outcome {
  const assumed = findAssumption(assumptions, name, visitsBefore)
  const path = assumed?.path ?? chooseGoodPath(node)
  const output = { assumed: path, ...(request === undefined ? {} : { request }) }
  if (path === 'error') return { kind: 'refused', reason: 'assumed', output }
  return { kind: 'done', path, output, vars: assumed?.vars ?? {} }
}

async function settle(trial: Trial, token: TriedToken, outcome: Outcome): Promise<boolean> {
  return await move(trial, [token], {}, new Map([[nameToken(token), outcome]]))
}

/**
 * The first token that waits for a choice that is assumed, or for the end of its effect, such as a
 * mail that nobody sends.
 */
async function answerOne(trial: Trial, tokens: readonly TriedToken[]): Promise<boolean> {
  for (const token of tokens) {
    const standing = await findStanding(trial, token)
    if (standing === null) continue
    const { node, name, visitsBefore } = standing
    const assumed = findAssumption(trial.plan.assumptions, name, visitsBefore)
    if (node.kind.apply !== undefined) {
      const sending = assumed === null ? await assumeSent(trial, token) : 'none'
      // The node finds that its mail was sent, and waits for a bounce at most.
      if (sending === 'marked') return await move(trial, [token])
      if (sending === 'known') continue
      return await settle(trial, token, assumeEnd(trial, standing))
    }
    // Any other path is that of the timer.
    if (assumed === null || !listChoices(node).includes(assumed.path)) continue
    return await move(trial, [token], { chosenPath: assumed.path, vars: assumed.vars })
  }
  return false
}

async function assumeSent(trial: Trial, token: TriedToken): Promise<AssumedSending> {
  return await assumeNoticesSent(trial.tx, trial.plan.scope, buildEffectKey(token), trial.now)
}

/** The clock goes on to the next timer. */
async function ringNext(trial: Trial, tokens: readonly TriedToken[]): Promise<boolean> {
  const times = tokens.flatMap(({ timerAt }) => (timerAt === null ? [] : [timerAt.getTime()]))
  if (times.length === 0) return false
  trial.timers += 1
  trial.now = new Date(Math.max(trial.now.getTime(), Math.min(...times)))
  const due = tokens.filter(({ timerAt }) => timerAt !== null && timerAt <= trial.now)
  return await move(trial, due, { rings: true })
}

async function listWaits(trial: Trial): Promise<readonly SimulatedWait[]> {
  const waits: SimulatedWait[] = []
  for (const token of await listTriedTokens(trial.tx, trial.plan.scope, trial.runId)) {
    const standing = await findStanding(trial, token)
    if (standing === null || standing.node.kind.kind === 'sub_playbook') continue
    const { node, playbookId } = standing
    const choices = listChoices(node)
    const { waitsFor } = token
    waits.push({ node: node.id, kind: node.kind.kind, playbookId, waitsFor, choices })
  }
  return waits
}
