// How the node does: its checks with their sentences, and the figures that matter at night.

import { Button } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { CircleCheck, CircleX, RotateCw, TriangleAlert } from 'lucide-react'
import { casework } from '../../../data/client.ts'
import { useFormat } from '../../../messages/use-format.ts'
import { useText } from '../../../messages/use-text.ts'
import { Badge } from '../../../parts/badges.tsx'
import { CHECK_STATES } from '../check-states.ts'
import { useCheckWords } from '../check-words.ts'
import { readinessQuery } from '../data.ts'
import { Answer, Section } from '../section.tsx'
import { messages } from './messages.ts'
import { leastOf, mostOf, readMetrics, type Sample, sumOf } from './metrics.ts'

const metricsQuery = queryOptions({
  queryKey: ['metrics'],
  queryFn: async () => readMetrics(await casework.get('/metrics')),
  staleTime: 5_000,
})

const versionQuery = queryOptions({
  queryKey: ['version'],
  queryFn: async (): Promise<string> => {
    const answer: unknown = await casework.get('/openapi.json')
    const info: unknown = Reflect.get(Object(answer), 'info')
    return String(Reflect.get(Object(info), 'version') ?? '')
  },
  staleTime: Number.POSITIVE_INFINITY,
})

const VERDICTS = {
  ready: ['green', CircleCheck],
  degraded: ['amber', TriangleAlert],
  not_ready: ['red', CircleX],
} as const

const ORDER = ['failed', 'degraded', 'ok', 'off']

export function HealthSection() {
  const t = useText(messages)
  const readiness = useQuery(readinessQuery)
  const metrics = useQuery(metricsQuery)
  const version = useQuery(versionQuery)
  const again = (): void => {
    void readiness.refetch()
    void metrics.refetch()
  }
  return (
    <Section
      id="health"
      acts={
        <Button
          variant="default"
          leftSection={<RotateCw size={14} aria-hidden />}
          loading={readiness.isFetching}
          onClick={again}
        >
          {t('refresh')}
        </Button>
      }
    >
      <div className="stack health">
        {/* Checks of a while ago would say that all is well while nothing answers. */}
        <Answer query={readiness.error === null ? readiness : { ...readiness, data: undefined }}>
          {(one) => <Checks readiness={one} />}
        </Answer>
        <section className="admin-narrow" aria-label={t('queues')}>
          <h2 className="section-title">{t('queues')}</h2>
          {metrics.error === null ? (
            <Answer query={metrics}>{(samples) => <Figures samples={samples} />}</Answer>
          ) : (
            <p className="dim">{t('metrics_none')}</p>
          )}
          <p className="dim small">
            {t('metrics_why')} {t('version')}: {version.data ?? '–'}
          </p>
        </section>
      </div>
    </Section>
  )
}

function Checks({ readiness }: { readonly readiness: Schemas['Readiness'] }) {
  const t = useText(messages)
  const sayCheck = useCheckWords()
  const { status, checks } = readiness
  const [tone, Icon] = VERDICTS[status]
  const sorted = (checks ?? []).toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
  return (
    <>
      <div className="verdict health-verdict" data-tone={tone} role="status">
        <Icon size={18} aria-hidden />
        <span className="verdict-words">{t(status)}</span>
      </div>
      {checks === undefined && <p className="dim">{t('no_checks')}</p>}
      <section className="admin-narrow" aria-label={t('checks')}>
        <h2 className="section-title">{t('checks')}</h2>
        <ul className="rows">
          {sorted.map(({ name, state, detail }) => {
            const [checkTone, icon] = CHECK_STATES[state]
            const words = sayCheck(name)
            return (
              <li key={name}>
                <div className="rows-words">
                  <div title={name}>{words.title}</div>
                  {/* The words of the server, as in its log. */}
                  <div className="dim small" lang="en">
                    {detail}
                  </div>
                  {state !== 'ok' && words.act !== null && <div className="small">{words.act}</div>}
                </div>
                <Badge tone={checkTone} icon={icon}>
                  {t(`state_${state}`)}
                </Badge>
              </li>
            )
          })}
        </ul>
      </section>
    </>
  )
}

const MB = 1_000_000
const GB = 1_000_000_000

function Figures({ samples }: { readonly samples: readonly Sample[] }) {
  const t = useText(messages)
  const format = useFormat()
  const say = (value: number | null, size = 1, unit?: 'seconds' | 'ms' | 'mb' | 'gb'): string => {
    if (value === null) return '–'
    const number = format.number(Math.round((value / size) * 10) / 10)
    return unit === undefined ? number : t(unit, { value: number })
  }
  const sum = (name: string, label?: string): number | null => sumOf(samples, name, label)
  const rows = [
    ['m_events_waiting', say(sum('casework_events_waiting'))],
    ['m_mail_waiting', say(sum('casework_mail_waiting'))],
    ['m_run_tokens', say(sum('casework_run_tokens'))],
    ['m_runs_stuck', say(sum('casework_runs_stuck'))],
    ['m_due_age', say(mostOf(samples, 'casework_run_token_due_age_seconds'), 1, 'seconds')],
    ['m_jobs', say(sum('casework_job_runs_total'))],
    ['m_jobs_failed', say(sum('casework_job_runs_total', 'failed') ?? 0)],
    ['m_intel_age', say(mostOf(samples, 'casework_intel_age_seconds'), 1, 'seconds')],
    ['m_unsigned', say(mostOf(samples, 'casework_audit_unsigned_seconds'), 1, 'seconds')],
    ['m_pool', say(sum('casework_database_pool', '"used"'))],
    ['m_loop', say(mostOf(samples, 'casework_event_loop_delay_p99_seconds'), 0.001, 'ms')],
    ['m_memory', say(sum('process_resident_memory_bytes'), MB, 'mb')],
    ['m_disk', say(leastOf(samples, 'casework_disk_free_bytes'), GB, 'gb')],
  ] as const
  return (
    <table className="plain-table">
      <tbody>
        {rows.map(([key, value]) => (
          <tr key={key}>
            <th scope="row">{t(key)}</th>
            <td className="number">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
