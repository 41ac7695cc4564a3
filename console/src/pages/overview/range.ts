// The time range of the overview as it stands in the URL: `?range=7d`, or two days of one's own,
// `?range=custom&from=2026-11-01&to=2026-11-15`.

import { readChoice, readText } from '../../search-params.ts'

export const RANGES = ['24h', '7d', '30d', '90d', 'custom'] as const
export type RangeName = (typeof RANGES)[number]
export const RANGE_DEFAULT: RangeName = '30d'

export interface OverviewSearch {
  readonly range?: RangeName | undefined
  /** Days of a custom range, both of them in it. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface TimeRange {
  readonly from: Date
  readonly to: Date
  readonly interval: 'hour' | 'day' | 'week'
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SPANS_MS = { '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS, '90d': 90 * DAY_MS }
// What the interface counts at most.
const SPAN_MS_MAX = 732 * DAY_MS
const DAY = /^\d{4}-\d{2}-\d{2}$/

export function readOverviewSearch(search: Readonly<Record<string, unknown>>): OverviewSearch {
  const day = (name: string): string | undefined => {
    const text = readText(search, name)
    return text !== undefined && DAY.test(text) && !Number.isNaN(Date.parse(text))
      ? text
      : undefined
  }
  return { range: readChoice(search, 'range', RANGES), from: day('from'), to: day('to') }
}

/** A custom range that is empty or the wrong way round counts as the default. */
export function resolveRange(search: OverviewSearch, nowMs: number): TimeRange {
  const { range = RANGE_DEFAULT, from, to } = search
  if (range === 'custom' && from !== undefined && to !== undefined) {
    const fromMs = Date.parse(from)
    const toMs = Math.min(Date.parse(to) + DAY_MS, nowMs)
    if (toMs > fromMs) return build(Math.max(fromMs, toMs - SPAN_MS_MAX), toMs)
  }
  const span = SPANS_MS[range === 'custom' ? '30d' : range]
  return build(nowMs - span, nowMs)
}

/** The same time before, to compare with. */
export function rangeBefore({ from, to, interval }: TimeRange): TimeRange {
  const span = to.getTime() - from.getTime()
  return { from: new Date(from.getTime() - span), to: from, interval }
}

function build(fromMs: number, toMs: number): TimeRange {
  const days = (toMs - fromMs) / DAY_MS
  return { from: new Date(fromMs), to: new Date(toMs), interval: chooseInterval(days) }
}

/** So many bars as a chart has room for. */
function chooseInterval(days: number): TimeRange['interval'] {
  if (days <= 2) return 'hour'
  return days <= 120 ? 'day' : 'week'
}

export function dayText(at: Date): string {
  return at.toISOString().slice(0, 10)
}
