// Numbers and times in the chosen language and time zone.

import { usePreferences } from '../settings/preferences.ts'
import type { Language } from './define-messages.ts'
import { readLanguage } from './use-text.ts'

export interface Format {
  readonly number: (value: number) => string
  /** Date and time to the second, with the zone. */
  readonly exact: (at: Date) => string
  /** Date and time to the minute. */
  readonly time: (at: Date) => string
  readonly day: (at: Date) => string
  /** The day in UTC: of dates without a time, and of counts by day. The zone is no matter there. */
  readonly utcDay: (at: Date) => string
  /** "German" of `de`; a code that has no name stands for itself. */
  readonly language: (code: string) => string
  /** "3 minutes ago", "in 6 hours". */
  readonly relative: (at: Date, nowMs: number) => string
  /** "3 min", "6 h": for narrow columns. */
  readonly short: (at: Date, nowMs: number) => string
}

/** `zone`: for what is not told in the zone of the person, such as a day that is one of UTC. */
export function useFormat(zone?: 'utc'): Format {
  const { language, zone: chosen } = usePreferences()
  return findFormat(readLanguage(language), zone ?? chosen)
}

// Each row of a table formats, and making the formatters costs far more than formatting with them.
const formats = new Map<string, Format>()

function findFormat(language: Language, zone: 'local' | 'utc'): Format {
  const key = `${language} ${zone}`
  const format = formats.get(key) ?? buildFormat(language, zone)
  formats.set(key, format)
  return format
}

const SECOND = 1_000
const STEPS: readonly (readonly [
  unit: 'year' | 'month' | 'day' | 'hour' | 'minute',
  ms: number,
])[] = [
  ['year', 365 * 86_400 * SECOND],
  ['month', 30 * 86_400 * SECOND],
  ['day', 86_400 * SECOND],
  ['hour', 3_600 * SECOND],
  ['minute', 60 * SECOND],
]

function buildFormat(language: Language, zone: 'local' | 'utc'): Format {
  // en-GB: day before month and 24 hours, which an international desk reads without a mistake.
  const locale = language === 'de' ? 'de-DE' : 'en-GB'
  const timeZone = zone === 'utc' ? 'UTC' : undefined
  const number = new Intl.NumberFormat(locale)
  const dated = { day: 'numeric', month: 'short', year: 'numeric', timeZone } as const
  const timed = { ...dated, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const exact = new Intl.DateTimeFormat(locale, {
    ...timed,
    second: '2-digit',
    timeZoneName: 'short',
  })
  const time = new Intl.DateTimeFormat(locale, timed)
  const day = new Intl.DateTimeFormat(locale, dated)
  const utcDay = new Intl.DateTimeFormat(locale, { ...dated, timeZone: 'UTC' })
  const languages = new Intl.DisplayNames(locale, { type: 'language', fallback: 'code' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const units = new Map<string, Intl.NumberFormat>()
  const unit = (name: string, value: number): string => {
    const made = { style: 'unit', unit: name, unitDisplay: 'short' } as const
    const format = units.get(name) ?? new Intl.NumberFormat(locale, made)
    units.set(name, format)
    return format.format(value)
  }
  return {
    number: (value) => number.format(value),
    exact: (at) => exact.format(at),
    time: (at) => time.format(at),
    day: (at) => day.format(at),
    utcDay: (at) => utcDay.format(at),
    language: (code) => languages.of(code) ?? code,
    relative(at, nowMs) {
      const { name, value } = findStep(at.getTime() - nowMs)
      return relative.format(value, name)
    },
    short(at, nowMs) {
      const { name, value } = findStep(at.getTime() - nowMs)
      return unit(name, Math.abs(value))
    },
  }
}

function findStep(distanceMs: number) {
  const size = Math.abs(distanceMs)
  const [name, ms] = STEPS.find((step) => size >= step[1]) ?? (['second', SECOND] as const)
  return { name, value: Math.trunc(distanceMs / ms) }
}
