// Spans of time in a URL: `24h` from now, or days as `2026-11-01..2026-11-20`, either of which may
// be left out. Days are those of the zone in which the person reads times.

import { startOfDay, type Zone } from '../../settings/zone.ts'

export type Span =
  | { readonly kind: 'hours'; readonly hours: number }
  | { readonly kind: 'days'; readonly from: string | null; readonly to: string | null }

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Null for another text. The last day is in the span. */
export function parseSpan(text: string, zone: Zone): Span | null {
  const hours = /^(\d{1,5})h$/.exec(text)?.[1]
  if (hours !== undefined) return { kind: 'hours', hours: Number(hours) }
  const [first = '', last = '', ...rest] = text.split('..')
  if (rest.length > 0 || !text.includes('..') || first + last === '') return null
  const from = first === '' ? null : writeStart(first, zone, 0)
  const to = last === '' ? null : writeStart(last, zone, 1)
  if ((first !== '' && from === null) || (last !== '' && to === null)) return null
  return { kind: 'days', from, to }
}

/** The two days, each empty when it is left out. */
export function splitDays(text: string): readonly [from: string, to: string] {
  const [from = '', to = ''] = text.includes('..') ? text.split('..') : []
  return [isDay(from) ? from : '', isDay(to) ? to : '']
}

export function joinDays(from: string, to: string): string {
  return from === '' && to === '' ? '' : `${from}..${to}`
}

function writeStart(day: string, zone: Zone, daysLater: number): string | null {
  return isDay(day) ? startOfDay(day, zone, daysLater).toISOString() : null
}

/** A day of the calendar, which the 45th of a month is not. */
function isDay(text: string): boolean {
  const time = new Date(`${text}T00:00:00Z`)
  return DAY.test(text) && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text)
}
