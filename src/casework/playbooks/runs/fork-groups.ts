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
  // Each pass ends a token or lets one go on.
  for (let isMore = true; isMore; ) isMore = resolveOne(tokens.filter(isLive), visits)
}

function resolveOne(live: readonly MovingToken[], visits: NewVisit[]): boolean {
  const joining = live
    .filter(({ joins }) => joins !== null)
    .toSorted((a, b) => a.token.tokenId - b.token.tokenId)
  const free = joining.find(({ joins, fork }) => joins === 'any' || fork === '')
  if (free !== undefined) {
    if (free.fork !== '') {
      for (const other of live) {
        if (other === free || !isOfFork(other, free.fork)) continue
        cancelMoving(other, { cancelled_by: free.node }, visits)
      }
    }
    pass(free, visits)
    return true
  }
  const complete = joining.find(({ fork }) =>
    live.every((other) => !isOfFork(other, fork) || (other.joins !== null && other.fork === fork)),
  )
  if (complete === undefined) return false
  const { fork, node } = complete
  for (const other of joining) {
    if (other === complete || other.fork !== fork || other.node !== node) continue
    const { vars } = other
    cancelMoving(other, { joined: complete.token.tokenId }, visits)
    addMissingVars(complete, vars, visits)
  }
  if (complete.state !== 'dead') pass(complete, visits)
  return true
}

function isOfFork(token: MovingToken, fork: string): boolean {
  return token.fork === fork || token.fork.startsWith(`${fork}/`)
}

function pass(moving: MovingToken, visits: NewVisit[]): void {
  const node: PlaybookNode | undefined = findNode(moving)
  moving.joins = null
  moving.isPassive = false
  moving.state = 'ready'
  moving.fork = moving.fork.slice(0, Math.max(moving.fork.lastIndexOf('/'), 0))
  if (node === undefined) return
  takeStep(moving, followOutcome(node, { kind: 'done', output: {} }), visits)
}
