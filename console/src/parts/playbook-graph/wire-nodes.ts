// Nodes between the interface, which has a type for each kind, and the console, which has one.

import type { Schemas } from 'casework/client'
import type { GraphNode } from './graph.ts'

type WireNode = Schemas['PlaybookNode']

/** What the server gave, member by member: other members are kept as they are. */
export function readNodes(nodes: readonly WireNode[]): readonly GraphNode[] {
  return nodes.map((node) => ({ ...node }))
}

/** For a request. The server reads every node anew, and names what is wrong by node and field. */
export function writeNodes(nodes: readonly GraphNode[]): WireNode[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- half-made nodes are sent too
  return nodes.map((node) => ({ ...node })) as unknown as WireNode[]
}
