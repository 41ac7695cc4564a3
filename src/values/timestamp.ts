// Points in time: ISO 8601 date-time with a zone from outside, milliseconds since 1970 or one
// canonical text inside.

/**
 * The milliseconds since 1970 of an ISO 8601 date-time with a zone; null when the text names no
 * instant in the years 1970 to 9999. Digits beyond the millisecond are cut. A leap second (:60) is
 * refused.
 */
export function parseInstant(text: string): number | null {
  const plain = readPlainInstant(text)
  if (plain !== null) return plain
  const instant = readAnyInstant(text)
  return typeof instant === 'number' && isInRange(instant) ? instant : null
}

/**
 * As `parseInstant`, in the form `YYYY-MM-DDTHH:MM:SS.mmmZ`. All results are of one length, so
 * comparing them as text compares the instants.
 */
export function parseTimestamp(text: string): string | null {
  const plain = readPlainInstant(text)
  // Nearly every time that machines send is canonical already.
  if (plain !== null && text.length === CANONICAL_LENGTH) return text
  const instant = plain ?? readAnyInstant(text)
  return typeof instant === 'number' && isInRange(instant) ? new Date(instant).toISOString() : null
}

// A clock that is set to the wrong zone is off by less than this; a time further ahead has not
// happened yet.
const AHEAD_MAX_MS = 24 * 60 * 60 * 1_000

const FORMAT_RULE = 'must be an ISO 8601 date-time with a zone, such as 2026-01-31T09:15:00Z'

/** Why `value` cannot be the time of something that was seen before `nowMs`; null when it can. */
export function explainWrongTime(value: unknown, nowMs: number): string | null {
  const instant = typeof value === 'string' ? readInstant(value) : 'none'
  if (instant === 'none') return FORMAT_RULE
  if (instant === 'leap_second') {
    return 'is a leap second (:60), which has no place in the time that computers keep; give the second before'
  }
  if (!isInRange(instant)) return 'must be in the years 1970 to 9999'
  return instant > nowMs + AHEAD_MAX_MS
    ? 'lies more than a day in the future; give the time at which it was seen'
    : null
}

const INSTANT_MAX_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

// Before 1970 there were no abuse reports; such a time is the zero of a broken clock in some zone.
function isInRange(instantMs: number): boolean {
  return instantMs >= 0 && instantMs <= INSTANT_MAX_MS
}

type Reading = number | 'leap_second' | 'none'

function readInstant(text: string): Reading {
  return readPlainInstant(text) ?? readAnyInstant(text)
}

const SECONDS_LENGTH = 20
const CANONICAL_LENGTH = 24

// The form of nearly every program, `2026-01-31T12:00:00Z` or with milliseconds, is read letter by
// letter: a pattern and two dates take ten times as long, and a push has a time in each row. Null
// for any other form, and for the last days of a month, which `readAnyInstant` reads.
function readPlainInstant(text: string): number | null {
  const { length } = text
  if (length !== SECONDS_LENGTH && length !== CANONICAL_LENGTH) return null
  if (text[4] !== '-' || text[7] !== '-' || text[10] !== 'T') return null
  if (text[13] !== ':' || text[16] !== ':' || text[length - 1] !== 'Z') return null
  if (length === CANONICAL_LENGTH && text[19] !== '.') return null
  const year = readPair(text, 0) * 100 + readPair(text, 2)
  const month = readPair(text, 5)
  const day = readPair(text, 8)
  const hour = readPair(text, 11)
  const minute = readPair(text, 14)
  const second = readPair(text, 17)
  const fraction = length === SECONDS_LENGTH ? 0 : readPair(text, 20) * 10 + readDigit(text, 22)
  // NaN where a digit is missing, and every comparison with NaN is false.
  const isDay = year >= 1_970 && month >= 1 && month <= 12 && day >= 1 && day <= sureDays(month)
  if (!isDay || !(hour <= 23 && minute <= 59 && second <= 59 && fraction >= 0)) return null
  const days = daysBefore(year, month) + day - 1
  return ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1_000 + fraction
}

