// The forks of one run, pure: which tokens go on from their joins, and which end. The tokens of a
// fork are those whose `fork` begins with its name; a fork within a branch is part of it.
//
//   all   When every live token of the fork waits at a join, one token goes on from each such join,
//         the one with the lowest id. A branch that ended elsewhere is thus not waited for.
//   any   The first to arrive goes on, and all other tokens of the fork end.
//
// A token outside of every fork waits for nobody.

import type { PlaybookNode } from '../playbook-graph.ts'
import {
  addMissingVars,
  cancelMoving,
  findNode,
  type MovingToken,
  takeStep,
} from './moving-token.ts'
import { followOutcome } from './run-step.ts'
import type { NewVisit } from './run-token-store.ts'

export function isLive({ state }: MovingToken): boolean {
  return state !== 'done' && state !== 'dead'
}

/** Resolves the joins of a run, of which these are all live tokens. */
export function resolveJoins(tokens: readonly MovingToken[], visits: NewVisit[]): void {
  let hasMoved = true
  // It ends, since each time a token leaves its join.
  while (hasMoved) hasMoved = resolveOne(tokens.filter(isLive), visits)
}

/** Lets one token leave its join; false when all must wait. */
function resolveOne(live: readonly MovingToken[], visits: NewVisit[]): boolean {
  const joining = live
    .filter(({ joins }) => joins !== null)
    .toSorted((a, b) => a.token.tokenId - b.token.tokenId)
  const first = joining.find(({ joins, fork }) => joins === 'any' || fork === '')
  if (first !== undefined) {
    if (first.fork !== '') endOthers(first, live, visits)
    pass(first, visits)
    return true
  }
  const chosen = joining.find(({ fork }) => isComplete(fork, live))
  if (chosen === undefined) return false
  takeIn(chosen, joining, visits)
  // The vars of all branches together may be too large.
  if (chosen.state !== 'dead') pass(chosen, visits)
  return true
}

/** Ends the other tokens of the fork. */
function endOthers(first: MovingToken, live: readonly MovingToken[], visits: NewVisit[]): void {
  const { fork, node } = first
  for (const other of live) {
    if (other === first || !isOfFork(other, fork)) continue
    cancelMoving(other, { cancelled_by: node }, visits)
  }
}

/** Whether every live token of the fork waits at a join. */
function isComplete(fork: string, live: readonly MovingToken[]): boolean {
  return live.every(
    (token) => !isOfFork(token, fork) || (token.joins !== null && token.fork === fork),
  )
}

/** Ends the other tokens of the fork at the same join, and adds their vars to the chosen one. */
function takeIn(chosen: MovingToken, joining: readonly MovingToken[], visits: NewVisit[]): void {
  const { fork, node, token } = chosen
  for (const other of joining) {
    if (other === chosen || other.fork !== fork || other.node !== node) continue
    cancelMoving(other, { joined: token.tokenId }, visits)
    addMissingVars(chosen, other.vars, visits)
  }
}

function isOfFork(token: MovingToken, fork: string): boolean {
  return token.fork === fork || token.fork.startsWith(`${fork}/`)
}

/** The token leaves its join, and with it the innermost of its forks. */
function pass(moving: MovingToken, visits: NewVisit[]): void {
  const node: PlaybookNode | undefined = findNode(moving)
  moving.joins = null
  moving.isPassive = false
  moving.state = 'ready'
  moving.fork = moving.fork.slice(0, Math.max(moving.fork.lastIndexOf('/'), 0))
  if (node === undefined) return
  takeStep(moving, followOutcome(node, { kind: 'done', output: {} }), visits)
}
