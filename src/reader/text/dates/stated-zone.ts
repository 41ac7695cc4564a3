// Finds the zone that a report states once for all of its times.

import type { ReadableText } from '../../mail/mail.ts'
import { compileMeaning, sourceOf } from '../../words/compile-words.ts'
import { listMatches } from '../lines/list-matches.ts'
import { isLogLine } from '../lines/log-line.ts'
import { readZoneText } from './parse-date-clock.ts'
import { findIanaZone, findZonePhrase, ZONE_NAMES, ZONE_PHRASE } from './parse-date-words.ts'
import { findZoneOfCity, type Zone } from './parse-date-zones.ts'

const WRITTEN = { text: 'as written' } as const

/** What is known of the mail. */
interface ZoneOptions {
  readonly mailDateMs: number | null
  readonly receivedAtMs: number
  readonly zoneMinutes: number | null
}

const LINES_MAX = 20_000

const ZONE_LABEL = new RegExp(
  `${sourceOf('time-zone', WRITTEN)}[^\\p{L}\\d+-]{0,6}(?:${sourceOf('time-zone.is', WRITTEN)} |: )?`,
  'iu',
)
const AT_START = { text: 'as written', start: 'word' } as const
// Names of zones are in capitals, so that the words before them are written in both cases.
const TIMES_IN = new RegExp(
  `${sourceOf('times-in', AT_START)}[^\\d:]{1,60}?(?:${sourceOf('times-in.are', AT_START)} |[([])\\s?(?=(?:${ZONE_NAMES.join('|')})(?![A-Za-z]))`,
  'g',
)

/**
 * The zone that the report says all its times are in: `Time zone: CET`, `All times are UTC`,
 * `Timestamp (UTC)`, `All times are Pacific Time`.
 */
export function findStatedZone(texts: readonly ReadableText[], options: ZoneOptions): Zone | null {
  for (const { lines, kind } of texts) {
    if (kind === 'enclosed') continue
    for (const [index, line] of lines.slice(0, LINES_MAX).entries()) {
      if (line.length > LINE_LENGTH_MAX) continue
      const said = isLogLine(line) ? beforeTime(line) : line
      const zone = readStatement(said, options) ?? readWords(said, lines[index + 1] ?? '')
      if (zone !== null) return zone
    }
  }
  return null
}

/** What stands behind the time of a log line, such as the name of a user, is the attacker's. */
function beforeTime(line: string): string {
  const at = line.search(/\d{1,2}:\d{2}/)
  return at === -1 ? '' : line.slice(0, at)
}

// The maximum length of a sentence; it excludes long log lines.
const LINE_LENGTH_MAX = 400

function readStatement(line: string, options: ZoneOptions): number | null {
  const label = ZONE_LABEL.exec(line)
  if (label !== null) {
    const rest = line.slice(label.index + label[0].length)
    const iana = /^[A-Z][A-Za-z]{2,20}\/[A-Z][A-Za-z_]{2,30}/.exec(rest)?.[0]
    const atMs = options.mailDateMs ?? options.receivedAtMs
    const zone =
      iana === undefined ? readZoneText(rest, options.zoneMinutes) : findIanaZone(iana, atMs)
    if (zone !== null) return zone
  }
  for (const match of listMatches(line, TIMES_IN)) {
    const zone = readZoneText(line.slice(match.index + match[0].length), options.zoneMinutes)
    if (zone !== null) return zone
  }
  return null
}

const TIMES_ARE = compileMeaning('times-are', { text: 'as written', start: 'word', end: 'word' })
const WORDS = new RegExp(
  `${TIMES_ARE.source}[^\\d:]{1,60}?(?<![a-zа-я])(?=(?:${ZONE_PHRASE})(?![a-z]))`,
  'iu',
)

/** `All times are Pacific Standard Time`; a sentence may go on in the next line. */
function readWords(line: string, next: string): Zone | null {
  const start = TIMES_ARE.exec(line)
  if (start === null) return null
  const text = /[\p{L},]\s*$/u.test(line) ? `${line.trimEnd()} ${next.trim().slice(0, 80)}` : line
  const match = WORDS.exec(text)
  if (match === null) return findCity(text, start.index + start[0].length)
  return findZonePhrase(text, match.index + match[0].length)?.minutes ?? null
}

// As far from the word for the times as the phrases above.
const CITY_DISTANCE_MAX = 60

/** A zone that is named by a place; no number stands between it and the word for the times. */
function findCity(text: string, from: number): Zone | null {
  const reach = /^[^\d:]{0,60}/.exec(text.slice(from, from + CITY_DISTANCE_MAX))?.[0] ?? ''
  for (const { index } of reach.matchAll(/(?<!\p{L})\p{L}/gu)) {
    const city = findZoneOfCity(text, from + index)
    if (city !== null) return city.zone
  }
  return null
}
