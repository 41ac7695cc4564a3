// Who changed a rule, when, and what it was before.

import type { UseQueryResult } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { CircleStop, FilePen, FilePlus2, Trash2 } from 'lucide-react'
import { useText } from '../../messages/use-text.ts'
import { FirstPageOnly } from '../../parts/first-only.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { messages as editorMessages } from './editor-messages.ts'
import { messages } from './messages.ts'

const ICONS = { create: FilePlus2, change: FilePen, delete: Trash2, end: CircleStop } as const

const MEMBERS = {
  name: 'name',
  description: 'description',
  isEnabled: 'enabled',
  position: 'place',
  condition: 'condition',
  xarfClasses: 'classes',
  keyFields: 'key_values',
  thresholdEvents: 'threshold_events',
  thresholdReporters: 'threshold_reporters',
  thresholdWindowSeconds: 'threshold_window',
  maxAgeSeconds: 'max_age',
  maxGapSeconds: 'max_gap',
  relapse: 'relapse',
  relapseWindowSeconds: 'relapse_window',
  lateEvent: 'late_event',
  severity: 'severity',
  severityRules: 'severity',
  playbookId: 'playbook',
} as const

function isKnownMember(member: string): member is keyof typeof MEMBERS {
  return Object.hasOwn(MEMBERS, member)
}

export function RuleHistory({
  query,
}: {
  readonly query: UseQueryResult<Schemas['RuleHistoryEntryPage']>
}) {
  const t = useText(messages)
  const te = useText(editorMessages)
  const { data, error, refetch } = query
  // The history names members as the program stores them.
  const nameOf = (member: string): string => (isKnownMember(member) ? te(MEMBERS[member]) : member)
  return (
    <section className="stack" aria-label={t('history')}>
      <h3 className="section-title">{t('history')}</h3>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Loading lines={2} />}
      {data?.items.length === 0 && <p className="dim panel-text">{t('history_none')}</p>}
      <Timeline
        label={t('history')}
        entries={(data?.items ?? []).map(({ id, at, kind, actor, actor_name: name, changes }) => ({
          id,
          at,
          icon: ICONS[kind],
          title: t(`history_${kind}`, { members: Object.keys(changes).map(nameOf).join(', ') }),
          by: <span className={name === undefined ? 'small mono' : 'small'}>{name ?? actor}</span>,
        }))}
      />
      <FirstPageOnly page={data} />
    </section>
  )
}
