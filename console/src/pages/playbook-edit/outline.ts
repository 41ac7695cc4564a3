// The graph as a tree for the outline: each node once, below the way out that reaches it first; a
// second way to it is a reference. Pure.

import { type GraphNode, waysOut } from '../../parts/playbook-graph/graph.ts'

export type OutlineRow =
  /** A node in its place. */
  | {
      readonly kind: 'node'
      readonly key: string
      readonly level: number
      readonly node: GraphNode
    }
  /** A way out with no node behind it, or with one that stands elsewhere in the tree. */
  | {
      readonly kind: 'way'
      readonly key: string
      readonly level: number
      readonly from: string
      readonly path: string
      readonly to: string | null
      /** The node behind it comes in the next row. */
      readonly isOpen: boolean
    }

/** From the start, then what nothing leads to. Levels begin with 1. */
export function buildOutline(nodes: readonly GraphNode[]): readonly OutlineRow[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const seen = new Set<string>()
  const rows: OutlineRow[] = []
  const roots = [
    ...nodes.filter(({ kind }) => kind === 'start'),
    ...nodes.filter(({ kind }) => kind !== 'start'),
  ]
  const add = (root: GraphNode): void => {
    // A stack of our own: a playbook is up to 500 nodes deep.
    const stack: OutlineRow[] = [{ kind: 'node', key: root.id, level: 1, node: root }]
    for (let row = stack.pop(); row !== undefined; row = stack.pop()) {
      if (row.kind === 'way') {
        const target = row.to === null ? undefined : byId.get(row.to)
        const isOpen = target !== undefined && !seen.has(target.id)
        rows.push({ ...row, isOpen })
        if (isOpen) {
          seen.add(target.id)
          stack.push({ kind: 'node', key: target.id, level: row.level + 1, node: target })
        }
        continue
      }
      rows.push(row)
      seen.add(row.node.id)
      const { level, node } = row
      const ways = waysOut(node).map(
        (path): OutlineRow => ({
          kind: 'way',
          key: `${node.id} ${path}`,
          level: level + 1,
          from: node.id,
          path,
          to: node.paths?.[path] ?? null,
          isOpen: false,
        }),
      )
      stack.push(...ways.toReversed())
    }
  }
  for (const root of roots) if (!seen.has(root.id) && !isReached(root, nodes, seen)) add(root)
  // Loops that nothing else leads to.
  for (const root of roots) if (!seen.has(root.id)) add(root)
  return rows
}

function isReached(
  node: GraphNode,
  nodes: readonly GraphNode[],
  seen: ReadonlySet<string>,
): boolean {
  if (node.kind === 'start') return false
  return nodes.some(
    (one) =>
      one.id !== node.id && !seen.has(one.id) && Object.values(one.paths ?? {}).includes(node.id),
  )
}
