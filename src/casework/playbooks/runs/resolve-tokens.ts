// What the steps of a round mean for other tokens: new tokens of forks, joins, runs that ended
// before the end of their graphs, and children. The runs are locked, so that no other worker moves
// their tokens meanwhile.

import type { Tx } from '../../../kernel/db/database.ts'
import type { EndedToken } from './cancel-effects.ts'
import { cancelChildren, startChildren } from './child-run-store.ts'
import { isLive, resolveJoins } from './fork-groups.ts'
import { insertTokens, lockTokensOfRuns, type OtherToken, takeTokenIds } from './fork-store.ts'
import type { InterpreterDeps } from './interpreter.ts'
import {
  beginBranch,
  beginMoving,
  cancelMoving,
  findNode,
  type MovingToken,
  takeFork,
  takeStep,
} from './moving-token.ts'
import { followOutcome } from './run-step.ts'
import type { NewVisit } from './run-token-store.ts'

export interface Walk {
  readonly deps: InterpreterDeps
  /** All tokens that the transaction knows; those of forks are added. */
  readonly all: MovingToken[]
  readonly visits: NewVisit[]
  /** Runs of which all live tokens are known. */
  readonly known: Set<string>
}

/** After the given tokens have taken a step. */
export async function resolveTokens(
  tx: Tx,
  walk: Walk,
  moved: readonly MovingToken[],
): Promise<void> {
  await makeBranches(
    tx,
    walk,
    moved.filter(({ branches }) => branches.length > 0),
  )
  await beginChildren(
    tx,
    walk,
    moved.filter(({ childPlaybook }) => childPlaybook !== null),
  )
  const touched = moved.filter(
    (one) => one.joins !== null || one.endedBy !== null || (one.fork !== '' && !isLive(one)),
  )
  const runIds = new Set(touched.map(({ token }) => token.runId))
  if (runIds.size === 0) return
  await loadOthers(tx, walk, touched)
  for (const [runId, ofRun] of Map.groupBy(walk.all, ({ token }) => token.runId)) {
    if (!runIds.has(runId) || ofRun.some(({ failure }) => failure !== null)) continue
    if (ofRun.some(({ endedBy }) => endedBy !== null)) {
      for (const other of ofRun.filter(isLive)) {
        cancelMoving(other, { cancelled_by: 'run_ended' }, walk.visits)
      }
    } else resolveJoins(ofRun, walk.visits)
  }
}

async function makeBranches(tx: Tx, walk: Walk, forks: readonly MovingToken[]): Promise<void> {
  if (forks.length === 0) return
  const byRun = [...Map.groupBy(forks, ({ token }) => token.runId).values()]
  const asked = byRun.flatMap((ofRun) => {
    const count = ofRun.reduce((sum, { branches }) => sum + branches.length - 1, 0)
    return ofRun.slice(0, 1).map(({ token: { tenantId, runId } }) => ({ tenantId, runId, count }))
  })
  const firstIds = await takeTokenIds(tx, asked)
  const made: MovingToken[] = []
  for (const ofRun of byRun) {
    let next = firstIds.get(ofRun[0]?.token.runId ?? '') ?? null
    for (const parent of ofRun) {
      if (next === null) {
        // At the fork itself, which is thus tried again when a person resumes the run.
        parent.branches = []
        const output = { failure: 'too_many_tokens' }
        takeStep(parent, { kind: 'fail', reason: 'too_many_tokens', output }, walk.visits)
        continue
      }
      for (const node of takeFork(parent, walk.visits)) {
        made.push(beginBranch(parent, next, node))
        next += 1
      }
    }
  }
  if (made.length === 0) return
  await insertTokens(
    tx,
    made.map(({ token }) => token),
  )
  walk.all.push(...made)
}

// Deep enough for playbooks of playbooks, and a child that calls its parent ends soon.
const DEPTH_MAX = 5

async function beginChildren(tx: Tx, walk: Walk, parents: readonly MovingToken[]): Promise<void> {
  if (parents.length === 0) return
  const asked = parents.map((parent) => ({ parent, childId: walk.deps.ids.nextUuid() }))
  const started = await startChildren(
    tx,
    asked.flatMap(({ parent, childId }) => {
      const { token, childPlaybook: playbookId, vars } = parent
      const depth = token.depth + 1
      if (playbookId === null || depth > DEPTH_MAX) return []
      return [{ ...token, childId, playbookId, depth, vars }]
    }),
  )
  for (const { parent, childId } of asked) {
    const node = findNode(parent)
    parent.childPlaybook = null
    if (started.has(childId)) parent.memo = { child_run: childId }
    else if (node !== undefined) {
      const reason = parent.token.depth >= DEPTH_MAX ? 'too_deep' : 'child_not_active'
      parent.state = 'ready'
      takeStep(parent, followOutcome(node, { kind: 'refused', reason }), walk.visits)
    }
  }
}

/** Adds the live tokens of these runs that the transaction does not know yet. */
async function loadOthers(tx: Tx, walk: Walk, touched: readonly MovingToken[]): Promise<void> {
  const versions = new Map(touched.map(({ token, version }) => [token.runId, version]))
  const tenants = new Map(touched.map(({ token }) => [token.runId, token.tenantId]))
  const runs = [...tenants].flatMap(([runId, tenantId]) => {
    return walk.known.has(runId) ? [] : [{ tenantId, runId }]
  })
  if (runs.length === 0) return
  const now = touched[0]?.token.now
  const names = new Set(walk.all.map(({ token }) => `${token.runId}:${token.tokenId}`))
  for (const other of await lockTokensOfRuns(tx, runs)) {
    const version = versions.get(other.runId)
    if (version === undefined || names.has(`${other.runId}:${other.tokenId}`)) continue
    walk.all.push(beginPassive({ ...other, now: now ?? other.now }, version))
  }
  for (const { runId } of runs) walk.known.add(runId)
}

function beginPassive(other: OtherToken, version: MovingToken['version']): MovingToken {
  const moving = beginMoving(other, version)
  const node = version.graph.nodes.get(other.node)
  const joins = other.state === 'waiting' ? (node?.kind.joinMode?.(node.config) ?? null) : null
  return { ...moving, state: other.state, isPassive: true, joins }
}

/**
 * Ends the children of tokens that were ended while they waited for them, also those of children
 * that this transaction has started. Returns the tokens of these children.
 */
export async function endChildren(
  tx: Tx,
  all: readonly MovingToken[],
): Promise<readonly EndedToken[]> {
  const parents = all.filter(({ state, memo }) => {
    return state === 'done' && memo !== null && 'child_run' in memo
  })
  return await cancelChildren(
    tx,
    parents.map(({ token }) => token),
  )
}
