// May this call move that run? The answer of `trigger-playbook` once the case is known to exist
// (interface endpoint 2).

import type { PlaybookGraph } from './playbook-graph.ts'

/** A token that stands at a waiting node and for which no path has been chosen yet. */
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
 * Order of refusals: what names nothing in the version comes before what names something at which
 * nobody waits. Of several tokens at one node the first given is moved.
 */
export function decideTrigger(
  graph: PlaybookGraph,
  waitingTokens: readonly WaitingToken[],
  nodeId: string,
  path: string,
): TriggerDecision {
  const node = graph.nodes.get(nodeId)
  if (node === undefined) return { kind: 'unknown_node' }
  if (!node.ways.has(path)) return { kind: 'unknown_path' }
  const token = waitingTokens.find((waiting) => waiting.nodeId === nodeId)
  return token === undefined
    ? { kind: 'not_waiting' }
    : { kind: 'accepted', tokenId: token.tokenId }
}
