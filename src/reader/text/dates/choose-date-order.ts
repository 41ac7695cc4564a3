// Decides whether a report writes the month before the day, for dates such as 3/4/2026.

import type { WrittenDate, WrittenDay } from './parse-date-forms.ts'

const DAY_MS = 86_400_000

/** What is known of the mail. */
interface OrderOptions {
  readonly mailDateMs: number | null
  readonly receivedAtMs: number
  readonly zoneMinutes: number | null
}

// A report follows within days, and the wrong reading of a date is a month off or more.
const REPORTED_WITHIN_DAYS = 3
const OTHER_BEYOND_DAYS = 30

/**
 * Whether the mail writes the month before the day. In this order: a day above 12 elsewhere in the
 * mail; a date written out that is the same day in one reading only; one reading within three days
 * before the mail while the other is a month off; the reporter's zone (the Americas write the month
 * first); the reading nearer to the mail.
 */
export function chooseOrder(dates: readonly WrittenDate[], options: OrderOptions): boolean {
  const open = dates.map(({ written }) => written).filter((written) => written.kind === 'either')
  if (open.length === 0) return false
  return (
    orderByShown(dates) ??
    orderBySameDay(open, dates) ??
    orderByNearness(open, options, REPORTED_WITHIN_DAYS, OTHER_BEYOND_DAYS) ??
    orderByZone(options.zoneMinutes) ??
    orderByNearness(open, options, Number.POSITIVE_INFINITY, 0) ??
    false
  )
}

export type EitherDay = Extract<WrittenDay, { kind: 'either' }>

/** By days above 12, which show their order; null where as many show the one as the other. */
function orderByShown(dates: readonly WrittenDate[]): boolean | null {
  const shown = dates.flatMap(({ text, written }) => {
    const match = /(\d{1,2})([/-])(\d{1,2})\2\d{2,4}/.exec(text)
    if (written.kind !== 'day' || match === null || match[1] === match[3]) return []
    return [Number(match[3]) > 12]
  })
  const monthFirst = shown.filter(Boolean).length
  return shown.length === 0 || monthFirst * 2 === shown.length
    ? null
    : monthFirst * 2 > shown.length
}

function orderBySameDay(open: readonly EitherDay[], dates: readonly WrittenDate[]): boolean | null {
  const days = new Set(
    dates.flatMap(({ written }) =>
      written.kind === 'day' ? [Date.UTC(written.year, written.month - 1, written.day)] : [],
    ),
  )
  const dayFirst = open.some((day) => days.has(readEither(day, false)))
  const monthFirst = open.some((day) => days.has(readEither(day, true)))
  return dayFirst === monthFirst ? null : monthFirst
}

/**
 * The reading whose dates are at most `nearDays` from the mail, where those of the other are more
 * than `farDays` off.
 */
function orderByNearness(
  open: readonly EitherDay[],
  { mailDateMs, receivedAtMs }: OrderOptions,
  nearDays: number,
  farDays: number,
): boolean | null {
  const baseMs = mailDateMs ?? receivedAtMs
  const distance = (isMonthFirst: boolean): number =>
    Math.max(
      ...open.map((day) => {
        const agoDays = (baseMs - readEither(day, isMonthFirst)) / DAY_MS
        // A date after the mail is impossible.
        return agoDays < -1.5 ? Number.POSITIVE_INFINITY : Math.abs(agoDays)
      }),
    )
  const [dayFirst, monthFirst] = [distance(false), distance(true)]
  if (dayFirst === monthFirst) return null
  const isDecided = Math.min(dayFirst, monthFirst) <= nearDays
  return isDecided && Math.max(dayFirst, monthFirst) > farDays ? monthFirst < dayFirst : null
}

// From -10:00 (Hawaii) to -04:00 (New York in summer); south of it, Brazil and Argentina at -03:00
// write the day first.
function orderByZone(zoneMinutes: number | null): boolean | null {
  if (zoneMinutes === null || zoneMinutes === 0) return null
  return zoneMinutes >= -600 && zoneMinutes <= -240
}

export function readEither({ year, one, two }: EitherDay, isMonthFirst: boolean): number {
  return isMonthFirst ? Date.UTC(year, one - 1, two) : Date.UTC(year, two - 1, one)
}
