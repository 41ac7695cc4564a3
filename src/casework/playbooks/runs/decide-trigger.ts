// Decides whether a trigger may move a run of an existing case (interface endpoint 2).

import { listChoices, type PlaybookGraph } from '../playbook-graph.ts'

/** A token at a waiting node for which no path has been chosen yet. */
export interface WaitingToken {
  readonly tokenId: string
  readonly nodeId: string
}

export type TriggerDecision =
  | { readonly kind: 'accepted'; readonly tokenId: string }
  | { readonly kind: 'unknown_node' }
  | { readonly kind: 'unknown_path' }
  | { readonly kind: 'not_waiting' }

/**
 * An unknown node or path is refused before a node at which no token waits. Of several tokens at
 * one node, the first of `waitingTokens` is moved.
 */
export function decideTrigger(
  graph: PlaybookGraph,
  waitingTokens: readonly WaitingToken[],
  nodeId: string,
  path: string,
): TriggerDecision {
  const node = graph.nodes.get(nodeId)
  if (node === undefined) return { kind: 'unknown_node' }
  if (!node.paths.has(path)) return { kind: 'unknown_path' }
  const choices = listChoices(node)
  // A node at which nobody has a choice is never waited at for a trigger.
  if (choices.length === 0) return { kind: 'not_waiting' }
  if (!choices.includes(path)) return { kind: 'unknown_path' }
  const token = waitingTokens.find((waiting) => waiting.nodeId === nodeId)
  return token === undefined
    ? { kind: 'not_waiting' }
    : { kind: 'accepted', tokenId: token.tokenId }
}
