// The parts of the gallery that are no tables.

import { Button, Textarea } from '@mantine/core'
import { CaseworkError } from 'casework/client'
import { Briefcase, Mail } from 'lucide-react'
import { useState } from 'react'
import { useText } from '../../messages/use-text.ts'
import { IntentBadge, OverdueBadge, SeverityBadge, StateBadge } from '../../parts/badges.tsx'
import { Chart, Sparkline } from '../../parts/chart.tsx'
import { CodeEditor } from '../../parts/code-editor.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ItemLink } from '../../parts/item-link.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Loading } from '../../parts/loading.tsx'
import { NewRows, Partial, Stale } from '../../parts/notes.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { showToast } from '../../parts/toasts.ts'
import { useDraft } from '../../parts/use-draft.ts'
import { messages } from './messages.ts'

const DAY_MS = 86_400_000
const START_MS = Date.UTC(2026, 9, 28)
const DAYS = 30
const EVIL = '<img src=x onerror="window.pwned=1"> & "\'\u202E\u200B{{constructor}}'

export function Pieces() {
  const t = useText(messages)
  const [isAsking, setAsking] = useState(false)
  const [comment, setComment] = useDraft('parts')
  const [condition, setCondition] = useState('event.type == "LoginAttack" && case.events > 10')
  return (
    <div className="stack" style={{ gap: 32, maxWidth: 880 }}>
      <Badges />
      <section className="stack" aria-label={t('pieces')}>
        <div className="row-of">
          <ItemLink item="198.51.100.7" />
          <ItemLink item="2001:db8::7" />
          <ItemLink item="evil.example" />
          <Sparkline label={t('events')} values={[1, 4, 2, 8, 5, 7, 12, 3]} />
        </div>
        <NewRows count={3} loadedAtMs={START_MS} onLoad={() => setComment('')} />
        <Partial parts={['RDAP', 'DNS']} />
        <Stale loadedAtMs={START_MS} onRefresh={() => setComment('')} />
        <div className="row-of">
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('erase')}
          </Button>
          <Button
            onClick={() =>
              showToast({ kind: 'done', text: t('done'), undo: async () => setComment('') })
            }
          >
            {t('moved', { count: 2 })}
          </Button>
        </div>
        <Confirm
          isOpen={isAsking}
          onClose={() => setAsking(false)}
          title={t('erase')}
          act={t('erase')}
          onAct={() => setAsking(false)}
        >
          {t('erase_why')}
        </Confirm>
        <Textarea
          label={t('comment')}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
          autosize
          minRows={2}
        />
        <CodeEditor
          label={t('condition')}
          value={condition}
          onChange={setCondition}
          completions={[{ label: 'event.type' }, { label: 'case.events' }]}
        />
      </section>
      <SampleChart />
      <Timeline
        label={t('pieces')}
        entries={[
          {
            id: '1',
            at: '2026-11-26T21:40:00Z',
            icon: Briefcase,
            tone: 'blue',
            title: t('opened'),
          },
          {
            id: '2',
            at: '2026-11-26T21:41:00Z',
            icon: Mail,
            tone: 'green',
            title: t('mailed'),
            by: t('by', { name: EVIL }),
            body: EVIL,
          },
        ]}
      />
      <JsonView label={t('pieces')} value={{ note: EVIL, items: ['198.51.100.7'], count: 3 }} />
      <Loading lines={3} />
      <EmptyState title={t('empty')} text={t('empty_why')} command="casework import mail.mbox" />
      <Problem error={failure(503)} onRetry={() => setComment('')} />
      <Problem error={failure(403)} />
      <Problem error={failure(404)} />
    </div>
  )
}

function Badges() {
  const t = useText(messages)
  return (
    <section aria-label={t('badges')} className="row-of" style={{ flexWrap: 'wrap' }}>
      {(['NEW', 'IN_PROGRESS', 'RESOLVED', 'CLOSED'] as const).map((state) => (
        <StateBadge key={state} state={state} />
      ))}
      <OverdueBadge />
      {(['malicious', 'suspicious', 'benign', 'unknown'] as const).map((intent) => (
        <IntentBadge key={intent} intent={intent} />
      ))}
      {(['low', 'medium', 'high', 'CRITICAL'] as const).map((severity) => (
        <SeverityBadge key={severity} severity={severity} />
      ))}
    </section>
  )
}

function SampleChart() {
  const t = useText(messages)
  const times = Array.from({ length: DAYS }, (_, day) => new Date(START_MS + day * DAY_MS))
  const wave = (size: number, shift: number): readonly number[] =>
    times.map((_, day) => Math.round(size * (1 + Math.sin((day + shift) / 3)) + (day % 5)))
  return (
    <Chart
      title={t('chart')}
      times={times}
      series={[
        { id: 'a', title: 'LoginAttack', values: wave(14, 0) },
        { id: 'b', title: 'PortScan', values: wave(9, 4) },
        { id: 'c', title: 'Spam', values: wave(5, 9) },
      ]}
    />
  )
}

function failure(status: number): CaseworkError {
  return new CaseworkError(
    'The database does not answer. Try again in a moment.',
    { method: 'GET', url: '/beta/casework/cases' },
    {
      status,
      code: 'KERNEL_DATABASE_UNAVAILABLE',
      field: null,
      reason: null,
      locations: [],
      requestId: 'a1b2c3d4e5f6-1a',
      retryAfterSeconds: null,
      body: undefined,
    },
  )
}
