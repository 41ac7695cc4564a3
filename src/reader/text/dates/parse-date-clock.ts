// Parses the time of day beside a date in a line, with its zone if there is one.

import { listPhrases, sourceOf } from '../../words/compile-words.ts'
import { findZone, findZonePhrase, readOffset } from './parse-date-words.ts'
import { findZoneOfCity, type Zone } from './parse-date-zones.ts'

export interface ClockTime {
  /** Since midnight. */
  readonly ms: number
  /** Null when none is written. */
  readonly zone: Zone | null
}

/** A time and its start and end in the line. */
export interface LocatedTime {
  readonly time: ClockTime
  readonly start: number
  readonly end: number
}

const WRITTEN = { text: 'as written' } as const

const TIME_LABELS = sourceOf('clock.label', WRITTEN)
// Before the time, in the languages of the months: `at`, `um`, `à` …; and before those what Polish,
// Russian and Turkish put after a year, or the dot that ends a day in Hungarian and Korean.
const LEAD_WORDS = `${sourceOf('clock.at', WRITTEN)}|[-–@(]`
const YEAR_WORDS = `(?:\\.|\\s?${sourceOf('clock.year', WRITTEN)})?`
const BETWEEN = `${YEAR_WORDS}(?:[T_:|;]|-(?=\\d\\d:\\d\\d:)|[\\s,;،|]{1,4}(?:(?:${LEAD_WORDS})\\s{0,2})?|[\\s,;|]{0,4}(?:${TIME_LABELS})\\s?[:=]\\s{0,4})`
const CLOCK =
  '(\\d{1,2})[:h](\\d\\d)(?::(\\d\\d)(?:[.,](\\d{1,9}))?)?(?!\\d)(?:\\s?([AaPp])\\.?[Mm]\\b\\.?)?'
// `09:00-10:00 UTC` is a range and no offset.
const ZONE =
  '(?:\\s{0,2}(?:\\|\\s?|[([（]\\s?)?(UTC|GMT|utc|gmt|Zulu|МСК|Z|[A-Z]{3,5})(?![A-Za-z0-9_]))?(?:\\s?[([（]?(?:(?:UTC|GMT)\\s?)?([+−-])(\\d{1,2})(?::?(\\d\\d))?(?![\\d:]|\\.\\d|\\s?(?:UTC|GMT|Uhr|MEZ|CES?T)))?[)\\]）]?'

const TIME_AFTER = new RegExp(`${BETWEEN}${CLOCK}${ZONE}`, 'y')
// 14.32 Uhr, kl. 14.32: a dot separates hours and minutes only beside such a word.
const DOTTED_AFTER = new RegExp(
  `[\\s,]{1,3}(?:(?:${sourceOf('clock.before-dotted', WRITTEN)}\\s)?(?=[\\d.]{4,8}\\s?(?:Uhr|h)\\b)|${sourceOf('clock.before-any-dotted', WRITTEN)}\\s)(\\d{1,2})\\.(\\d\\d)(?:\\.(\\d\\d))?(?![\\d.]*\\d)(?:\\s?(?:Uhr|h)\\b)?${ZONE}`,
  'y',
)
const COMPACT_AFTER = /T?([01]\d|2[0-3])([0-5]\d)([0-5]\d)(Z?)(?!\d)/y
// 午後3時15分20秒, 오후 3시 15분, 下午3:15
const EAST_ASIAN_AFTER = new RegExp(
  `[\\s,(（]{0,3}(${sourceOf('clock.morning', WRITTEN)}|${sourceOf('clock.afternoon', WRITTEN)})?\\s?(\\d{1,2})\\s?[:時时點点시]\\s?(\\d{1,2})(?:\\s?[:分분](?:\\s?(\\d{1,2})\\s?[秒초]?)?)?${ZONE}`,
  'y',
)
// um 21 Uhr 05, à 21 heures, a las 21 horas: hours in words need a word before them too, or they
// are a span of time.
const WORDED_AFTER = new RegExp(
  `${YEAR_WORDS}[\\s,]{1,3}${sourceOf('clock.at-hour', WRITTEN)}\\s{1,2}(\\d{1,2})\\s?${sourceOf('clock.hour', WRITTEN)}(?:\\s?(\\d\\d)(?!\\d)(?:\\s?${sourceOf('clock.minute', WRITTEN)})?)?(?!\\p{L})${ZONE}`,
  'uy',
)
const ZONE_AFTER = new RegExp(ZONE, 'y')
const TIME_BEFORE = new RegExp(
  `(?<![\\d:.])${CLOCK}${ZONE}[\\s,]{1,3}(?:${sourceOf('clock.before-date', WRITTEN)}\\s)?(?:\\p{L}{2,12}\\.?,?\\s)?$`,
  'u',
)
const TIME_LINE = new RegExp(
  `^[^\\d:]{0,30}(?:${TIME_LABELS})[^\\d:]{0,16}[:=\\s]\\s{0,8}${CLOCK}${ZONE}`,
)

