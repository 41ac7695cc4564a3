// How many entries the list of a source had on each of the last days, and what the syncs changed.

import { useQuery } from '@tanstack/react-query'
import { useText } from '../../messages/use-text.ts'
import { Chart } from '../../parts/chart.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { historyQuery, type Source, type SourceHistory } from './data.ts'
import { messages } from './messages.ts'

const DAY_MS = 86_400_000
const HEIGHT = 120

export function SourceHistoryCharts({ source }: { readonly source: Source }) {
  const t = useText(messages)
  const { data, error, refetch } = useQuery(historyQuery(source.kind, source.name))
  if (data === undefined) {
    return error === null ? (
      <Loading lines={4} />
    ) : (
      <Problem error={error} onRetry={() => void refetch()} />
    )
  }
  if (data.days.length === 0) return <p className="dim flat">{t('history_none')}</p>
  const { times, entries, added, removed } = fillDays(data)
  return (
    <>
      <Chart
        title={t('history_entries')}
        times={times}
        series={[{ id: 'entries', title: t('entries'), values: entries }]}
        height={HEIGHT}
        hasTotals={false}
      />
      <Chart
        title={t('history_changes')}
        times={times}
        series={[
          { id: 'added', title: t('history_added'), values: added },
          { id: 'removed', title: t('history_removed'), values: removed },
        ]}
        height={HEIGHT}
      />
    </>
  )
}

interface FilledDays {
  readonly times: readonly Date[]
  readonly entries: readonly number[]
  readonly added: readonly number[]
  readonly removed: readonly number[]
}

/** Every day from the first sync on; a day without one has the entries of the day before. */
function fillDays({ from, to, days }: SourceHistory): FilledDays {
  const byDate = new Map(days.map((one) => [one.date, one]))
  const start = days[0] !== undefined && days[0].date > from ? days[0].date : from
  const count = Math.round((Date.parse(to) - Date.parse(start)) / DAY_MS) + 1
  const times = Array.from(
    { length: count },
    (_, day) => new Date(Date.parse(start) + day * DAY_MS),
  )
  let last = days[0]?.entries ?? 0
  const entries: number[] = []
  const added: number[] = []
  const removed: number[] = []
  for (const time of times) {
    const day = byDate.get(time.toISOString().slice(0, 10))
    last = day?.entries ?? last
    entries.push(last)
    added.push(day?.added ?? 0)
    removed.push(day?.removed ?? 0)
  }
  return { times, entries, added, removed }
}
