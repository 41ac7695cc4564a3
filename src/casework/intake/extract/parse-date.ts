// Finds the dates in the text of a report, with or without a zone, in the orders and languages abuse desks write. What the writing
// leaves open (the year of a log line, whether 3/4 is in March or in April, the zone) is decided by the rest of the mail.

import { askForms, formsOf, type OutlinedText } from './line-form.ts'
import { openGate } from './line-gate.ts'
import { readTimeLine, readZoneText } from './parse-date-clock.ts'
import { listDateForms, scanDates, type WrittenDate, type WrittenDay } from './parse-date-forms.ts'
import { findIanaZone, findZonePhrase, ZONE_NAMES, ZONE_PHRASE } from './parse-date-words.ts'
import { offsetOf } from './parse-date-zones.ts'

export { parseMailDate, readMailDate } from './parse-date-mail.ts'

export interface DateOptions {
  /** The Date header: gives the year where a log leaves it out. */
  readonly mailDateMs: number | null
  /** Nothing happened more than a day after it. */
  readonly receivedAtMs: number
  /** The reporter's zone in minutes east of Greenwich, as its Date header names it; null when unknown. */
  readonly zoneMinutes: number | null
}

export interface DatedSpan {
  readonly part: string
  /** From 1. */
  readonly line: number
  /** Offset in the line, from 0. */
  readonly column: number
  readonly text: string
  readonly ms: number
  /** 0 to 1: how sure it is that this is a date, and this one. */
  readonly certainty: number
  readonly hasTime: boolean
  /** Beside it, by the report for all its times, or that of the reporter. */
  readonly zone: 'named' | 'stated' | 'assumed'
}

// Two for every row a reader makes an event of (10,000), at some microseconds each.
export const DATES_MAX = 20_000
const LINES_MAX = 20_000

const DAY_MS = 86_400_000

/** In reading order, at most `DATES_MAX`. Never one more than a day after `receivedAtMs`. */
export function findDates(
  texts: readonly OutlinedText[],
  options: DateOptions,
): readonly DatedSpan[] {
  const found = scanTexts(texts, options)
  const isMonthFirst = chooseOrder(found, options)
  const stated = findStatedZone(texts, options)
  const zone = { minutes: stated ?? options.zoneMinutes ?? 0, isStated: stated !== null }
  const spans = found.map((date) => toSpan(date, { ...options, zone }, isMonthFirst))
  return spans.filter((span) => span !== null)
}

/** The first date of one text, such as a cell or the value after a label. */
export function parseDateText(text: string, options: DateOptions): DatedSpan | null {
  return findDates([{ part: 'text', kind: 'body', lines: [text] }], options)[0] ?? null
}

interface PlacedDate extends WrittenDate {
  readonly part: string
  readonly line: number
}

// `created:` of a whois block, `©`, a deadline: dates, but not of what happened.
const OTHER_MATTER =
  /(?:^|\W)(?:created|changed|last-modified|modified|regdate|updated|expir\w*|valid (?:from|until|to)|copyright|©|deadline|bis zum|no later than|born)\W{1,12}(?:\w+\W{1,3})?$/i

function scanTexts(texts: readonly OutlinedText[], { zoneMinutes }: DateOptions): PlacedDate[] {
  const found: PlacedDate[] = []
  const dateFormsOf = askForms(listDateForms)
  for (const text of texts) {
    const { part, lines } = text
    for (const [index, form] of formsOf(text).slice(0, LINES_MAX).entries()) {
      if (found.length >= DATES_MAX) return found
      const line = lines[index] ?? ''
      for (const date of scanDates(line, zoneMinutes, dateFormsOf(form))) {
        const isOther = OTHER_MATTER.test(line.slice(Math.max(0, date.column - 40), date.column))
        const certainty = isOther ? date.certainty * 0.3 : date.certainty
        const time = date.time ?? findTimeNearby(lines, index, line, date, zoneMinutes)
        found.push({ ...date, part, line: index + 1, certainty, time })
      }
    }
  }
  return found.slice(0, DATES_MAX)
}

// `Date: 2026-03-01` and below it, or up to two lines on, `Time: 14:32 UTC`; the date must be what its line is about.
function findTimeNearby(
  lines: readonly string[],
  index: number,
  line: string,
  { column, text }: WrittenDate,
  zoneMinutes: number | null,
): WrittenDate['time'] {
  if (column > 40 || line.length > column + text.length + 20) return null
  const near = [lines[index + 1], lines[index + 2]]
  const times = near.map((next) => (next === undefined ? null : readTimeLine(next, zoneMinutes)))
  return times.find((time) => time !== null) ?? null
}