/**
 * The time that follows at `end`, `T12:00:00Z`, ` at 2:32 PM (CET)`, ` 14h30`; null when none does.
 */
export function readTimeAfter(
  line: string,
  end: number,
  zoneMinutes: number | null,
): LocatedTime | null {
  for (const [pattern, read] of AFTER) {
    pattern.lastIndex = end
    const match = pattern.exec(line)
    const time = match === null ? null : read(match.slice(1), zoneMinutes)
    if (match === null || time === null) continue
    return addZone(line, { time, start: end, end: end + match[0].length }, zoneMinutes)
  }
  return null
}

// 21:05 Uhr MEZ, 10:00 (московское время), 18:30 (日本時間)
const UNIT = new RegExp(
  `\\s{0,2}(?:${sourceOf('clock.unit', WRITTEN)}(?!\\p{L}))?[\\s,]{0,2}[([（]?\\s?`,
  'uy',
)

/**
 * What stands behind the word for the hour, and zones in words, where the clock itself has none.
 */
function addZone(line: string, located: LocatedTime, zoneMinutes: number | null): LocatedTime {
  if (located.time.zone !== null) return located
  UNIT.lastIndex = located.end
  const unit = UNIT.exec(line)?.[0] ?? ''
  const from = located.end + unit.length
  const phrase = findZonePhrase(line, from)
  if (phrase !== null) {
    return { ...located, time: { ...located.time, zone: phrase.minutes }, end: phrase.end }
  }
  const city = findZoneOfCity(line, from)
  if (city !== null) {
    return { ...located, time: { ...located.time, zone: city.zone }, end: city.end }
  }
  const name = /\p{L}/u.test(unit) ? /^[A-Z]{1,5}\S{0,8}/.exec(line.slice(from, from + 14)) : null
  const zone = name === null ? null : readZoneText(name[0], zoneMinutes)
  if (name === null || zone === null) return located
  return { ...located, time: { ...located.time, zone }, end: from + name[0].length }
}

/** The time that ends where the date starts, as in `14:32 UTC on 1 March 2026`. */
export function readTimeBefore(
  line: string,
  start: number,
  zoneMinutes: number | null,
): LocatedTime | null {
  // The longest is `12:34:56.123456789 p.m. (AEST) +10:00, on Wednesday, `.
  const from = Math.max(0, start - 60)
  const match = TIME_BEFORE.exec(line.slice(from, start))
  const time = match === null ? null : readClock(match.slice(1), zoneMinutes)
  return match === null || time === null ? null : { time, start: from + match.index, end: start }
}

/** The time of a line such as `Time: 14:32:11 UTC`, for the date on the line before it. */
export function readTimeLine(line: string, zoneMinutes: number | null): ClockTime | null {
  const match = TIME_LINE.exec(line.slice(0, 200))
  const time = match === null ? null : readClock(match.slice(1), zoneMinutes)
  if (match === null || time === null) return null
  return addZone(line, { time, start: 0, end: match.index + match[0].length }, zoneMinutes).time
}

type ReadGroups = (
  groups: readonly (string | undefined)[],
  zoneMinutes: number | null,
) => ClockTime | null

