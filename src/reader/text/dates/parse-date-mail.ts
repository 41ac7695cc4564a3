// The Date header of a mail (RFC 5322 section 3.3), with its obsolete forms (4.3): comments, years
// of two digits, zones by name.

import { findMonth, findZone, readOffset } from './parse-date-words.ts'

export interface MailDate {
  readonly ms: number
  /**
   * Minutes east of Greenwich; null where the header says that it does not know (`-0000`) or names
   * no zone.
   */
  readonly zoneMinutes: number | null
}

// A header of this length is no date any more; the bound keeps the pattern below linear.
const LENGTH_MAX = 256

const DATE =
  /^(?:\p{L}{2,10}\.?\s{0,4},?\s{0,4})?(\d{1,2})[\s-]{1,4}(\p{L}{3,9})\.?[\s,-]{1,4}(\d{2,4})[\s,]{1,4}(\d{1,2})\s?[:.]\s?(\d\d)(?:\s?[:.]\s?(\d\d))?(?:\.\d{1,9})?\s{0,4}(?:([ap])m\s{0,4})?(?:([+-])(\d\d):?(\d\d)|([A-Za-z]{1,5})(?:([+-])(\d\d?):?(\d\d)?)?)?/iu
const ISO =
  /^(\d{4})-(\d\d)-(\d\d)[T\s](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?\s?(?:(Z)|([+-])(\d\d):?(\d\d))?/i
const ASCTIME =
  /^\p{L}{3}\s{1,2}(\p{L}{3})\s{1,2}(\d{1,2})\s(\d\d):(\d\d):(\d\d)\s(?:([A-Z]{1,5})\s)?(\d{4})(?:\s([+-])(\d\d)(\d\d))?/u

/** Null when it is no date. An unknown zone counts as UTC (RFC 5322 section 4.3). */
export function parseMailDate(text: string): number | null {
  return readMailDate(text)?.ms ?? null
}

/** The date with the zone of its writer. */
export function readMailDate(text: string): MailDate | null {
  const plain = dropComments(text.slice(0, LENGTH_MAX)).replaceAll(/\s+/g, ' ').trim()
  return readUsual(plain) ?? readIso(plain) ?? readAsctime(plain)
}

function readUsual(text: string): MailDate | null {
  const match = DATE.exec(text)
  if (match === null) return null
  const [, day, month, year, hours, minutes, seconds, half, sign, zoneHours, zoneMinutes] = match
  const [, , , , , , , , , , , name, nameSign, nameHours, nameMinutes] = match
  const zone =
    name === undefined
      ? offsetOf(sign, zoneHours, zoneMinutes)
      : (offsetOf(nameSign, nameHours, nameMinutes) ?? findZone(name, null))
  const hour =
    half === undefined ? hours : String((Number(hours) % 12) + (/p/i.test(half) ? 12 : 0))
  return buildDate([fullYear(year), findMonth(month ?? ''), day, hour, minutes, seconds], zone)
}

function readIso(text: string): MailDate | null {
  const match = ISO.exec(text)
  if (match === null) return null
  const [, year, month, day, hours, minutes, seconds, zulu, sign, zoneHours, zoneMinutes] = match
  const zone = zulu === undefined ? offsetOf(sign, zoneHours, zoneMinutes) : 0
  return buildDate([Number(year), Number(month), day, hours, minutes, seconds], zone)
}

function readAsctime(text: string): MailDate | null {
  const match = ASCTIME.exec(text)
  if (match === null) return null
  const [, month, day, hours, minutes, seconds, name, year, sign, zoneHours, zoneMinutes] = match
  const zone = offsetOf(sign, zoneHours, zoneMinutes) ?? findZone(name ?? '', null)
  return buildDate([Number(year), findMonth(month ?? ''), day, hours, minutes, seconds], zone)
}

type DateParts = readonly [
  year: number,
  month: number | null,
  day: string | undefined,
  hours: string | undefined,
  minutes: string | undefined,
  seconds: string | undefined,
]

function buildDate(parts: DateParts, zoneMinutes: number | null): MailDate | null {
  const [year, month, dayText, hours, minutes, seconds = '0'] = parts
  const [day, hour, minute, second] = [dayText, hours, minutes, seconds].map(Number)
  if (month === null || day === undefined || hour === undefined || minute === undefined) return null
  if (hour > 23 || minute > 59 || (second ?? 0) > 60) return null
  const ms = Date.UTC(year, month - 1, day, hour, minute, Math.min(second ?? 0, 59))
  // JavaScript would turn a 31st of February into a day of March.
  if (!Number.isFinite(ms) || new Date(ms).getUTCDate() !== day) return null
  return { ms: ms - (zoneMinutes ?? 0) * 60_000, zoneMinutes }
}

// `-0000` is a time in UTC whose writer's zone is unknown (RFC 5322 section 3.3).
function offsetOf(
  sign: string | undefined,
  hours: string | undefined,
  minutes: string | undefined,
): number | null {
  if (sign === undefined || hours === undefined) return null
  const offset = readOffset(sign, hours, minutes ?? '0')
  return sign === '-' && offset === 0 ? null : offset
}

// RFC 5322 section 4.3: two digits below 50 are of this century, three digits count from 1900.
function fullYear(text = ''): number {
  const year = Number(text)
  if (text.length === 4) return year
  return year < 50 && text.length === 2 ? 2_000 + year : 1_900 + year
}

/** Comments in parentheses nest; an open one ends with the text. */
function dropComments(text: string): string {
  let depth = 0
  let kept = ''
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '\\' && depth > 0) at += 1
    else if (sign === '(') depth += 1
    else if (sign === ')') depth = Math.max(0, depth - 1)
    else if (depth === 0) kept += sign
  }
  return kept
}
