// One step of a run, pure: what a token does at its node, and where an outcome leads. The
// interpreter commits the step together with case, history and token. The steps, and the state of
// the token after each:
//
//   wait      the node waits for a trigger, a time or a change of the case,
//             or for the end of its effect                                    -> waiting
//   act       the node has an effect; its outcome is the next step            -> (the same visit)
//   advance   by a path to another node                                       -> ready
//   fork      by several paths: one goes on, and each other one is a new token   -> ready
//   join      the token waits for the others of its fork (fork-groups.ts)     -> waiting
//   start_child  a run of another playbook; its end is waited for             -> waiting
//   end       at a node without paths, or by an unconnected path              -> done
//   busy      the effect is put off to the next transaction                   -> ready
//   over      the effect found nothing left to do                             -> done
//   fail      nothing that a retry would change                               -> dead
//
// worker.ts lists the states.

import type { Facts } from '../case-facts.ts'
import type { Decision, JoinMode, Outcome, TokenAtNode, Vars } from '../node-kind.ts'
import type { PlaybookGraph, PlaybookNode } from '../playbook-graph.ts'

export type Step =
  | Extract<Decision, { kind: 'wait' | 'act' | 'start_child' }>
  | {
      readonly kind: 'advance'
      readonly path: string
      readonly toNodeId: string
      readonly output: object | null
      readonly vars: Vars | null
    }
  | { readonly kind: 'fork'; readonly branches: readonly Branch[] }
  | { readonly kind: 'join'; readonly mode: JoinMode }
  /** `path`: the unconnected path that was taken; null at a node that ends the token. */
  | { readonly kind: 'end'; readonly path: string | null; readonly output: object | null }
  | { readonly kind: 'busy' }
  | { readonly kind: 'over'; readonly reason: string }
  /** The run fails and needs a person. */
  | { readonly kind: 'fail'; readonly reason: string; readonly output: object }

export interface Branch {
  readonly path: string
  readonly toNodeId: string
}

export interface TokenOfStep extends TokenAtNode {
  /** Visits of all tokens of the run so far. */
  readonly runVisits: number
}

// Every loop has a waiting node (the graph check ensures it), so only triggers and timers can drive
// a run this far: 10,000 visits are one every five minutes for a month.
export const RUN_VISITS_MAX = 10_000

const ERROR_PATH = 'error'

/** The key of the effect of a visit. */
export function buildEffectKey(token: Pick<TokenAtNode, 'runId' | 'tokenId' | 'visit'>): string {
  return `${token.runId}:${token.tokenId}:${token.visit}`
}

/** Decides one step. The next node is visited by the next step, whose `visit` is one higher. */
export function decideStep(graph: PlaybookGraph, token: TokenOfStep, facts: Facts): Step {
  const node = graph.nodes.get(token.nodeId)
  if (node === undefined) return fail('unknown_node')
  if (token.runVisits > RUN_VISITS_MAX) return fail('too_many_visits')
  const decision = node.kind.decide(node.config, token, facts)
  switch (decision.kind) {
    case 'wait':
    case 'act':
    case 'join':
    case 'start_child':
      return decision
    case 'fork':
      return fork(node, decision.paths)
    case 'leave':
      return leave(node, decision.path, decision.output ?? null, decision.vars ?? null)
    case 'end':
      return { kind: 'end', path: null, output: decision.output ?? null }
    case 'refused':
      return followOutcome(node, decision)
  }
}

/** Where the outcome of an effect leads. */
export function followOutcome(node: PlaybookNode, outcome: Outcome): Step {
  switch (outcome.kind) {
    case 'over':
    case 'wait':
    case 'busy':
      return outcome
    case 'done':
      return outcome.path === undefined && node.paths.size === 0
        ? { kind: 'end', path: null, output: outcome.output }
        : leave(node, outcome.path ?? 'next', outcome.output, outcome.vars ?? null)
    case 'refused': {
      const output = { failure: outcome.reason, ...outcome.output }
      return node.paths.has(ERROR_PATH)
        ? leave(node, ERROR_PATH, output, null)
        : fail(outcome.reason, output)
    }
  }
}

function leave(node: PlaybookNode, path: string, output: object | null, vars: Vars | null): Step {
  const toNodeId = node.paths.get(path)
  if (toNodeId === undefined) return fail('unknown_path')
  if (toNodeId !== null) return { kind: 'advance', path, toNodeId, output, vars }
  if (path !== ERROR_PATH) return { kind: 'end', path, output }
  const failure: unknown = output === null ? null : Reflect.get(output, 'failure')
  return fail(typeof failure === 'string' ? failure : 'error', output ?? {})
}

function fork(node: PlaybookNode, paths: readonly string[]): Step {
  const branches = paths.flatMap((path) => {
    const toNodeId = node.paths.get(path) ?? null
    return toNodeId === null ? [] : [{ path, toNodeId }]
  })
  return branches.length === 0 ? fail('unknown_path') : { kind: 'fork', branches }
}

function fail(reason: string, output: object = {}): Step {
  return { kind: 'fail', reason, output: { failure: reason, ...output } }
}
