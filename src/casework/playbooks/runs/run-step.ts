// Decides one step of a run: what a token at a node does. Pure; the interpreter commits the
// decision together with case, history and token. The decisions, and the state of the token after
// each:
//
//   wait      at a trigger or manual node without a chosen path         -> waiting
//   advance   by the chosen path, or by `next`, to another node         -> ready
//   end       at a node that ends the token, or by an unconnected path  -> done
//   fail      the node or path is unknown, or the run has too many visits  -> dead
//
// worker.ts lists the states.

import type { CaseState, CloseReason, Resolution } from '../../cases/case-state.ts'
import { findWaitingAction, type PlaybookGraph, type PlaybookNode } from '../playbook-graph.ts'
import type { WaitingParty } from '../playbook-node.ts'

/** One point of control in a run, at a node. */
export interface RunToken {
  readonly runId: string
  readonly tokenId: string
  readonly nodeId: string
  /** The number of this visit, counted over all nodes of the token; the first is 1. */
  readonly visit: number
  /** The path that an accepted trigger chose at this visit; null before that. */
  readonly chosenPath: string | null
  /** Visits of all tokens of the run so far. */
  readonly runVisits: number
}

/**
 * A change of the case. `key` is `run:token:visit`: an effect that is applied twice under one key
 * happens once.
 */
export type StepEffect =
  | {
      readonly kind: 'set_state'
      readonly key: string
      readonly state: Exclude<CaseState, 'NEW'>
      readonly resolution: Resolution | null
      readonly closeReason: CloseReason | null
      readonly mayReopen: boolean
    }
  | { readonly kind: 'comment'; readonly key: string; readonly text: string }
  | { readonly kind: 'resolve'; readonly key: string; readonly resolution: Resolution }

export type StepDecision =
  | {
      readonly kind: 'advance'
      readonly path: string
      readonly toNodeId: string
      readonly effects: readonly StepEffect[]
    }
  /** Waits until one of `paths` is chosen. */
  | {
      readonly kind: 'wait'
      readonly paths: readonly string[]
      readonly waitsFor: WaitingParty | null
    }
  /** `path`: the unconnected path that was taken; null at a node that ends the token. */
  | {
      readonly kind: 'end'
      readonly path: string | null
      readonly effects: readonly StepEffect[]
    }
  /** The run fails and needs a person. It is not retried, because it would fail again. */
  | { readonly kind: 'fail'; readonly reason: 'too_many_visits' | 'unknown_node' | 'unknown_path' }

// Every loop has a waiting node (the graph check ensures it), so only triggers can drive a run this
// far: 10,000 visits are one every five minutes for a month.
export const RUN_VISITS_MAX = 10_000

/** Decides one step. The next node is visited by the next step, whose `visit` is one higher. */
export function decideStep(graph: PlaybookGraph, token: RunToken): StepDecision {
  const node = graph.nodes.get(token.nodeId)
  if (node === undefined) return { kind: 'fail', reason: 'unknown_node' }
  if (token.runVisits > RUN_VISITS_MAX) return { kind: 'fail', reason: 'too_many_visits' }
  const waiting = findWaitingAction(node)
  if (waiting !== null) {
    if (token.chosenPath === null) {
      return { kind: 'wait', paths: [...node.paths.keys()], waitsFor: waiting.waitsFor }
    }
    return leave(node, token.chosenPath, [])
  }
  const effects = listEffects(node, `${token.runId}:${token.tokenId}:${token.visit}`)
  if (node.paths.size === 0) return { kind: 'end', path: null, effects }
  return leave(node, 'next', effects)
}

function leave(node: PlaybookNode, path: string, effects: readonly StepEffect[]): StepDecision {
  const toNodeId = node.paths.get(path)
  if (toNodeId === undefined) return { kind: 'fail', reason: 'unknown_path' }
  if (toNodeId === null) return { kind: 'end', path, effects }
  return { kind: 'advance', path, toNodeId, effects }
}

function listEffects(node: PlaybookNode, key: string): readonly StepEffect[] {
  const { action } = node
  switch (action.kind) {
    case 'set_state':
      return [
        {
          kind: 'set_state',
          key,
          state: action.state,
          resolution: action.resolution,
          closeReason: action.closeReason,
          mayReopen: action.mayReopen,
        },
      ]
    case 'comment':
      return [{ kind: 'comment', key, text: action.text }]
    case 'resolve':
      return [{ kind: 'resolve', key, resolution: action.resolution }]
    case 'start':
    case 'trigger':
    case 'manual':
    case 'end':
      return []
  }
}