const AFTER: readonly (readonly [RegExp, ReadGroups])[] = [
  [TIME_AFTER, readClock],
  [
    COMPACT_AFTER,
    ([hours, minutes, seconds, zulu]) =>
      buildTime([hours, minutes, seconds], zulu === 'Z' ? 0 : null),
  ],
  [DOTTED_AFTER, readDotted],
  [EAST_ASIAN_AFTER, readEastAsian],
  [WORDED_AFTER, readWorded],
]

function readClock(
  groups: readonly (string | undefined)[],
  zoneMinutes: number | null,
): ClockTime | null {
  const [hours, minutes, seconds, fraction, half, name, sign, offsetHours, offsetMinutes] = groups
  const zone = readZone({ name, sign, offsetHours, offsetMinutes, seconds }, zoneMinutes)
  const time = buildTime([toDayHours(hours, half), minutes, seconds], zone)
  if (time === null || fraction === undefined) return time
  return { ...time, ms: time.ms + Math.floor(Number(`0.${fraction}`) * 1_000) }
}

interface ZoneGroups {
  readonly name: string | undefined
  readonly sign: string | undefined
  readonly offsetHours: string | undefined
  readonly offsetMinutes: string | undefined
  readonly seconds: string | undefined
}

// `UTC+2` and `+0200` are zones; a lone `-14` or `+1` behind hours and minutes is the end of a
// range or a list.
function readZone(groups: ZoneGroups, zoneMinutes: number | null): number | null {
  const { name, sign, offsetHours, offsetMinutes, seconds } = groups
  const named = name === undefined ? null : findZone(name, zoneMinutes)
  if (sign === undefined || offsetHours === undefined) return named
  const isWhole = offsetHours.length === 2 && (offsetMinutes !== undefined || seconds !== undefined)
  if (named === null && !isWhole) return null
  return readOffset(sign === '+' ? '+' : '-', offsetHours, offsetMinutes ?? '0') ?? named
}

function toDayHours(hours: string | undefined, half: string | undefined): string | undefined {
  if (half === undefined || Number(hours) > 12) return hours
  return String((Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0))
}

function readDotted(
  [hours, minutes, seconds, name, sign, offsetHours, offsetMinutes]: readonly (
    | string
    | undefined
  )[],
  zoneMinutes: number | null,
): ClockTime | null {
  const zone = readZone({ name, sign, offsetHours, offsetMinutes, seconds }, zoneMinutes)
  return buildTime([hours, minutes, seconds], zone)
}

const AFTERNOON: ReadonlySet<string> = new Set(listPhrases('clock.afternoon'))

function readEastAsian(
  groups: readonly (string | undefined)[],
  zoneMinutes: number | null,
): ClockTime | null {
  const [half, hours, minutes, seconds, name, sign, offsetHours, offsetMinutes] = groups
  const isAfternoon = half !== undefined && AFTERNOON.has(half)
  const hour = half === undefined ? hours : toDayHours(hours, isAfternoon ? 'p' : 'a')
  const zone = readZone({ name, sign, offsetHours, offsetMinutes, seconds }, zoneMinutes)
  return buildTime([hour, minutes, seconds], zone)
}

function readWorded(
  [hours, minutes = '0', name, sign, offsetHours, offsetMinutes]: readonly (string | undefined)[],
  zoneMinutes: number | null,
): ClockTime | null {
  const groups = { name, sign, offsetHours, offsetMinutes, seconds: undefined }
  return buildTime([hours, minutes], readZone(groups, zoneMinutes))
}

function buildTime(
  [hours, minutes, seconds = '0']: readonly (string | undefined)[],
  zone: Zone | null,
): ClockTime | null {
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)]
  // A leap second is read as the one before it.
  if (!(hour <= 23 && minute <= 59 && second <= 60)) return null
  return { ms: ((hour * 60 + minute) * 60 + Math.min(second, 59)) * 1_000, zone }
}

// The zone of a text such as `UTC`, `CET`, `GMT+2`, `+01:00`; null for any other text.
export function readZoneText(text: string, zoneMinutes: number | null): number | null {
  ZONE_AFTER.lastIndex = 0
  const match = ZONE_AFTER.exec(text)
  if (match === null) return null
  const [, name, sign, offsetHours, offsetMinutes] = match
  return readZone({ name, sign, offsetHours, offsetMinutes, seconds: '0' }, zoneMinutes)
}
