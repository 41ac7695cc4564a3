// Times as cells of tables and XML write them: ISO, day or month first, month names, epochs,
// spreadsheet serials; UTC without a zone, as Shadowserver's rows are. Apart from
// reader/text/dates/parse-date.ts because a whole cell is the time, and its column tells the order
// and zone.

import { listPhrases, type Meaning } from '../words/compile-words.ts'

export interface TimeReading {
  /** Of `3/4/2026`: true is the third of April, false the fourth of March. */
  readonly dayFirst?: boolean
  /** East of UTC, for times that name no zone. */
  readonly zoneMinutes?: number
  /** Numbers such as 46083.5 are days since 1899-12-30, as spreadsheets keep them. */
  readonly serial?: boolean
}

interface DateParts {
  readonly year: number
  readonly month: number
  readonly day: number
  /** What follows the date. */
  readonly rest: string
}

// Longer texts are prose with a date in it, which is not for tables.
const LENGTH_MAX = 64

/** Milliseconds since 1970, or null when the text is no time. */
export function readTableTime(text: string, reading: TimeReading = {}): number | null {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.length > LENGTH_MAX) return null
  const number = readNumber(trimmed, reading.serial ?? false)
  if (number !== null) return number
  const date = readDate(trimmed.replace(WEEKDAY, ''), reading.dayFirst ?? true)
  if (date === null) return null
  const clock = readClock(date.rest, reading.zoneMinutes ?? 0)
  const midnightMs = Date.UTC(date.year, date.month - 1, date.day)
  const isReal = new Date(midnightMs).getUTCDate() === date.day && date.month <= 12
  return clock === null || !isReal ? null : midnightMs + clock
}

/**
 * What the slashes of a column mean, as far as its values tell: one above 12 decides; a clock with
 * am and pm is American.
 */
export function guessDayFirst(values: readonly string[]): boolean {
  let hasMeridiem = false
  for (const value of values) {
    const match = /^\s*(\d{1,2})[/-](\d{1,2})[/-]\d{2,4}/.exec(value.slice(0, LENGTH_MAX))
    if (match === null) continue
    if (Number(match[1]) > 12) return true
    if (Number(match[2]) > 12) return false
    hasMeridiem ||= /\d\s?[ap]\.?m\b/i.test(value.slice(0, LENGTH_MAX))
  }
  return !hasMeridiem
}

/** The zone that a column's name tells (`Time (CET)`, `timestamp_utc`), in minutes east of UTC. */
export function findZoneInName(name: string): number {
  for (const word of name.split(/[^\p{L}\d+:-]+/u)) {
    const zone = word === '' ? null : readZone(word)
    if (zone !== null) return zone
  }
  return 0
}

const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? /i
const EPOCH_MIN_S = 631_152_000 // 1990-01-01
const EPOCH_MAX_S = 4_102_444_800 // 2100-01-01
const SERIAL_EPOCH_MS = Date.UTC(1899, 11, 30)

function readNumber(text: string, serial: boolean): number | null {
  if (!/^\d{5,13}(?:\.\d{1,12})?$/.test(text)) return null
  const value = Number(text)
  // 1990 to 2100 as serials.
  if (serial && value >= 32_874 && value < 73_051) {
    return SERIAL_EPOCH_MS + Math.round(value * 86_400) * 1_000
  }
  if (value >= EPOCH_MIN_S && value < EPOCH_MAX_S) return Math.floor(value * 1_000)
  if (value >= EPOCH_MIN_S * 1_000 && value < EPOCH_MAX_S * 1_000) return Math.floor(value)
  return null
}

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)(.*)$/
const COMPACT = /^(\d{4})(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d))?(Z?)$/
const YEAR_LAST = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)(?!\d)(.*)$/
const DAY_MONTH =
  /^(\d{1,2})(?:st|nd|rd|th|\.)?[-/ ]([\p{L}]{3,10})\.?[-/ ,]{1,2}(\d{4})(?!\d):?(.*)$/u
const MONTH_DAY = /^([\p{L}]{3,10})\.? {1,2}(\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)(.*)$/u
// As asctime writes it: the year comes last.
const ASCTIME =
  /^([\p{L}]{3}) {1,2}(\d{1,2}) (\d\d:\d\d:\d\d(?:\.\d{1,9})?) (?:([A-Z]{1,5}) )?(\d{4})$/u

