// Every node that the run has passed, with what it was told and what came of it.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from '../../messages/use-text.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { isTroublePath } from '../../parts/playbook-graph/graph.ts'
import { iconOf } from '../../parts/playbook-graph/kind-groups.ts'
import { useKindTitle } from '../../parts/playbook-graph/messages.ts'
import { Timeline } from '../../parts/timeline.tsx'
import { versionQuery } from '../playbooks/data.ts'
import type { RunDetail } from '../runs/data.ts'
import { messages } from '../runs/messages.ts'
import { runRoute } from './route.ts'

type Visit = RunDetail['visits'][number]

export function Visits({ run }: { readonly run: RunDetail }) {
  const t = useText(messages)
  const titleOf = useKindTitle()
  const { node: shown } = runRoute.useSearch()
  const navigate = useNavigate({ from: runRoute.fullPath })
  const version = useQuery(versionQuery(run.playbook_id, run.version))
  const configs = new Map(version.data?.nodes.map(({ id, config }) => [id, config]))
  const visits = run.visits.filter(({ node }) => shown === undefined || node === shown)
  return (
    <section className="stack" aria-label={t('visits')}>
      <div className="row-of">
        <h2 className="section-title">{t('visits')}</h2>
        {shown !== undefined && (
          <Button
            variant="default"
            rightSection={<X size={14} aria-hidden />}
            onClick={() => void navigate({ search: {}, replace: true })}
          >
            <span className="mono">{shown}</span>
          </Button>
        )}
      </div>
      {visits.length === 0 ? (
        <EmptyState title={t('visits_none')} />
      ) : (
        <Timeline
          label={t('visits')}
          entries={visits.map((visit) => ({
            id: `${visit.token} ${visit.visit}`,
            at: visit.entered_at,
            icon: iconOf(visit.kind),
            tone: visit.path !== undefined && isTroublePath(visit.path) ? 'red' : 'grey',
            title: visit.node,
            by: <Words visit={visit} kind={titleOf(visit.kind)} />,
            body: <More visit={visit} config={configs.get(visit.node)} />,
          }))}
        />
      )}
    </section>
  )
}

function Words({ visit, kind }: { readonly visit: Visit; readonly kind: string }) {
  const t = useText(messages)
  const { path, actor } = visit
  const parts = [
    kind,
    path === undefined ? t('visit_ended') : t('visit_took', { path }),
    ...(actor === undefined ? [] : [t('visit_by', { actor })]),
    ...(visit.token === 1 ? [] : [t('visit_token', { token: visit.token, visit: visit.visit })]),
  ]
  return <span>{parts.join(' · ')}</span>
}

function More({
  visit: { node, output },
  config,
}: {
  readonly visit: Visit
  readonly config: Readonly<Record<string, unknown>> | undefined
}): ReactNode {
  const t = useText(messages)
  const isSet = config !== undefined && Object.keys(config).length > 0
  if (!isSet && output === undefined) return null
  return (
    <div>
      {isSet && (
        <details className="visit-more">
          <summary>{t('input_show')}</summary>
          <JsonView value={config} label={t('input', { node })} />
        </details>
      )}
      {output !== undefined && (
        <details className="visit-more">
          <summary>{t('output_show')}</summary>
          <JsonView value={output} label={t('output', { node })} />
        </details>
      )}
    </div>
  )
}
