// The reported events of an item by day and type. Loaded when there are some.

import type { Schemas } from 'casework/client'
import { useText } from '../../messages/use-text.ts'
import { Chart, type ChartSeries } from '../../parts/chart.tsx'
import { useNow } from '../../parts/since.tsx'
import { messages } from './messages.ts'

const DAY_MS = 86_400_000
const DAYS = 90
// With the rest gathered into one these are the colours of the palette.
const TYPES_MAX = 5

interface EventsChartProps {
  readonly events: readonly Schemas['EventSummary'][]
}

export function EventsChart({ events }: EventsChartProps) {
  const t = useText(messages)
  const today = Math.floor(useNow() / DAY_MS)
  const first = today - DAYS + 1
  const times = Array.from({ length: DAYS }, (_, day) => new Date((first + day) * DAY_MS))
  return (
    <Chart
      title={t('events_by_day')}
      times={times}
      series={countByType(events, first, t('other_types'))}
      height={140}
    />
  )
}

function countByType(
  events: EventsChartProps['events'],
  firstDay: number,
  rest: string,
): readonly ChartSeries[] {
  const totals = new Map<string, number>()
  for (const { event_type: type } of events) totals.set(type, (totals.get(type) ?? 0) + 1)
  const types = [...totals].toSorted((a, b) => b[1] - a[1]).map(([type]) => type)
  const own = types.slice(0, TYPES_MAX)
  const names = types.length > TYPES_MAX ? [...own, rest] : own
  const values = new Map(names.map((name) => [name, Array.from({ length: DAYS }, () => 0)]))
  for (const { event_type: type, event_date: at } of events) {
    const day = Math.floor(Date.parse(at) / DAY_MS) - firstDay
    const counts = values.get(own.includes(type) ? type : rest)
    if (counts !== undefined && day >= 0 && day < DAYS) counts[day] = (counts[day] ?? 0) + 1
  }
  return [...values].map(([title, counts]) => ({ id: title, title, values: counts }))
}
