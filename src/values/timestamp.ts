// Points in time from outside: ISO 8601 date-time with a zone, kept in one form.

// Seconds may be missing (ISO 8601 allows it); a zone may not: a time without one is off by up to
// half a day.
const TIMESTAMP =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])(\d\d):?(\d\d))$/

const CANONICAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

// Before 1970 there were no abuse reports; such a time is the zero of a broken clock in some zone.
const YEAR_MIN = 1970

/**
 * The instant as `YYYY-MM-DDTHH:MM:SS.mmmZ`, or null when `text` names none. All results are of one
 * length, so comparing them as text compares the instants. Digits beyond the millisecond are cut. A
 * leap second (:60) is refused.
 */
export function parseTimestamp(text: string): string | null {
  const reading = readTimestamp(text)
  return reading.kind === 'instant' ? reading.text : null
}

// A clock that is set to the wrong zone is off by less than this; whatever lies further ahead has
// not happened yet.
const AHEAD_MAX_MS = 24 * 60 * 60 * 1_000

const FORMAT_RULE = 'must be an ISO 8601 date-time with a zone, such as 2026-01-31T09:15:00Z'

/** Why `value` cannot be the time of something that was seen before `nowMs`; null when it can. */
export function explainWrongTime(value: unknown, nowMs: number): string | null {
  const reading = typeof value === 'string' ? readTimestamp(value) : NO_INSTANT
  switch (reading.kind) {
    case 'none':
      return FORMAT_RULE
    case 'leap_second':
      return 'is a leap second (:60), which has no place in the time that computers keep; give the second before'
    case 'out_of_range':
      return `must be in the years ${YEAR_MIN} to 9999`
    case 'instant':
      return Date.parse(reading.text) > nowMs + AHEAD_MAX_MS
        ? 'lies more than a day in the future; give the time at which it was seen'
        : null
  }
}

type TimestampReading =
  | { readonly kind: 'instant'; readonly text: string }
  | { readonly kind: 'leap_second' | 'out_of_range' | 'none' }

const NO_INSTANT = { kind: 'none' } as const

function readTimestamp(text: string): TimestampReading {
  const match = TIMESTAMP.exec(text)
  if (match === null) return NO_INSTANT
  const year = Number(match[1])
  const month = Number(match[2])
  const day = Number(match[3])
  const hour = Number(match[4])
  const minute = Number(match[5])
  const second = Number(match[6] ?? 0)
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return NO_INSTANT
  const offset = offsetMinutes(match[8], match[9], match[10])
  if (hour > 23 || minute > 59 || second > 60 || offset === null) return NO_INSTANT
  if (second === 60) return { kind: 'leap_second' }
  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'))
  // Of nearly every time that machines send, which is then not written anew.
  if (CANONICAL.test(text) && year >= YEAR_MIN) return { kind: 'instant', text }
  const date = new Date(0)
  // Date.UTC would take the years 0 to 99 for those of the last century.
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute - offset, second, milliseconds)
  const canonicalYear = date.getUTCFullYear()
  if (canonicalYear < YEAR_MIN || canonicalYear > 9999) return { kind: 'out_of_range' }
  return { kind: 'instant', text: date.toISOString() }
}

function daysInMonth(year: number, month: number): number {
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return month === 2 && isLeapYear ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0)
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
