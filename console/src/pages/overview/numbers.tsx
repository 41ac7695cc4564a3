// The four numbers at the top, each with where it comes from and a line of how it went.

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMay } from '../../data/session.ts'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { Sparkline } from '../../parts/chart.tsx'
import { FormProblem } from '../../parts/form-problem.tsx'
import { PathLink } from '../../parts/path-link.tsx'
import { usePreferences } from '../../settings/preferences.ts'
import { eventsOfTodayQuery, openCountsQuery, statsQuery } from './data.ts'
import { messages } from './messages.ts'
import type { OverviewSearch } from './range.ts'
import { useLength } from './use-length.ts'

interface WithSearch {
  readonly search: OverviewSearch
}

export function Numbers({ search }: WithSearch) {
  const t = useText(messages)
  const maySeeEvents = useMay('events:read')
  return (
    <section className="numbers" aria-label={t('numbers')}>
      <OpenNumber search={search} />
      <OverdueNumber />
      {maySeeEvents && <TodayNumber />}
      <MedianNumber search={search} />
    </section>
  )
}

interface TileProps {
  readonly title: string
  readonly path?: string
  readonly value: string | undefined
  readonly trend: string | undefined
  readonly spark?: ReactNode
  readonly tone?: 'red' | undefined
  readonly error: unknown
}

function Tile({ title, path, value, trend, spark, tone, error }: TileProps) {
  return (
    <div className="tile">
      <div className="tile-title">
        {path === undefined ? title : <PathLink path={path}>{title}</PathLink>}
      </div>
      <div className="tile-line">
        <span className="tile-value" data-tone={tone}>
          {value ?? <span className="tile-wait" />}
        </span>
        {spark}
      </div>
      <div className="dim small tile-trend">{trend}</div>
      {error !== null && <FormProblem error={error} />}
    </div>
  )
}

function OpenNumber({ search }: WithSearch) {
  const t = useText(messages)
  const format = useFormat()
  const counts = useQuery(openCountsQuery)
  const opened = useQuery(
    statsQuery(search, { metric: 'cases_opened', by: 'state', hasSeries: true }),
  )
  const ended = useQuery(statsQuery(search, { metric: 'cases_ended', hasSeries: true }))
  const open = counts.data?.open
  const values =
    open === undefined ? [] : openOverTime(open, opened.data?.series, ended.data?.series)
  const change =
    opened.data === undefined || ended.data === undefined
      ? undefined
      : opened.data.total - ended.data.total
  const size = format.number(Math.abs(change ?? 0))
  return (
    <Tile
      title={t('open')}
      path="/cases"
      value={open === undefined ? undefined : format.number(open)}
      trend={change === undefined ? undefined : t(trendOf(change), { count: size })}
      spark={values.length > 1 && <Sparkline values={values} label={t('spark_open')} />}
      error={counts.error}
    />
  )
}

function trendOf(change: number): 'open_same' | 'open_more' | 'open_fewer' {
  if (change === 0) return 'open_same'
  return change > 0 ? 'open_more' : 'open_fewer'
}

/** Backwards from how many are open now. Cases that were opened again count from their opening. */
function openOverTime(
  open: number,
  opened: readonly { readonly count: number }[] = [],
  ended: readonly { readonly count: number }[] = [],
): readonly number[] {
  const values: number[] = []
  let now = open
  for (let index = Math.min(opened.length, ended.length) - 1; index >= 0; index -= 1) {
    values.unshift(Math.max(0, now))
    now += (ended[index]?.count ?? 0) - (opened[index]?.count ?? 0)
  }
  return values
}

function OverdueNumber() {
  const t = useText(messages)
  const format = useFormat()
  const { data, error } = useQuery(openCountsQuery)
  return (
    <Tile
      title={t('overdue')}
      path="/cases?due=0h"
      value={data === undefined ? undefined : format.number(data.overdue)}
      tone={data !== undefined && data.overdue > 0 ? 'red' : undefined}
      trend={data === undefined ? undefined : t('overdue_soon', { count: data.dueSoon })}
      error={error}
    />
  )
}

function TodayNumber() {
  const t = useText(messages)
  const format = useFormat()
  const { zone } = usePreferences()
  const { data, error } = useQuery(eventsOfTodayQuery(zone))
  return (
    <Tile
      title={t('today')}
      path="/events"
      value={data === undefined ? undefined : format.number(data.today)}
      trend={
        data === undefined ? undefined : t('today_before', { count: format.number(data.yesterday) })
      }
      spark={data !== undefined && <Sparkline values={data.hours} label={t('spark_today')} />}
      error={error}
    />
  )
}

function MedianNumber({ search }: WithSearch) {
  const t = useText(messages)
  const say = useLength()
  const now = useQuery(statsQuery(search, { metric: 'cases_ended', hasSeries: true }))
  const before = useQuery(statsQuery(search, { metric: 'cases_ended', isBefore: true }))
  const median = now.data?.median_seconds
  const former = before.data?.median_seconds
  const values = (now.data?.series ?? []).flatMap(({ median_seconds: one }) => one ?? [])
  const trend = former === undefined ? undefined : t('median_before', { before: say(former) })
  return (
    <Tile
      title={t('median')}
      value={valueOf(now.data === undefined, median, say, t('no_value'))}
      trend={now.data !== undefined && median === undefined ? t('median_none') : trend}
      spark={values.length > 1 && <Sparkline values={values} label={t('spark_median')} />}
      error={now.error}
    />
  )
}

function valueOf(
  isLoading: boolean,
  seconds: number | undefined,
  say: (seconds: number) => string,
  none: string,
): string | undefined {
  if (isLoading) return undefined
  return seconds === undefined ? none : say(seconds)
}
