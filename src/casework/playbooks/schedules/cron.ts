// Times of a schedule by five fields, as crontab(5) has them: minute, hour, day of the month,
// month, day of the week. Pure; by the clock on the wall of a time zone.

import { readWallTime } from '../calendars/calendar.ts'

export interface Cron {
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly days: ReadonlySet<number>
  readonly months: ReadonlySet<number>
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>
  /** Both kinds of days are restricted: one of them is enough. */
  readonly isEitherDay: boolean
}

const FIELDS = [
  { name: 'the minute', min: 0, max: 59 },
  { name: 'the hour', min: 0, max: 23 },
  { name: 'the day of the month', min: 1, max: 31 },
  { name: 'the month', min: 1, max: 12 },
  { name: 'the day of the week', min: 0, max: 7 },
] as const

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
// February 29 comes once in eight years at worst.
const DAYS_MAX = 8 * 366 + 1

/** One public sentence for a text that is none. */
export function parseCron(text: string): Cron | string {
  const parts = text.trim().split(/\s+/)
  if (parts.length !== FIELDS.length) return 'must have five fields: 0 8 * * 1-5'
  const read: (readonly number[])[] = []
  for (const [at, { name, min, max }] of FIELDS.entries()) {
    const values = readField(parts[at] ?? '', min, max)
    if (values === null) return `has ${name} that is not known; it takes ${min} to ${max}`
    read.push(values)
  }
  const [minutes = [], hours = [], days = [], months = [], weekdays = []] = read
  return {
    minutes,
    hours,
    days: new Set(days),
    months: new Set(months),
    weekdays: new Set(weekdays.map((day) => day % 7)),
    isEitherDay: !parts[2]?.startsWith('*') && !parts[4]?.startsWith('*'),
  }
}

/** The values in their order, such as 1, 2 and 3 of `1-3`; null for no field. */
function readField(text: string, min: number, max: number): readonly number[] | null {
  const values = new Set<number>()
  for (const part of text.split(',')) {
    const match = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part)
    if (match === null) return null
    const [, first, last, every] = match
    const from = Number(first ?? min)
    const step = Number(every ?? 1)
    const open = first === undefined || every !== undefined ? max : from
    const until = last === undefined ? open : Number(last)
    if (from < min || until > max || until < from || step < 1) return null
    for (let value = from; value <= until; value += step) values.add(value)
  }
  return [...values].toSorted((a, b) => a - b)
}

/** The first time after this one; null when there is none in eight years. */
export function findNextTime(cron: Cron, timeZone: string, afterMs: number): number | null {
  // A day before, since the date on the wall may be another one.
  const first = Math.floor(afterMs / DAY_MS) * DAY_MS - DAY_MS
  for (let day = 0; day < DAYS_MAX; day += 1) {
    const midnight = first + day * DAY_MS
    if (!isDay(cron, new Date(midnight))) continue
    for (const hour of cron.hours) {
      for (const minute of cron.minutes) {
        const atMs = readWallTime(timeZone, midnight + (hour * 60 + minute) * MINUTE_MS)
        if (atMs > afterMs) return atMs
      }
    }
  }
  return null
}

function isDay({ days, months, weekdays, isEitherDay }: Cron, date: Date): boolean {
  if (!months.has(date.getUTCMonth() + 1)) return false
  const isOfMonth = days.has(date.getUTCDate())
  const isOfWeek = weekdays.has(date.getUTCDay())
  return isEitherDay ? isOfMonth || isOfWeek : isOfMonth && isOfWeek
}
