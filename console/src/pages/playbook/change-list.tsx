// What one graph has that another one has not, node by node and member by member.

import { CircleMinus, CirclePlus, Pencil } from 'lucide-react'
import { useMemo } from 'react'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import {
  compareGraphs,
  type GraphNode,
  listChangedMembers,
} from '../../parts/playbook-graph/graph.ts'
import { useKindTitle } from '../../parts/playbook-graph/messages.ts'
import { messages } from './messages.ts'

export interface ChangeListProps {
  readonly label: string
  readonly before: readonly GraphNode[]
  readonly after: readonly GraphNode[]
}

export function ChangeList({ label, before, after }: ChangeListProps) {
  const t = useText(messages)
  const titleOf = useKindTitle()
  const former = new Map(before.map((node) => [node.id, node]))
  const { added, removed, changed } = useMemo(() => compareGraphs(before, after), [before, after])
  return (
    <ul className="changes" aria-label={label}>
      {pick(after, added).map(({ id, kind }) => (
        <li key={id} className="change">
          <Badge tone="green" icon={CirclePlus}>
            {t('added')}
          </Badge>
          <span className="change-name">{id}</span>
          <span className="dim">{titleOf(kind)}</span>
        </li>
      ))}
      {pick(before, removed).map(({ id, kind }) => (
        <li key={id} className="change">
          <Badge tone="red" icon={CircleMinus}>
            {t('removed')}
          </Badge>
          <span className="change-name">{id}</span>
          <span className="dim">{titleOf(kind)}</span>
        </li>
      ))}
      {pick(after, changed).map((node) => {
        const old = former.get(node.id)
        return (
          <li key={node.id} className="change">
            <Badge tone="amber" icon={Pencil}>
              {t('changed')}
            </Badge>
            <span className="change-name">{node.id}</span>
            <span className="dim">{titleOf(node.kind)}</span>
            <dl className="change-fields">
              {old !== undefined &&
                listChangedMembers(old, node).map(({ field, before: was, after: is }) => (
                  <div key={field} className="change-field">
                    <dt className="mono">{field}</dt>
                    <dd>
                      <del className="mono">{was === '' ? t('nothing') : was}</del>
                      {' → '}
                      <ins className="mono">{is === '' ? t('nothing') : is}</ins>
                    </dd>
                  </div>
                ))}
            </dl>
          </li>
        )
      })}
    </ul>
  )
}

function pick(nodes: readonly GraphNode[], ids: ReadonlySet<string>): readonly GraphNode[] {
  return nodes.filter(({ id }) => ids.has(id))
}