/**
 * Whether the mail writes the month before the day. In this order: a day above 12 elsewhere in the mail; a date written out that is
 * the same day in one reading only; one reading within three days before the mail while the other is a month off; the reporter's
 * zone (the Americas write the month first); the reading nearer to the mail.
 */
function chooseOrder(dates: readonly PlacedDate[], options: DateOptions): boolean {
  const open = dates.map(({ written }) => written).filter((written) => written.kind === 'either')
  if (open.length === 0) return false
  return (
    orderByShown(dates) ??
    orderBySameDay(open, dates) ??
    orderByNearness(open, options, 3, 30) ??
    orderByZone(options.zoneMinutes) ??
    orderByNearness(open, options, Number.POSITIVE_INFINITY, 0) ??
    false
  )
}

type EitherDay = Extract<WrittenDay, { kind: 'either' }>

function orderByShown(dates: readonly PlacedDate[]): boolean | null {
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

function orderBySameDay(open: readonly EitherDay[], dates: readonly PlacedDate[]): boolean | null {
  const days = new Set(
    dates.flatMap(({ written }) =>
      written.kind === 'day' ? [Date.UTC(written.year, written.month - 1, written.day)] : [],
    ),
  )
  const dayFirst = open.some((day) => days.has(readEither(day, false)))
  const monthFirst = open.some((day) => days.has(readEither(day, true)))
  return dayFirst === monthFirst ? null : monthFirst
}

function orderByNearness(
  open: readonly EitherDay[],
  { mailDateMs, receivedAtMs }: DateOptions,
  nearDays: number,
  farDays: number,
): boolean | null {
  const baseMs = mailDateMs ?? receivedAtMs
  const distance = (isMonthFirst: boolean): number =>
    Math.max(
      ...open.map((day) => {
        const agoDays = (baseMs - readEither(day, isMonthFirst)) / DAY_MS
        // What lies after the mail is no reading at all.
        return agoDays < -1.5 ? Number.POSITIVE_INFINITY : Math.abs(agoDays)
      }),
    )
  const [dayFirst, monthFirst] = [distance(false), distance(true)]
  if (dayFirst === monthFirst) return null
  const isDecided = Math.min(dayFirst, monthFirst) <= nearDays
  return isDecided && Math.max(dayFirst, monthFirst) > farDays ? monthFirst < dayFirst : null
}

// From -10:00 (Hawaii) to -04:00 (New York in summer); south of it, Brazil and Argentina at -03:00 write the day first.
function orderByZone(zoneMinutes: number | null): boolean | null {
  if (zoneMinutes === null || zoneMinutes === 0) return null
  return zoneMinutes >= -600 && zoneMinutes <= -240
}

function readEither({ year, one, two }: EitherDay, isMonthFirst: boolean): number {
  return isMonthFirst ? Date.UTC(year, one - 1, two) : Date.UTC(year, two - 1, one)
}

const ZONE_LABEL =
  /(?:time ?zone|zeitzone|fuseau horaire|huso horario|zona horaria|fuso or[aá]rio|fuso horário|tijdzone|strefa czasowa|часово[йм] пояс|časové pásmo|tidszon|saat dilimi|时区|時區|タイムゾーン|시간대)[^\p{L}\d+-]{0,6}(?:is |are |in |ist |: )?/iu
const TIMES_IN = new RegExp(
  `(?:\\b[Tt]imes(?:tamps?)?|\\bTimestamps?|\\b[Dd]ates?|\\b[Tt]ime|[Zz]eit(?:en|angaben|stempel)|[Hh]eures?|[Hh]oras?|[Oo]rari|[Tt]ijden|время)[^\\d:]{1,60}?(?:\\b(?:in|are|is|sind|en|em) |[([])\\s?(?=(?:${ZONE_NAMES.join('|')})(?![A-Za-z]))`,
  'g',
)

/** The zone that the report says all its times are in: `Time zone: CET`, `All times are UTC`, `Timestamp (UTC)`. */
function findStatedZone(texts: readonly OutlinedText[], options: DateOptions): number | null {
  const isStating = askForms(mayStateZone)
  for (const text of texts) {
    const { lines, kind } = text
    if (kind === 'enclosed') continue
    for (const [index, form] of formsOf(text).slice(0, LINES_MAX).entries()) {
      if (form.length > LINE_LENGTH_MAX || !isStating(form)) continue
      const line = lines[index] ?? ''
      const zone = readStatement(line, options) ?? readWords(line, lines[index + 1] ?? '')
      if (zone !== null) return zone
    }
  }
  return null
}

// A sentence; the bound keeps a log's long lines out.
const LINE_LENGTH_MAX = 400

function readStatement(line: string, options: DateOptions): number | null {
  const label = ZONE_LABEL.exec(line)
  if (label !== null) {
    const rest = line.slice(label.index + label[0].length)
    const iana = /^[A-Z][A-Za-z]{2,20}\/[A-Z][A-Za-z_]{2,30}/.exec(rest)?.[0]
    const atMs = options.mailDateMs ?? options.receivedAtMs
    const zone =
      iana === undefined ? readZoneText(rest, options.zoneMinutes) : findIanaZone(iana, atMs)
    if (zone !== null) return zone
  }
  for (const match of line.matchAll(TIMES_IN)) {
    const zone = readZoneText(line.slice(match.index + match[0].length), options.zoneMinutes)
    if (zone !== null) return zone
  }
  return null
}

const TIMES_ARE = /(?:\btimes?(?:tamps?)?\b|zeit(?:en|angaben|stempel)|время|时间|時間|時刻|시간)/iu
const WORDS = new RegExp(
  `${TIMES_ARE.source}[^\\d:]{1,60}?(?<![a-zа-я])(?=(?:${ZONE_PHRASE})(?![a-z]))`,
  'iu',
)

const gateOfStatements = openGate([ZONE_LABEL, TIMES_IN, TIMES_ARE])

function mayStateZone(line: string): boolean {
  if (gateOfStatements(line) === 0) return false
  return ZONE_LABEL.test(line) || line.search(TIMES_IN) !== -1 || TIMES_ARE.test(line)
}

/** `All times are Pacific Standard Time`; a sentence may go on in the next line. */
function readWords(line: string, next: string): number | null {
  if (!TIMES_ARE.test(line)) return null
  const text = /[\p{L},]\s*$/u.test(line) ? `${line.trimEnd()} ${next.trim().slice(0, 80)}` : line
  const match = WORDS.exec(text)
  if (match === null) return null
  return findZonePhrase(text, match.index + match[0].length)?.minutes ?? null
}

/** Of the times that name none themselves. */
interface OtherZone {
  readonly minutes: number
  readonly isStated: boolean
}

function toSpan(
  date: PlacedDate,
  options: DateOptions & { readonly zone: OtherZone },
  isMonthFirst: boolean,
): DatedSpan | null {
  const { part, line, column, text, written, time } = date
  const dayMs = chooseDay(written, time?.ms ?? 0, options, isMonthFirst)
  if (dayMs === null) return null
  // A day without a time has no zone to be wrong about: it is that day in UTC.
  const { zone: other } = options
  const localMs = dayMs + (time?.ms ?? 0)
  const zoneMinutes =
    time === null ? 0 : (offsetOf(time.zone ?? other.minutes, localMs) ?? other.minutes)
  const ms = localMs - zoneMinutes * 60_000
  if (ms > options.receivedAtMs + DAY_MS) return null
  const doubt = (time?.zone ?? null) === null ? 0.05 : 0
  const open = written.kind === 'either' ? 0.15 : 0
  const certainty = Math.max(0, Math.round((date.certainty - doubt - open) * 100) / 100)
  const fallback = other.isStated ? 'stated' : 'assumed'
  const zone = (time?.zone ?? null) === null ? fallback : 'named'
  return { part, line, column, text, ms, certainty, hasTime: time !== null, zone }
}

function chooseDay(
  written: WrittenDay,
  timeMs: number,
  { mailDateMs, receivedAtMs }: DateOptions,
  isMonthFirst: boolean,
): number | null {
  switch (written.kind) {
    case 'day':
      return Date.UTC(written.year, written.month - 1, written.day)
    case 'either':
      return readEither(written, isMonthFirst)
    case 'epoch':
      // An unlabelled number is taken for a time only near the report: 400 days cover a year of logs.
      return Math.abs(receivedAtMs - written.ms) > 400 * DAY_MS ? null : written.ms
    case 'yearless':
      return chooseYear(written, timeMs, mailDateMs ?? receivedAtMs)
  }
}

// The last year that does not put it after the mail. A day is left for clocks and zones: a log line of New Year's morning in Tokyo is
// nine hours ahead of a mail of the old year in UTC.
function chooseYear(
  { month, day }: { readonly month: number; readonly day: number },
  timeMs: number,
  baseMs: number,
): number | null {
  const year = new Date(baseMs).getUTCFullYear()
  // Nine years back finds a 29th of February even over 2100.
  for (let tried = year + 1; tried > year - 9; tried -= 1) {
    const ms = Date.UTC(tried, month - 1, day)
    const isReal = new Date(ms).getUTCMonth() === month - 1
    if (isReal && ms + timeMs <= baseMs + DAY_MS) return ms
  }
  return null
}
