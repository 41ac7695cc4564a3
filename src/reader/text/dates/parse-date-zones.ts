// Zone names whose offset differs in summer and winter: `Pacific Time`, `hora de Madrid`. The date
// decides the offset.

import { compilePhrase, sourceOf } from '../../words/compile-words.ts'
import zones from '../../words/zones.json' with { type: 'json' }
import { findIanaZone } from './parse-date-words.ts'

/** Minutes east of Greenwich, or the IANA name of a zone whose offset depends on the day. */
export type Zone = number | string

const WRITTEN = { text: 'as written' } as const

// Cities that name a zone, in the languages of the reports.
const PLACES = Object.entries(zones.places).map(([zone, names]) => ({
  zone,
  source: names.map((name) => compilePhrase(name, WRITTEN)).join('|'),
}))

const NAMES = spaced(PLACES.map(({ source }) => source).join('|'))
// `Eastern European Time` and `Pacific Standard Time` are others.
const CITY = new RegExp(
  `(?:${spaced(sourceOf('place-time.before', WRITTEN))}(${NAMES})(?!\\p{L})${spaced(sourceOf('place-time.behind', WRITTEN))}?|(${NAMES})\\s(?:${sourceOf('place-time.local', WRITTEN)}\\s)?${sourceOf('place-time.time', WRITTEN)}(?!\\p{L}))`,
  'iuy',
)

// A blank of another kind may stand between two words.
function spaced(source: string): string {
  return source.replaceAll(' ', '\\s')
}

// In capitals only: `et` and `pt` are words.
const SHORT = /([EP]T)(?![\p{L}\d_])/uy

const zoneByPattern = PLACES.map(
  ({ zone, source }) => [zone, new RegExp(`^(?:${source})$`, 'iu')] as const,
)

/** The zone of a place that stands at `at`, and where its name ends. */
export function findZoneOfCity(
  text: string,
  at: number,
): { readonly zone: string; readonly end: number } | null {
  SHORT.lastIndex = at
  const short = SHORT.exec(text)
  if (short !== null) {
    const zone = short[1] === 'ET' ? 'America/New_York' : 'America/Los_Angeles'
    return { zone, end: at + short[0].length }
  }
  CITY.lastIndex = at
  const match = CITY.exec(text)
  if (match === null) return null
  const name = (match[1] ?? match[2] ?? '').replaceAll(/\s/g, ' ')
  const zone = zoneByPattern.find(([, pattern]) => pattern.test(name))?.[0]
  return zone === undefined ? null : { zone, end: at + match[0].length }
}

/**
 * Minutes east of Greenwich when the clocks of the zone show `localMs` (as if it were UTC); null
 * for an unknown name.
 */
export function offsetOf(zone: Zone, localMs: number): number | null {
  if (typeof zone === 'number') return zone
  const near = findIanaZone(zone, localMs)
  // Within the hours around a change of the clocks the first guess is an hour off.
  return near === null ? null : findIanaZone(zone, localMs - near * 60_000)
}
