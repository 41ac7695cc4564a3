// Finds the dates in the text of a report, with or without a zone, in the orders and languages abuse desks write (reference of forms:
// RFC 3339, RFC 5322, RFC 3164, the common log format).

import type { ReadableText } from '../mail/mail.ts'

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
  readonly zone: 'named' | 'assumed'
}

/** In reading order, at most `DATES_MAX`. Never one more than a day after `receivedAtMs`. */
export function findDates(
  texts: readonly ReadableText[],
  options: DateOptions,
): readonly DatedSpan[] {
  const limitMs = options.receivedAtMs + 86_400_000
  return texts.flatMap(({ part, lines }) =>
    lines.flatMap((line, index): DatedSpan[] => {
      const match = /\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}:\d{2})?/.exec(line)
      if (match === null) return []
      const hasTime = match[0].length > 10
      const ms = Date.parse(hasTime ? `${match[0].replace(' ', 'T')}Z` : match[0])
      if (!Number.isFinite(ms) || ms > limitMs) return []
      return [
        {
          part,
          line: index + 1,
          column: match.index,
          text: match[0],
          ms,
          certainty: 0.7,
          hasTime,
          zone: 'assumed',
        },
      ]
    }),
  )
}

/** The first date of one text, such as a cell or the value after a label. */
export function parseDateText(text: string, options: DateOptions): DatedSpan | null {
  return findDates([{ part: 'text', kind: 'body', lines: [text] }], options)[0] ?? null
}

/** The Date header (RFC 5322 3.3 and 4.3); null when it is none. */
export function parseMailDate(text: string): number | null {
  const ms = Date.parse(text.slice(0, 200))
  return Number.isFinite(ms) ? ms : null
}
