// Finds the written forms of dates in one line, before their year, order and zone are decided.
// Every pattern starts at a digit or a word and matches a limited length, so that a line is read in
// linear time.

import { sourceOf } from '../../words/compile-words.ts'
import { listMatches } from '../lines/list-matches.ts'
import { type ClockTime, readTimeAfter, readTimeBefore } from './parse-date-clock.ts'
import { findMonth } from './parse-date-words.ts'

export type WrittenDay =
  | { readonly kind: 'day'; readonly year: number; readonly month: number; readonly day: number }
  /** Day and month in an order the writing does not show. */
  | { readonly kind: 'either'; readonly year: number; readonly one: number; readonly two: number }
  | { readonly kind: 'yearless'; readonly month: number; readonly day: number }
  | { readonly kind: 'epoch'; readonly ms: number }

export interface WrittenDate {
  /** From 0. */
  readonly column: number
  readonly text: string
  readonly written: WrittenDay
  readonly time: ClockTime | null
  readonly certainty: number
}

// Logs put long requests into a line; a date stands near its start.
const LINE_LENGTH_MAX = 4_000

const L = 'A-Za-z\\u00C0-\\u024F\\u0400-\\u04FF\\u0621-\\u064A'
// The month as a word; some of the Levant are two, and one has two letters.
const MONTH = `(?:كانون|تشرين)\\s(?:ال[أا]ول|الثاني)|[${L}]{3,12}|آب`
const OF = `(?:${sourceOf('date.of', { text: 'as written' })}\\s|d['’])?`

interface DateForm {
  readonly pattern: RegExp
  readonly certainty: number
  readonly read: (groups: readonly string[]) => WrittenDay | null
}

const FORMS: readonly DateForm[] = [
  {
    // 2026-03-01, 2026/03/01, 2026.03.01, 2026. 3. 1.
    pattern: /(?<![\w.-])(\d{4})(-|\/|\.\s?)(\d{1,2})\2(\d{1,2})(?!\d|\.\d)/g,
    certainty: 0.9,
    read: ([year, , month, day]) => readDay(year, Number(month), day),
  },
  {
    // 20260301T120000Z, 20260301120000, 20260301 12:00
    pattern: /(?<![\w.-])(20\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])(?=T?\d{6}|\s\d\d:\d\d)/g,
    certainty: 0.7,
    read: ([year, month, day]) => readDay(year, Number(month), day),
  },
  {
    // 1 March 2026, 1. März 2026, 1er mars 2026, 1 de marzo de 2026, 10/Oct/2026, 01-Mar-26
    pattern: new RegExp(
      `(?<![\\w./-]|\\d:)(\\d{1,2})(?:st|nd|rd|th|er|:e|[.ºª])?[\\s/-]{0,2}${OF}(${MONTH})[.,]{0,2}[\\s/-]{0,2}${OF}(\\d{4}|\\d\\d(?!:))(?!\\d)`,
      'g',
    ),
    certainty: 0.95,
    read: ([day, month, year]) => readDay(year, findMonth(month ?? ''), day),
  },
  {
    // March 1, 2026, Mar-01-2026
    pattern: new RegExp(
      `(?<![${L}])(${MONTH})\\.?[\\s/-]{1,2}(\\d{1,2})(?:st|nd|rd|th)?(?:,\\s?|[\\s/-]{1,2})${OF}(\\d{4})(?!\\d|:\\d\\d:)`,
      'g',
    ),
    certainty: 0.95,
    read: ([month, day, year]) => readDay(year, findMonth(month ?? ''), day),
  },
  {
    // 2026 Mar 01, 2026. március 1.
    pattern: new RegExp(
      `(?<![\\w.])(\\d{4})[.,]?[\\s/-]{1,2}([${L}]{3,12})\\.?[\\s/-]{1,2}(\\d{1,2})(?!\\d)`,
      'g',
    ),
    certainty: 0.9,
    read: ([year, month, day]) => readDay(year, findMonth(month ?? ''), day),
  },
  {
    // 2026年3月1日, 2026년 3월 1일
    pattern: /(?<!\d)(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]/g,
    certainty: 0.95,
    read: ([year, month, day]) => readDay(year, Number(month), day),
  },
  {
    // 1.3.2026, 1. 3. 2026, 01/03/2026, 3-1-2026
    pattern: /(?<![\w./-])(\d{1,2})(\/|-|\.\s?)(\d{1,2})\2(\d{4}|\d\d)(?!\d|[./-]\d(?!\d:\d))/g,
    certainty: 0.8,
    read: readNumeric,
  },
  {
    // Mar  1 13:55:36 of RFC 3164, and Sun Mar  1 13:55:36 2026 of asctime, whose year takeYear
    // adds.
    pattern: new RegExp(
      `(?<![${L}])([${L}]{3,4})\\.?\\s{1,2}(\\d{1,2})(?=,?\\s{1,2}\\d\\d:\\d\\d(?!\\d))`,
      'g',
    ),
    certainty: 0.8,
    read: ([month, day]) => readYearless(month, day),
  },
  {
    // 1 Mar 13:55:36
    pattern: new RegExp(
      `(?<![\\w./-]|\\d:)(\\d{1,2})\\.?[\\s-]([${L}]{3,4})\\.?(?=,?\\s{1,2}\\d\\d:\\d\\d(?!\\d))`,
      'g',
    ),
    certainty: 0.75,
    read: ([day, month]) => readYearless(month, day),
  },
]

