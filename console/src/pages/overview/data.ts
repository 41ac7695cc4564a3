// What the overview asks the interface. Counts of a range are asked for by its name, so that a
// moment that passes makes no new question.

import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { casework } from '../../data/client.ts'
import { startOfDayOf, type Zone } from '../../settings/zone.ts'
import { type OverviewSearch, rangeBefore, resolveRange, type TimeRange } from './range.ts'

export type Stats = Schemas['Stats']

type Asked = Readonly<{
  metric: Schemas['StatsMetric']
  by?: string
  limit?: number
  hasSeries?: boolean
  isBefore?: boolean
}>

/** Counts of the range of the URL. */
export function statsQuery(search: OverviewSearch, asked: Asked) {
  return queryOptions({
    queryKey: ['overview', 'stats', search, asked],
    queryFn: ({ signal }) => {
      const range = resolveRange(search, Date.now())
      return askStats(asked.isBefore === true ? rangeBefore(range) : range, asked, signal)
    },
    // The former range stays until the next one has come.
    placeholderData: keepPreviousData,
  })
}

async function askStats(
  { from, to, interval }: TimeRange,
  { metric, by, limit, hasSeries = false }: Asked,
  signal: AbortSignal,
): Promise<Stats> {
  return await casework.get('/beta/casework/stats', {
    params: {
      query: {
        metric,
        ...(by === undefined ? {} : { by }),
        ...(limit === undefined ? {} : { limit }),
        ...(hasSeries ? { interval } : {}),
        from: from.toISOString(),
        to: to.toISOString(),
      },
    },
    signal,
  })
}

export interface EventsOfToday {
  readonly today: number
  /** Up to the same time of yesterday. */
  readonly yesterday: number
  /** By the hour, from the midnight before the last. */
  readonly hours: readonly number[]
}

/** Days begin at midnight of the zone. */
export const eventsOfTodayQuery = (zone: Zone) =>
  queryOptions({
    queryKey: ['overview', 'today', zone],
    queryFn: async ({ signal }): Promise<EventsOfToday> => {
      const now = new Date()
      const [midnight, before] = [startOfDayOf(now, zone), startOfDayOf(now, zone, -1)]
      const sameTime = new Date(before.getTime() + now.getTime() - midnight.getTime())
      const ask = (from: Date, to: Date, hasSeries = false): Promise<Stats> =>
        askStats({ from, to, interval: 'hour' }, { metric: 'events', hasSeries }, signal)
      // The hours are whole ones of UTC, so a sum of them would not end at this minute of yesterday.
      const [both, yesterday] = await Promise.all([ask(before, now, true), ask(before, sameTime)])
      const series = both.series ?? []
      return {
        today: series
          .filter(({ at }) => Date.parse(at) >= midnight.getTime())
          .reduce((total, { count }) => total + count, 0),
        yesterday: yesterday.total,
        hours: series.map(({ count }) => count),
      }
    },
  })

export interface OpenCounts {
  readonly open: number
  readonly overdue: number
  readonly dueSoon: number
}

const OPEN_STATES = ['NEW', 'IN_PROGRESS'] as const

export const openCountsQuery = queryOptions({
  queryKey: ['cases', 'counts', 'overview'],
  queryFn: async ({ signal }): Promise<OpenCounts> => {
    const count = async (query: Readonly<Record<string, string | number>>): Promise<number> => {
      const answer = await casework.get('/beta/casework/cases/counts', {
        params: { query },
        signal,
      })
      return OPEN_STATES.reduce((total, state) => total + answer.counts[state], 0)
    }
    const [open, overdue, dueSoon] = await Promise.all([
      count({}),
      count({ due_within_hours: 0 }),
      count({ due_within_hours: 24 }),
    ])
    return { open, overdue, dueSoon: Math.max(0, dueSoon - overdue) }
  },
})

const RUNS_MAX = 8

export const failedRunsQuery = queryOptions({
  queryKey: ['runs', 'list', 'failed', RUNS_MAX],
  queryFn: ({ signal }) =>
    casework.get('/beta/casework/runs', {
      params: { query: { state: 'failed', limit: RUNS_MAX, order: 'desc' } },
      signal,
    }),
})