function readDate(text: string, dayFirst: boolean): DateParts | null {
  let match = YEAR_FIRST.exec(text)
  if (match !== null) return datePartsOf(match[1], match[2], match[3], match[4])
  match = COMPACT.exec(text)
  if (match !== null) {
    const [, year, month, day, hour, minute, second, zone] = match
    const clock = hour === undefined ? '' : ` ${hour}:${minute}:${second}${zone}`
    return datePartsOf(year, month, day, clock)
  }
  match = YEAR_LAST.exec(text)
  if (match !== null) {
    const [, first, separator, second, year, rest] = match
    const isDayFirst = separator === '.' || dayFirst
    return datePartsOf(year, isDayFirst ? second : first, isDayFirst ? first : second, rest)
  }
  return readNamedMonth(text)
}

function readNamedMonth(text: string): DateParts | null {
  let match = DAY_MONTH.exec(text)
  if (match !== null) return datePartsOf(match[3], monthOf(match[2]), match[1], ` ${match[4]}`)
  match = MONTH_DAY.exec(text)
  if (match !== null) return datePartsOf(match[3], monthOf(match[1]), match[2], match[4])
  match = ASCTIME.exec(text)
  if (match === null) return null
  return datePartsOf(match[5], monthOf(match[1]), match[2], ` ${match[3]} ${match[4] ?? ''}`)
}

// The first three letters of the months in the languages that exports are written in.
const MONTH_BEGINNINGS = [
  'month-beginning.january',
  'month-beginning.february',
  'month-beginning.march',
  'month-beginning.april',
  'month-beginning.may',
  'month-beginning.june',
  'month-beginning.july',
  'month-beginning.august',
  'month-beginning.september',
  'month-beginning.october',
  'month-beginning.november',
  'month-beginning.december',
] as const satisfies readonly Meaning[]
const MONTHS = MONTH_BEGINNINGS.map(listPhrases)

function monthOf(word: string | undefined): string {
  const name = (word ?? '').toLowerCase()
  // June and July of French share their first three letters.
  if (name.startsWith('juil')) return '7'
  return String(MONTHS.findIndex((names) => names.includes(name.slice(0, 3))) + 1)
}

function datePartsOf(
  yearText: string | undefined,
  monthText: string | undefined,
  dayText: string | undefined,
  rest: string | undefined,
): DateParts | null {
  const shortYear = Number(yearText)
  const year = shortYear < 100 ? 2_000 + shortYear : shortYear
  const month = Number(monthText)
  const day = Number(dayText)
  if (year < 1990 || year > 2100 || month < 1 || month > 12 || day < 1 || day > 31) return null
  return { year, month, day, rest: rest ?? '' }
}

const CLOCK =
  /^(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s{0,2}([ap]\.?m\.?)?\s{0,2}(.{0,20})$/i

/**
 * Milliseconds after midnight UTC of the date; null when it is no clock. A date alone is its
 * midnight.
 */
function readClock(text: string, zoneMinutes: number): number | null {
  const clock = text.replace(/^[T_, ]{1,4}/i, '').trim()
  if (clock === '') return -zoneMinutes * 60_000
  const match = CLOCK.exec(clock)
  if (match === null) return null
  const [, hourText, minuteText, secondText, fraction, meridiem, zoneText] = match
  const minute = Number(minuteText)
  const second = Number(secondText ?? 0)
  const hour = hourOf(Number(hourText), meridiem)
  if (hour > 24 || minute > 59 || second > 60) return null
  const zone = zoneText === undefined || zoneText === '' ? zoneMinutes : readZone(zoneText)
  if (zone === null) return null
  const ms = Number((fraction ?? '').padEnd(3, '0').slice(0, 3))
  return ((hour * 60 + minute - zone) * 60 + second) * 1_000 + ms
}

function hourOf(hour: number, meridiem: string | undefined): number {
  if (meridiem === undefined) return hour
  return (hour % 12) + (meridiem.toLowerCase().startsWith('p') ? 12 : 0)
}

const ZONES: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  Z: 0,
  WET: 0,
  WEST: 60,
  BST: 60,
  CET: 60,
  MEZ: 60,
  CEST: 120,
  MESZ: 120,
  EET: 120,
  EEST: 180,
  MSK: 180,
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
  BRT: -180,
  IST: 330,
  JST: 540,
  KST: 540,
  AEST: 600,
  AEDT: 660,
}

/** Minutes east of UTC of `+01:00`, `CET`, `UTC+1`, `(GMT)`; null when it is no zone we know. */
export function readZone(text: string): number | null {
  const word = text.replaceAll(/[()[\]\s]/g, '').toUpperCase()
  if (Object.hasOwn(ZONES, word)) return ZONES[word] ?? null
  const match = /^(?:UTC|GMT)?([+-])(\d{1,2}):?(\d\d)?(?:[A-Z]{2,5})?$/.exec(word)
  if (match === null) return null
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0)
  if (minutes > 14 * 60) return null
  return match[1] === '-' ? -minutes : minutes
}
