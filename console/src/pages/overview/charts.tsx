// Events by type, opened cases by state, and how long cases took, over the time.

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMay } from '../../data/session.ts'
import { useText } from '../../messages/use-text.ts'
import { Chart, type ChartSeries } from '../../parts/chart.tsx'
import { Loading } from '../../parts/loading.tsx'
import { messages as partMessages } from '../../parts/messages.ts'
import { Problem } from '../../parts/problem.tsx'
import { type Stats, statsQuery } from './data.ts'
import { messages } from './messages.ts'
import type { OverviewSearch } from './range.ts'
import { useLength } from './use-length.ts'

interface WithSearch {
  readonly search: OverviewSearch
}

export function Charts({ search }: WithSearch) {
  const maySeeEvents = useMay('events:read')
  return (
    <>
      {maySeeEvents && <EventsChart search={search} />}
      <div className="overview-pair">
        <CasesChart search={search} />
        <TimesChart search={search} />
      </div>
    </>
  )
}

interface CountChartProps {
  readonly title: string
  readonly query: {
    readonly data: Stats | undefined
    readonly error: unknown
    readonly refetch: () => unknown
  }
  readonly series: (stats: Stats) => readonly ChartSeries[]
  readonly hasTotals?: boolean
}

function CountChart({
  title,
  query: { data, error, refetch },
  series,
  hasTotals = true,
}: CountChartProps) {
  if (error !== null && data === undefined) {
    return (
      <Part title={title}>
        <Problem error={error} onRetry={() => void refetch()} />
      </Part>
    )
  }
  if (data === undefined) {
    return (
      <Part title={title}>
        <div className="overview-chart-wait">
          <Loading lines={5} />
        </div>
      </Part>
    )
  }
  return <Drawn title={title} stats={data} series={series(data)} hasTotals={hasTotals} />
}

function Drawn({
  title,
  stats,
  series,
  hasTotals,
}: {
  readonly title: string
  readonly stats: Stats
  readonly series: readonly ChartSeries[]
  readonly hasTotals: boolean
}) {
  const t = useText(messages)
  if (stats.total === 0) {
    return (
      <Part title={title}>
        <p className="dim">{t('none_in_range')}</p>
      </Part>
    )
  }
  const times = (stats.series ?? []).map(({ at }) => new Date(at))
  return <Chart title={title} times={times} series={series} hasTotals={hasTotals} />
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="overview-part" aria-label={title}>
      <h2 className="section-title">{title}</h2>
      {children}
    </section>
  )
}

// Beside them there is one for the rest: the palette has six colours.
const TYPES_MAX = 5

function EventsChart({ search }: WithSearch) {
  const t = useText(messages)
  const query = useQuery(
    statsQuery(search, { metric: 'events', by: 'event_type', limit: 8, hasSeries: true }),
  )
  const series = (stats: Stats): readonly ChartSeries[] => {
    const shown = (stats.top ?? []).slice(0, TYPES_MAX).map(({ value, series: values = [] }) => ({
      id: value ?? '',
      title: value ?? t('none'),
      values,
    }))
    const rest = (stats.series ?? []).map(({ count }, index) =>
      shown.reduce((left, { values }) => left - (values[index] ?? 0), count),
    )
    if (rest.every((count) => count === 0)) return shown
    return [...shown, { id: 'rest', title: t('other'), values: rest }]
  }
  return <CountChart title={t('events_chart')} query={query} series={series} />
}

// In the colours that the states have everywhere.
const STATES = [
  ['RESOLVED', 'var(--green)'],
  ['IN_PROGRESS', 'var(--violet)'],
  ['NEW', 'var(--blue)'],
  ['CLOSED', 'var(--grey)'],
] as const

function CasesChart({ search }: WithSearch) {
  const t = useText(messages)
  const say = useText(partMessages)
  const query = useQuery(
    statsQuery(search, { metric: 'cases_opened', by: 'state', hasSeries: true }),
  )
  const series = (stats: Stats): readonly ChartSeries[] =>
    STATES.map(([state, colour]) => ({
      id: state,
      colour,
      title: say(`state_${state}`),
      values: stats.top?.find(({ value }) => value === state)?.series ?? [],
    }))
  return <CountChart title={t('cases_short')} query={query} series={series} />
}

const HOUR_SECONDS = 3_600

function TimesChart({ search }: WithSearch) {
  const t = useText(messages)
  const say = useLength()
  const query = useQuery(statsQuery(search, { metric: 'cases_ended', hasSeries: true }))
  const series = ({ series: points = [] }: Stats): readonly ChartSeries[] => [
    {
      id: 'median',
      title: t('times_median'),
      values: points.map(
        ({ median_seconds: seconds = 0 }) => Math.round((seconds / HOUR_SECONDS) * 10) / 10,
      ),
    },
  ]
  const p90 = query.data?.p90_seconds
  return (
    <div>
      <CountChart title={t('times_chart')} query={query} series={series} hasTotals={false} />
      {p90 !== undefined && <div className="dim small">{t('times_p90', { length: say(p90) })}</div>}
    </div>
  )
}
