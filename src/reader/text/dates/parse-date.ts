// Finds the dates in the text of a report, with or without a zone, in many orders and languages.
// The rest of the mail decides ambiguities: the year of a log line, whether 3/4 is in March or in
// April, the zone.

import type { ReadableText } from '../../mail/mail.ts'
import { chooseOrder, readEither } from './choose-date-order.ts'
import { readTimeLine } from './parse-date-clock.ts'
import { scanDates, type WrittenDate, type WrittenDay } from './parse-date-forms.ts'
import { offsetOf, type Zone } from './parse-date-zones.ts'
import { findStatedZone } from './stated-zone.ts'

export { parseMailDate, readMailDate } from './parse-date-mail.ts'

export interface DateOptions {
  /** The Date header: gives the year where a log leaves it out. */
  readonly mailDateMs: number | null
  /** The time of arrival; no date is more than a day after it. */
  readonly receivedAtMs: number
  /**
   * The reporter's zone in minutes east of Greenwich, as its Date header names it; null when
   * unknown.
   */
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
  texts: readonly ReadableText[],
  options: DateOptions,
): readonly DatedSpan[] {
  return [...new Dates(texts, options).all()]
}

/** The first date of one text, such as a cell or the value after a label. */
export function parseDateText(text: string, options: DateOptions): DatedSpan | null {
  return findDates([{ part: 'text', kind: 'body', lines: [text] }], options)[0] ?? null
}

interface LocatedDate extends WrittenDate {
  readonly part: string
  readonly line: number
}

/**
 * The dates of a report. A line is parsed on demand, because only a few lines of a long log matter.
 */
export class Dates {
  readonly #texts: readonly ReadableText[]
  readonly #options: DateOptions
  readonly #written = new Map<ReadableText, LocatedDate[][]>()
  #left = DATES_MAX
  #isMonthFirst: boolean | null = null
  #zone: DefaultZone | null = null

  constructor(texts: readonly ReadableText[], options: DateOptions) {
    this.#texts = texts
    this.#options = options
  }

  /** In the order of the line, which counts from 1. */
  inLine(part: string, line: number): readonly DatedSpan[] {
    const text = this.#texts.find((each) => each.part === part)
    return text === undefined ? [] : this.#spansOf(text, line - 1)
  }

  /** In reading order. */
  *all(): Generator<DatedSpan> {
    for (const text of this.#texts) {
      for (const index of this.#indexesOf(text)) yield* this.#spansOf(text, index)
    }
  }

  #indexesOf({ lines }: ReadableText): readonly number[] {
    return [...lines.slice(0, LINES_MAX).keys()]
  }

  #spansOf(text: ReadableText, index: number): readonly DatedSpan[] {
    return this.#read(text, index)
      .map((date) => this.#toSpan(date))
      .filter((span) => span !== null)
  }

  #toSpan(date: LocatedDate): DatedSpan | null {
    const defaultZone = this.#findZone()
    const isMonthFirst = date.written.kind === 'either' && this.#findOrder()
    return toSpan(date, { ...this.#options, defaultZone }, isMonthFirst)
  }

  #findOrder(): boolean {
    this.#isMonthFirst ??= chooseOrder(
      this.#texts.flatMap((text) =>
        this.#indexesOf(text).flatMap((index) => this.#read(text, index)),
      ),
      this.#options,
    )
    return this.#isMonthFirst
  }

  #findZone(): DefaultZone {
    if (this.#zone !== null) return this.#zone
    const stated = findStatedZone(this.#texts, this.#options)
    const zone = stated ?? this.#options.zoneMinutes ?? 0
    this.#zone = { zone, isStated: stated !== null }
    return this.#zone
  }

  #read(text: ReadableText, index: number): readonly LocatedDate[] {
    const known = this.#written.get(text) ?? []
    this.#written.set(text, known)
    const dates = known[index] ?? this.#scan(text, index)
    known[index] = dates
    return dates
  }

  #scan({ part, lines }: ReadableText, index: number): LocatedDate[] {
    const { zoneMinutes } = this.#options
    const line = lines[index] ?? ''
    const found = scanDates(line, zoneMinutes).slice(0, this.#left)
    this.#left -= found.length
    return found.map((date) => {
      const isOther = OTHER_MATTER.test(line.slice(Math.max(0, date.column - 40), date.column))
      const certainty = isOther ? date.certainty * 0.3 : date.certainty
      const time = date.time ?? findTimeNearby(lines, index, line, date, zoneMinutes)
      return { ...date, part, line: index + 1, certainty, time }
    })
  }
}

// `created:` of a whois block, `©`, a deadline: these dates are not the time of the abuse.
const OTHER_MATTER =
  /(?:^|\W)(?:created|changed|last-modified|modified|regdate|updated|expir\w*|valid (?:from|until|to)|copyright|©|deadline|bis zum|no later than|born)\W{1,12}(?:\w+\W{1,3})?$/i

// `Date: 2026-03-01` and below it, or up to two lines on, `Time: 14:32 UTC`; the date must be what
// its line is about.
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

/** The zone of times that name none. */
interface DefaultZone {
  readonly zone: Zone
  readonly isStated: boolean
}

function toSpan(
  date: LocatedDate,
  options: DateOptions & { readonly defaultZone: DefaultZone },
  isMonthFirst: boolean,
): DatedSpan | null {
  const { part, line, column, text, written, time } = date
  const dayMs = chooseDay(written, time?.ms ?? 0, options, isMonthFirst)
  if (dayMs === null) return null
  // A day without a time has no zone to be wrong about: it is that day in UTC.
  const { defaultZone } = options
  const localMs = dayMs + (time?.ms ?? 0)
  const zoneMinutes =
    time === null
      ? 0
      : (offsetOf(time.zone ?? defaultZone.zone, localMs) ??
        offsetOf(defaultZone.zone, localMs) ??
        0)
  const ms = localMs - zoneMinutes * 60_000
  if (ms > options.receivedAtMs + DAY_MS) return null
  const namesZone = (time?.zone ?? null) !== null
  const zoneDoubt = namesZone ? 0 : 0.05
  const orderDoubt = written.kind === 'either' ? 0.15 : 0
  const certainty = Math.max(0, Math.round((date.certainty - zoneDoubt - orderDoubt) * 100) / 100)
  const fallback = defaultZone.isStated ? 'stated' : 'assumed'
  const zone = namesZone ? 'named' : fallback
  return { part, line, column, text, ms, certainty, hasTime: time !== null, zone }
}

// A bare number is taken for a time only near the report: this covers a year of logs.
const EPOCH_DAYS_MAX = 400

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
      return Math.abs(receivedAtMs - written.ms) > EPOCH_DAYS_MAX * DAY_MS ? null : written.ms
    case 'yearless':
      return chooseYear(written, timeMs, mailDateMs ?? receivedAtMs)
  }
}

// The last year that does not put it after the mail. A day is left for clocks and zones: a log line
// of New Year's morning in Tokyo is nine hours ahead of a mail of the old year in UTC.
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
