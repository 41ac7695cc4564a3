// Where nodes stand: as somebody left them, else from left to right by their connections (dagre,
// loaded with the canvas).

import { graphlib, layout } from '@dagrejs/dagre'
import { type GraphNode, listConnections, type Position, waysOut } from './graph.ts'

const NODE_WIDTH = 220
const HEAD_HEIGHT = 54
const WAY_HEIGHT = 24
const GAP = { ranks: 72, nodes: 28 } as const

/** As node-card.tsx draws it: a head, and a line for each way out. */
function heightOf(node: GraphNode): number {
  return HEAD_HEIGHT + waysOut(node).length * WAY_HEIGHT
}

/** The places of all nodes, computed. */
export function arrangeGraph(nodes: readonly GraphNode[]): ReadonlyMap<string, Position> {
  const graph = new graphlib.Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'LR', ranksep: GAP.ranks, nodesep: GAP.nodes, marginx: 8, marginy: 8 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const node of nodes) graph.setNode(node.id, { width: NODE_WIDTH, height: heightOf(node) })
  for (const { from, path, to } of listConnections(nodes)) graph.setEdge(from, to, {}, path)
  layout(graph)
  return new Map(
    nodes.map((node) => {
      const { x, y } = graph.node(node.id)
      return [node.id, { x: Math.round(x - NODE_WIDTH / 2), y: Math.round(y - heightOf(node) / 2) }]
    }),
  )
}

/**
 * A graph is left as it is when somebody placed each of its nodes, none on top of another. Who
 * moves nodes by hand, here and now, may lay one over another.
 */
export function placeNodes(
  nodes: readonly GraphNode[],
  isByHand = false,
): ReadonlyMap<string, Position> {
  const isPlaced = nodes.every(({ position }) => position !== undefined)
  if (!isPlaced || (!isByHand && hasOverlap(nodes))) return arrangeGraph(nodes)
  return new Map(nodes.map(({ id, position = { x: 0, y: 0 } }) => [id, position]))
}

// Documents are placed for other editors too, whose nodes are smaller; 500 nodes are 125,000 pairs.
function hasOverlap(nodes: readonly GraphNode[]): boolean {
  return nodes.some((one, at) =>
    nodes.slice(at + 1).some((other) => {
      const [a, b] = [one.position, other.position]
      if (a === undefined || b === undefined) return false
      const isBeside = a.x + NODE_WIDTH <= b.x || b.x + NODE_WIDTH <= a.x
      return !isBeside && a.y < b.y + heightOf(other) && b.y < a.y + heightOf(one)
    }),
  )
}