/** The days that the month has in every year, or fewer. */
function sureDays(month: number): number {
  return month === 2 ? 28 : 30
}

function readPair(text: string, at: number): number {
  return readDigit(text, at) * 10 + readDigit(text, at + 1)
}

function readDigit(text: string, at: number): number {
  const digit = text.charCodeAt(at) - 48
  return digit >= 0 && digit <= 9 ? digit : Number.NaN
}

const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334] as const
const LEAP_YEARS_BEFORE_1970 = 477

/** Days from the start of 1970 to that of the month, in the Gregorian calendar. */
function daysBefore(year: number, month: number): number {
  // The leap day of this year has passed from March on.
  const past = month > 2 ? year : year - 1
  const leapDays = Math.trunc(past / 4) - Math.trunc(past / 100) + Math.trunc(past / 400)
  const inYear = DAYS_BEFORE_MONTH[month - 1] ?? 0
  return (year - 1_970) * 365 + inYear + leapDays - LEAP_YEARS_BEFORE_1970
}

// Seconds may be missing (ISO 8601 allows it); a zone may not: a time without one is off by up to
// half a day. Cameras and old sensors write no colon in the zone.
const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])(\d\d):?(\d\d))$/

function readAnyInstant(text: string): Reading {
  const match = INSTANT.exec(text)
  if (match === null) return 'none'
  const [, yearText, month, day, hour, minute, second = '0', fraction = ''] = match
  const year = Number(yearText)
  // Date.UTC takes the years 0 to 99 for those of the last century. 400 years later the calendar is
  // the same, and still before 1970.
  const midnight = Date.UTC(year < 100 ? year + 400 : year, Number(month) - 1, Number(day))
  // Days and months that do not exist roll over into the next.
  const date = new Date(midnight)
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return 'none'
  const offset = offsetMinutes(match[8], match[9], match[10])
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60 || offset === null) {
    return 'none'
  }
  if (Number(second) === 60) return 'leap_second'
  const minutes = Number(hour) * 60 + Number(minute) - offset
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'))
  return midnight + (minutes * 60 + Number(second)) * 1_000 + milliseconds
}

function offsetMinutes(
  sign: string | undefined,
  hours: string | undefined,
  minutes: string | undefined,
): number | null {
  if (sign === undefined) return 0
  if (Number(hours) > 23 || Number(minutes) > 59) return null
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

const DAY_SECONDS = 86_400

// Most times of one answer are of few days, so the part of the text that is the same all day is
// kept. 400 days cover every look-back in use.
const DAYS_KEPT_MAX = 400
const dayTexts = new Map<number, string>()

// An answer repeats its times: of the item, of its interactions and of each observation.
const KEPT = 64
const keptSeconds = new Float64Array(KEPT).fill(-1)
const keptTexts: string[] = Array.from({ length: KEPT }, () => '')

/**
 * `2026-01-31T12:00:00.000Z` for whole seconds since 1970; four times as fast as Date for a day
 * already met, because a look-up has up to a dozen times.
 */
export function formatSeconds(seconds: number): string {
  const at = seconds % KEPT
  if (keptSeconds[at] === seconds) return keptTexts[at] ?? ''
  const day = Math.floor(seconds / DAY_SECONDS)
  const rest = seconds - day * DAY_SECONDS
  const minute = Math.floor(rest / 60)
  const text = `${dayText(day)}${MINUTES[minute] ?? ''}${SECONDS[rest - minute * 60] ?? ''}`
  keptSeconds[at] = seconds
  keptTexts[at] = text
  return text
}

const MINUTES = Array.from(
  { length: 1_440 },
  (_, minute) => `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}:`,
)
const SECONDS = Array.from({ length: 60 }, (_, second) => `${twoDigits(second)}.000Z`)

function dayText(day: number): string {
  const known = dayTexts.get(day)
  if (known !== undefined) return known
  if (dayTexts.size >= DAYS_KEPT_MAX) dayTexts.clear()
  const text = new Date(day * DAY_SECONDS * 1_000).toISOString().slice(0, 11)
  dayTexts.set(day, text)
  return text
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}
