// Parses the times of machine formats: ISO 8601, RFC 5322 or epoch seconds, often without the zone
// that the specifications require.

import { parseInstant } from '../../values/timestamp.ts'
import { parseMailDate } from '../text/dates/parse-date.ts'

// Seconds since 1970 have ten digits from 2001 to 2286; with thirteen they are milliseconds.
const EPOCH = /^(\d{10})(?:\d{3}|\.\d{1,9})?$/
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?))?$/
const ZONE = /(?:[+-]\d{2}:?\d{2}|[A-Z]{1,5})(?: ?\([^()]*\))?$/i

/**
 * Null for what is no time. One without a zone is taken as UTC, which is what these formats ask
 * for.
 */
export function parseReportTime(value: string): number | null {
  const text = value.trim().slice(0, 100)
  if (EPOCH.test(text)) return Math.round(Number(text) * (/^\d{13}$/.test(text) ? 1 : 1_000))
  const instant = parseInstant(
    text.replace(/ (?:UTC|GMT|Z)$/i, 'Z').replace(/ ([+-]\d\d:?\d\d)$/, '$1'),
  )
  if (instant !== null) return instant
  const iso = ISO.exec(text)
  if (iso !== null) return readIso(iso)
  const isNamed = /[a-z]{3}/i.test(text)
  if (!isNamed) return null
  return parseMailDate(ZONE.test(text) ? text : `${text} +0000`)
}

function readIso([, date, time = '00:00']: RegExpExecArray): number | null {
  const clock = time.length === 5 ? `${time}:00` : time.replace(',', '.')
  return parseInstant(`${date}T${clock}Z`)
}
