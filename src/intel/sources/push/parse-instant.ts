// Points in time of pushed rows: ISO 8601 date-time with a zone, as milliseconds since 1970.

// Cameras and old sensors write no colon in the zone; a time without any zone is off by up to half
// a day and refused.
const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])(\d\d):?(\d\d))$/

/**
 * The instant, digits beyond the millisecond cut, or null when the text names none. A leap second
 * (:60) is refused.
 */
export function parseInstant(text: string): number | null {
  return parsePlainInstant(text) ?? parseAnyInstant(text)
}

// As programs write it, `2026-01-31T12:00:00Z` or with milliseconds: read letter by letter, since a
// pattern and two dates take ten times as long, which was a fifth of reading a push (measured).
// Null: not written so, or no such day, which the other decides.
function parsePlainInstant(text: string): number | null {
  const { length } = text
  if (length !== 20 && length !== 24) return null
  if (text[4] !== '-' || text[7] !== '-' || text[10] !== 'T') return null
  if (text[13] !== ':' || text[16] !== ':' || text[length - 1] !== 'Z') return null
  if (length === 24 && text[19] !== '.') return null
  const year = readPair(text, 0) * 100 + readPair(text, 2)
  const month = readPair(text, 5)
  const day = readPair(text, 8)
  const hour = readPair(text, 11)
  const minute = readPair(text, 14)
  const second = readPair(text, 17)
  const fraction = length === 20 ? 0 : readPair(text, 20) * 10 + readDigit(text, 22)
  // Not a number where a digit is missing, and no comparison holds of that.
  const isDay = year >= 1_970 && month >= 1 && month <= 12 && day >= 1 && day <= daysOfAny(month)
  if (!isDay || !(hour <= 23 && minute <= 59 && second <= 59 && fraction >= 0)) return null
  const days = daysBefore(year, month) + day - 1
  return ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1_000 + fraction
}

// So many days it has in every year; what lies beyond is read with more care.
function daysOfAny(month: number): number {
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

function parseAnyInstant(text: string): number | null {
  const match = INSTANT.exec(text)
  if (match === null) return null
  const [, year, month, day, hour, minute, second = '0', fraction = '', sign] = match
  const dayNumber = Number(day)
  const midnight = Date.UTC(Number(year), Number(month) - 1, dayNumber)
  // Days and months that do not exist roll over into the next.
  const date = new Date(midnight)
  if (date.getUTCDate() !== dayNumber || date.getUTCMonth() !== Number(month) - 1) return null
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const time = (Number(hour) * 60 + Number(minute)) * 60 + Number(second)
  const zoneHours = Number(match[9] ?? 0)
  const zoneMinutes = Number(match[10] ?? 0)
  if (zoneHours > 23 || zoneMinutes > 59) return null
  const offset = (sign === '-' ? -1 : 1) * (zoneHours * 60 + zoneMinutes) * 60
  return midnight + (time - offset) * 1_000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
}
