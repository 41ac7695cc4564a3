// Ways out, as the editor needs them. Pure.

import { type GraphNode, isTroublePath, waysOut } from '../../parts/playbook-graph/graph.ts'
import type { Simulation } from './data.ts'

/** Behind which way out of a node the next one comes: the first that leads nowhere, else the first. */
export function freeWay(
  node: GraphNode,
): { readonly id: string; readonly path: string } | undefined {
  const ways = waysOut(node).filter((path) => !isTroublePath(path))
  const path = ways.find((one) => node.paths?.[one] === undefined) ?? ways[0]
  return path === undefined ? undefined : { id: node.id, path }
}

/** The ways that a simulation took, in one case or in all. */
export function waysOf(simulation: Simulation | undefined, caseId: string | null) {
  const one = simulation?.cases.find(({ case_id: id }) => id === caseId)
  const visits = one?.visits ?? simulation?.summary.paths ?? []
  return new Set(
    visits.flatMap(({ node, path, playbook_id: other }) =>
      // Nodes of a playbook that runs below stand on another canvas.
      path === undefined || other !== undefined ? [] : [`${node} ${path}`],
    ),
  )
}
