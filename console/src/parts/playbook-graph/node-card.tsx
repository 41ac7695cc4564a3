// A node on the canvas: what it is, one line of what it does, and its ways out.

import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { CircleAlert } from 'lucide-react'
import { memo } from 'react'
import { useText } from '../../messages/use-text.ts'
import { type GraphNode, isTroublePath, summarizeNode, waysOut } from './graph.ts'
import { groupOf } from './kind-groups.ts'
import { KindIcon } from './kind-icon.tsx'
import { messages, useKindTitle } from './messages.ts'
import type { NodeMark } from './playbook-graph.tsx'

interface CardData extends Record<string, unknown> {
  readonly node: GraphNode
  readonly isHere: boolean
  readonly hasProblem: boolean
  readonly isConnectable: boolean
  readonly mark?: NodeMark | undefined
  readonly note?: string | undefined
  readonly taken: readonly string[]
}

export type CardNode = Node<CardData, 'step'>

export const NodeCard = memo(function NodeCard({ data, selected }: NodeProps<CardNode>) {
  const t = useText(messages)
  const titleOf = useKindTitle()
  const { node, mark, note } = data
  const summary = summarizeNode(node)
  const isReached = node.kind !== 'start' && node.kind !== 'divider'
  return (
    <div
      className="node"
      data-group={groupOf(node.kind)}
      data-here={data.isHere || undefined}
      data-mark={mark}
      data-selected={selected || undefined}
      data-problem={data.hasProblem || undefined}
      data-taken={data.taken.length > 0 || undefined}
    >
      {isReached && (
        <Handle type="target" position={Position.Left} isConnectable={data.isConnectable} />
      )}
      <div className="node-head">
        <span className="node-icon">
          <KindIcon kind={node.kind} />
        </span>
        <div className="node-words">
          <div className="node-title">
            <span className="cut">{node.id}</span>
            {data.hasProblem && <CircleAlert size={14} aria-label={t('problem')} role="img" />}
          </div>
          <div className="node-summary cut" title={summary}>
            {titleOf(node.kind)}
            {summary !== '' && <span className="node-detail">{` · ${summary}`}</span>}
          </div>
        </div>
      </div>
      {waysOut(node).map((path) => (
        <Way key={path} path={path} data={data} />
      ))}
      {data.isHere && <div className="node-flag">{note ?? t('here')}</div>}
      {!data.isHere && mark !== undefined && (
        <div className="node-flag" data-mark={mark}>
          {t(mark)}
        </div>
      )}
      {!data.isHere && mark === undefined && note !== undefined && (
        <div className="node-flag node-flag-quiet">{note}</div>
      )}
    </div>
  )
})

function Way({ path, data }: { readonly path: string; readonly data: CardData }) {
  const t = useText(messages)
  const isConnected = data.node.paths?.[path] !== undefined
  return (
    <div
      className="node-way"
      data-trouble={isTroublePath(path) || undefined}
      data-taken={data.taken.includes(path) || undefined}
    >
      <span className="cut">{path}</span>
      {!isConnected && <span className="node-end">{t('ends_here')}</span>}
      <Handle
        type="source"
        id={path}
        position={Position.Right}
        isConnectable={data.isConnectable}
      />
    </div>
  )
}
