// A duration in the config of a node: seconds, ISO 8601, or hours of opening by a calendar.

import { type Static, Type } from 'typebox'
import { parseDuration } from '../../../values/duration.ts'
import { addBusinessTime, type Calendar } from '../calendars/calendar.ts'
import { CALENDAR_NAME } from '../calendars/calendar-wire.ts'
import type { Refused } from '../node-kind.ts'
import { nameOf } from './reference-config.ts'

// Runs wait for months; three years leave room for every retention.
const SECONDS_MAX = 94_608_000
// 2,000 hours are a year of full-time work.
const BUSINESS_SECONDS_MAX = 7_200_000

export function durationOf(description: string) {
  return Type.Union([Type.Integer(), Type.String()], {
    description: `${description} Seconds, or an ISO 8601 duration such as PT15M or P3DT12H.`,
  })
}

/** How long a calendar is open in it, and which calendar. */
export const BUSINESS_MEMBERS = {
  business: Type.Union([Type.Integer(), Type.String()], {
    description: 'Hours of opening, such as PT8H; a day is 24 of them.',
  }),
  calendar: nameOf('calendar', {
    pattern: CALENDAR_NAME,
    description: 'The name of a calendar of the tenant (`/beta/casework/calendars`).',
  }),
}

/** A duration, or hours of opening. */
export function spanOf(description: string) {
  return Type.Union(
    [Type.Integer(), Type.String(), Type.Object(BUSINESS_MEMBERS, { additionalProperties: false })],
    {
      description: `${description} Seconds, an ISO 8601 duration such as PT15M or P3DT12H, or hours of opening: {"business": "PT8H", "calendar": "office"}.`,
    },
  )
}

type DurationConfig = Static<ReturnType<typeof durationOf>>
export type SpanConfig = Static<ReturnType<typeof spanOf>>

/** Seconds, or one public sentence about what is wrong. */
export function readDuration(given: DurationConfig): number | string {
  const seconds = typeof given === 'string' ? parseDuration(given) : given
  if (seconds === null) {
    return 'must be seconds, or an ISO 8601 duration of weeks, days, hours, minutes and seconds'
  }
  if (seconds >= 1 && seconds <= SECONDS_MAX) return seconds
  return 'must be between 1 second and 3 years'
}

export interface Span {
  readonly seconds: number
  /** Of open time of this calendar; null for all time. */
  readonly calendar: string | null
}

/** The span, or one public sentence about what is wrong. */
export function readSpan(given: SpanConfig): Span | string {
  if (typeof given !== 'object') {
    const seconds = readDuration(given)
    return typeof seconds === 'string' ? seconds : { seconds, calendar: null }
  }
  const seconds = readDuration(given.business)
  if (typeof seconds === 'string') return seconds
  if (seconds > BUSINESS_SECONDS_MAX) return 'must be at most 2,000 hours of opening'
  return { seconds, calendar: given.calendar }
}

/** As readSpan, for a member that may be left out. */
export function readOptionalSpan(given: SpanConfig | undefined): Span | null | string {
  return given === undefined ? null : readSpan(given)
}

export function listCalendarNames(...spans: readonly (Span | null)[]): readonly string[] {
  return spans.flatMap((span) => span?.calendar ?? [])
}

export type Calendars = ReadonlyMap<string, Calendar>

/** When the span from this time on is over. */
export function addSpan(
  { seconds, calendar: name }: Span,
  from: Date,
  calendars: Calendars,
): Date | Refused {
  if (name === null) return new Date(from.getTime() + seconds * 1_000)
  const calendar = calendars.get(name)
  if (calendar === undefined) return refuseCalendar('calendar_not_found', name)
  return addBusinessTime(calendar, from, seconds) ?? refuseCalendar('calendar_is_closed', name)
}

export function refuseCalendar(
  reason: 'calendar_not_found' | 'calendar_is_closed',
  calendar: string,
): Refused {
  return { kind: 'refused', reason, output: { calendar } }
}
