// The graph of a playbook, read from left to right. The canvas itself is loaded when one is shown;
// the outline of the editor and the visits of a run say the same in words.

import { lazy, Suspense } from 'react'
import { useText } from '../../messages/use-text.ts'
import { EmptyState } from '../empty-state.tsx'
import { Loading } from '../loading.tsx'
import type { GraphNode } from './graph.ts'
import { messages } from './messages.ts'

const Canvas = lazy(async () => ({ default: (await import('./canvas.tsx')).Canvas }))

export type NodeMark = 'added' | 'removed' | 'changed'

export interface PlaybookGraphProps {
  readonly nodes: readonly GraphNode[]
  /** What a screen reader says of the canvas. */
  readonly label?: string
  /** Nodes at which a token is: lit. */
  readonly here?: ReadonlySet<string>
  /** Ways that were taken, as `wayKey(node, path)`: drawn strong. */
  readonly taken?: ReadonlySet<string>
  readonly marks?: ReadonlyMap<string, NodeMark>
  /** A short line under a node, such as "until tomorrow 21:41". */
  readonly notes?: ReadonlyMap<string, string>
  /** Nodes with a problem. */
  readonly problems?: ReadonlySet<string>
  readonly selected?: ReadonlySet<string>
  readonly onSelect?: (ids: readonly string[]) => void
  /** The node to bring into sight; a new object brings it again. */
  readonly focus?: { readonly id: string } | undefined
  /** Px, or `100%` of the place; 320 when left out. */
  readonly height?: number | string
}

const HEIGHT = 320

export function PlaybookGraph(props: PlaybookGraphProps) {
  const t = useText(messages)
  const { nodes, height = HEIGHT } = props
  if (nodes.length === 0) return <EmptyState title={t('no_nodes')} />
  return (
    <div style={{ height }} className="graph-place">
      <Suspense fallback={<Loading lines={6} />}>
        <Canvas {...props} />
      </Suspense>
    </div>
  )
}

export function wayKey(node: string, path: string): string {
  return `${node} ${path}`
}