const EPOCH = /(?<![\w.:/@-])(1\d{9})(\d{3})?(?:\.\d{1,9})?(?![\w.-]|:\/)/g
const EPOCH_LABEL = /(?:time|date|stamp|epoch|seen|unix|\bts)[^\d]{0,12}$/i
const YEAR_AFTER = /\s{1,2}(\d{4})(?![\d:.])/y

/**
 * The dates in the order of the line, without overlaps. Every day exists in the calendar and every
 * time on the clock. Epoch seconds are found as well.
 */
export function scanDates(fullLine: string, zoneMinutes: number | null): readonly WrittenDate[] {
  const line = fullLine.slice(0, LINE_LENGTH_MAX)
  if (!/\d/.test(line)) return []
  const found = FORMS.flatMap((form) => scanForm(form, line, zoneMinutes))
  found.push(...scanEpochs(line))
  if (found.length < 2) return found
  found.sort((left, right) => left.column - right.column || right.text.length - left.text.length)
  let end = 0
  return found.filter(({ column, text }) => {
    if (column < end) return false
    end = column + text.length
    return true
  })
}

function scanForm(form: DateForm, line: string, zoneMinutes: number | null): WrittenDate[] {
  const found: WrittenDate[] = []
  for (const match of listMatches(line, form.pattern)) {
    const written = form.read(match.slice(1))
    if (written === null) continue
    const date = { column: match.index, text: match[0], written, time: null }
    found.push(addTime({ ...date, certainty: form.certainty }, line, zoneMinutes))
  }
  return found.filter(isTrusted)
}

// A year of two digits, and a day without a year, are dates only beside a time: `1.2.26` may be a
// version.
function isTrusted({ time, written, text }: WrittenDate): boolean {
  if (time !== null) return true
  return written.kind !== 'yearless' && /\d{4}/.test(text)
}

function addTime(date: WrittenDate, line: string, zoneMinutes: number | null): WrittenDate {
  const end = date.column + date.text.length
  const after = readTimeAfter(line, end, zoneMinutes)
  if (after !== null) {
    return takeYear({ ...date, text: line.slice(date.column, after.end), time: after.time }, line)
  }
  const before = readTimeBefore(line, date.column, zoneMinutes)
  if (before === null) return { ...date, certainty: date.certainty - 0.15 }
  return { ...date, column: before.start, text: line.slice(before.start, end), time: before.time }
}

// `Sun Mar  1 13:55:36 2026`, `… 13:55:36 UTC 2026`.
function takeYear(date: WrittenDate, line: string): WrittenDate {
  if (date.written.kind !== 'yearless') return date
  YEAR_AFTER.lastIndex = date.column + date.text.length
  const match = YEAR_AFTER.exec(line)
  const { month, day } = date.written
  const written = match === null ? null : readDay(match[1], month, String(day))
  if (match === null || written === null) return date
  return { ...date, text: date.text + match[0], written, certainty: 0.95 }
}

// Ten digits of seconds or thirteen of milliseconds may be any number: without a label beside it
// they are hardly a date.
function scanEpochs(line: string): WrittenDate[] {
  if (!/1\d{9}/.test(line)) return []
  return listMatches(line, EPOCH).flatMap((match) => {
    const [text, seconds = '', millis = '0'] = match
    const before = line.slice(Math.max(0, match.index - 40), match.index)
    const label = EPOCH_LABEL.test(before)
    // `id=1772352000` is a number of its own, and so is what a link carries.
    if (before.endsWith('=') && (!label || /[?&]\w{1,38}=$/.test(before))) return []
    const ms = Number(seconds) * 1_000 + Number(millis)
    return [
      {
        column: match.index,
        text,
        written: { kind: 'epoch', ms },
        time: { ms: 0, zone: 0 },
        certainty: label ? 0.85 : 0.3,
      },
    ]
  })
}

// With dots the day always comes first; with other separators the order is open.
function readNumeric([first, mark = '', second, yearText]: readonly string[]): WrittenDay | null {
  const [one, two, year] = [Number(first), Number(second), fullYear(yearText)]
  const dayFirst = checkDay(year, two, one)
  const monthFirst = checkDay(year, one, two)
  if (mark.startsWith('.')) return dayFirst ?? monthFirst
  if (dayFirst === null || monthFirst === null || one === two) return dayFirst ?? monthFirst
  return { kind: 'either', year, one, two }
}

function readDay(
  year: string | undefined,
  month: number | null,
  day: string | undefined,
): WrittenDay | null {
  return month === null ? null : checkDay(fullYear(year), month, Number(day))
}

// Allows the 29th of February here; the code that chooses the year checks it again.
function readYearless(month: string | undefined, day: string | undefined): WrittenDay | null {
  const written = readDay('2024', findMonth(month ?? ''), day)
  return written?.kind === 'day' ? { ...written, kind: 'yearless' } : null
}

// Nothing before the first abuse desks (1990) is a date of a report, and two digits are of this
// century.
function fullYear(text = ''): number {
  return text.length === 2 ? 2_000 + Number(text) : Number(text)
}

function checkDay(year: number, month: number, day: number): WrittenDay | null {
  if (year < 1_990 || year > 2_199) return null
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && month >= 1 && month <= 12
    ? { kind: 'day', year, month, day }
    : null
}
