// The events of the case over time, by type.

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { casework } from '../../data/client.ts'
import { useText } from '../../messages/use-text.ts'
import { Chart } from '../../parts/chart.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import type { CaseDetail } from './data.ts'
import { messages } from './messages.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
// Hours while their bars can be told apart; a case of a year has weeks.
const HOURS_MAX = 72
const DAYS_MAX = 120
// Further types are gathered into one.
const TYPES_MAX = 4
const HEIGHT = 120

export function EventsChart({ detail }: { readonly detail: CaseDetail }) {
  const t = useText(messages)
  const span = chooseSpan(detail)
  const types = detail.event_types.slice(0, TYPES_MAX)
  const hasRest = detail.event_types.length > TYPES_MAX
  const asked = types.length > 1 ? types : []
  const { data, error, refetch } = useQuery({
    queryKey: ['cases', detail.id, 'chart', span, asked, detail.event_count],
    queryFn: () =>
      Promise.all([undefined, ...asked].map((type) => countEvents(detail.id, span, type))),
    placeholderData: (former) => former,
  })
  const chart = useMemo(() => {
    if (data === undefined) return null
    const [all, ...ofTypes] = data
    if (all === undefined) return null
    const values = all.map(({ count }) => count)
    if (asked.length === 0) return { all, series: [{ id: 'all', title: types[0] ?? '', values }] }
    const series = ofTypes.map((points, index) => ({
      id: asked[index] ?? '',
      title: asked[index] ?? '',
      values: points.map(({ count }) => count),
    }))
    if (!hasRest) return { all, series }
    const rest = values.map(
      (value, at) => value - series.reduce((sum, one) => sum + (one.values[at] ?? 0), 0),
    )
    return { all, series: [...series, { id: 'rest', title: t('other_types'), values: rest }] }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the types come with the data
  }, [data, hasRest, t])
  if (error !== null && data === undefined) {
    return <Problem error={error} onRetry={() => void refetch()} />
  }
  if (chart === null) return <Loading lines={3} />
  return (
    <Chart
      title={t(`events_by_${span.interval}`)}
      times={chart.all.map(({ at }) => new Date(at))}
      series={chart.series}
      height={HEIGHT}
    />
  )
}

interface Span {
  readonly interval: 'hour' | 'day' | 'week'
  readonly from: string
  readonly to: string
}

function chooseSpan({ first_event_date: first, last_event_date: last }: CaseDetail): Span {
  const [start, end] = [new Date(first).getTime(), new Date(last).getTime()]
  const hours = (end - start) / HOUR_MS
  if (hours <= HOURS_MAX) return spanOf('hour', start, end, HOUR_MS)
  const interval = hours / 24 <= DAYS_MAX ? 'day' : 'week'
  // The interface counts two years at most; older events of such a case are on its timeline.
  return spanOf(interval, Math.max(start, end - 700 * DAY_MS), end, DAY_MS)
}

// A case of one moment is not one bar across the page.
const PARTS_MIN = 12

function spanOf(interval: Span['interval'], start: number, end: number, stepMs: number): Span {
  const to = (Math.floor(end / stepMs) + 1) * stepMs
  const from = Math.min(Math.floor(start / stepMs) * stepMs, to - PARTS_MIN * stepMs)
  return { interval, from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}

async function countEvents(caseId: string, span: Span, type: string | undefined) {
  const { series = [] } = await casework.get('/beta/casework/stats', {
    params: {
      query: {
        metric: 'events',
        case_id: caseId,
        ...span,
        ...(type === undefined ? {} : { event_type: type }),
      },
    },
  })
  return series
}
