// The sightings of an item or of a range by day, divided by type, service or source. Loaded when
// there are some.

import { useQuery } from '@tanstack/react-query'
import { useText } from '../../messages/use-text.ts'
import { Chart, type ChartSeries } from '../../parts/chart.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { type SightingDays, type SightingsBy, sightingDaysQuery } from './data.ts'
import { messages } from './messages.ts'

// With the rest gathered into one these are the colours of the palette.
const VALUES_MAX = 5

interface SightingsChartProps {
  readonly item: string
  readonly days: number
  readonly by: SightingsBy
}

export function SightingsChart({ item, days, by }: SightingsChartProps) {
  const t = useText(messages)
  const { data, error, refetch } = useQuery(sightingDaysQuery(item, days, by))
  if (data === undefined) {
    return error === null ? (
      <Loading lines={4} />
    ) : (
      <Problem error={error} onRetry={() => void refetch()} />
    )
  }
  if (data.total === 0) return <p className="dim flat">{t('sightings_none', { days })}</p>
  return (
    <>
      <Chart
        title={t('sightings_by_day')}
        times={data.days.map(({ date }) => new Date(date))}
        series={seriesOf(data, { none: t('no_service'), rest: t('other_values') })}
        height={160}
      />
      {!data.complete && <p className="dim small flat">{t('sightings_cut')}</p>}
    </>
  )
}

interface SeriesWords {
  readonly none: string
  readonly rest: string
}

function seriesOf({ days, top, by }: SightingDays, words: SeriesWords): readonly ChartSeries[] {
  const own = top.slice(0, VALUES_MAX).map(({ value, kind = '', days: values }) => ({
    id: `${kind} ${value}`,
    title: [by === 'source' ? kind : '', value ?? words.none]
      .filter((part) => part !== '')
      .join(' · '),
    values,
  }))
  const rest = days.map(({ count }, day) =>
    own.reduce((left, { values }) => left - (values[day] ?? 0), count),
  )
  if (rest.every((count) => count === 0)) return own
  return [...own, { id: 'rest', title: words.rest, values: rest }]
}
