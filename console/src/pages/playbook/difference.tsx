// How two versions differ: as two canvases with what was added, removed and changed, or as a list.

import { SegmentedControl } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { CircleMinus, CirclePlus, Pencil } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Loading } from '../../parts/loading.tsx'
import {
  compareGraphs,
  type GraphDifference,
  type GraphNode,
} from '../../parts/playbook-graph/graph.ts'
import { type NodeMark, PlaybookGraph } from '../../parts/playbook-graph/playbook-graph.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useVersions } from '../playbooks/use-versions.ts'
import { ChangeList } from './change-list.tsx'
import { messages } from './messages.ts'
import { playbookRoute, SHAPES } from './route.ts'

export interface DifferenceProps {
  readonly playbookId: string
  readonly before: number
  readonly after: number
}

const HEIGHT = 'max(280px, calc(50dvh - 170px))'

export function Difference({ playbookId, before, after }: DifferenceProps) {
  const t = useText(messages)
  const { as = 'canvas' } = playbookRoute.useSearch()
  const navigate = useNavigate({ from: playbookRoute.fullPath })
  const versions = useVersions(playbookId, before, after)
  if (versions.error !== null) return <Problem error={versions.error} onRetry={versions.retry} />
  if (versions.before === undefined || versions.after === undefined) return <Loading />
  const show = (shape: string): void => {
    const found = SHAPES.find((one) => one === shape)
    void navigate({
      search: (old) => ({ ...old, as: found === 'canvas' ? undefined : found }),
      replace: true,
    })
  }
  return (
    <div className="stack">
      <div className="version-head">
        <h2 className="section-title">{t('difference', { before, after })}</h2>
        <SegmentedControl
          aria-label={t('shape')}
          value={as}
          onChange={show}
          data={SHAPES.map((value) => ({ value, label: t(`shape_${value}`) }))}
        />
      </div>
      <Compared
        before={versions.before.nodes}
        after={versions.after.nodes}
        names={[t('version', { version: before }), t('version', { version: after })]}
        isList={as === 'list'}
      />
    </div>
  )
}

interface ComparedProps {
  readonly before: readonly GraphNode[]
  readonly after: readonly GraphNode[]
  readonly names: readonly [before: string, after: string]
  readonly isList: boolean
}

function Compared({ before, after, names, isList }: ComparedProps) {
  const t = useText(messages)
  const difference = useMemo(() => compareGraphs(before, after), [before, after])
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const marks = useMemo(() => marksOf(difference), [difference])
  const { added, removed, changed } = difference
  if (added.size + removed.size + changed.size === 0) {
    return <EmptyState title={t('same')} text={t('same_why')} />
  }
  const summary = (
    <div className="row-of" style={{ flexWrap: 'wrap' }}>
      <Badge tone="green" icon={CirclePlus}>
        {t('count_added', { count: added.size })}
      </Badge>
      <Badge tone="red" icon={CircleMinus}>
        {t('count_removed', { count: removed.size })}
      </Badge>
      <Badge tone="amber" icon={Pencil}>
        {t('count_changed', { count: changed.size })}
      </Badge>
    </div>
  )
  if (isList) {
    return (
      <div className="stack">
        {summary}
        <ChangeList label={t('changes')} before={before} after={after} />
      </div>
    )
  }
  return (
    <div className="stack">
      {summary}
      {[before, after].map((nodes, at) => (
        <figure key={names[at]} className="compared">
          <figcaption className="dim small">{names[at]}</figcaption>
          <PlaybookGraph
            nodes={nodes}
            marks={marks}
            height={HEIGHT}
            label={names[at] ?? ''}
            selected={selected}
            onSelect={(ids) => setSelected(new Set(ids))}
          />
        </figure>
      ))}
    </div>
  )
}

function marksOf({ added, removed, changed }: GraphDifference): ReadonlyMap<string, NodeMark> {
  return new Map<string, NodeMark>([
    ...[...added].map((id) => [id, 'added'] as const),
    ...[...removed].map((id) => [id, 'removed'] as const),
    ...[...changed].map((id) => [id, 'changed'] as const),
  ])
}
