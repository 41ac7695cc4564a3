// Zones in words that are another offset in summer than in winter: `Pacific Time`, `hora de
// Madrid`. Which one, only the date tells.

import { findIanaZone } from './parse-date-words.ts'

/** Minutes east of Greenwich, or the IANA name of a zone whose offset depends on the day. */
export type Zone = number | string

// Cities as clocks are named after them, in the languages of the reports.
const CITIES: readonly (readonly [zone: string, names: string])[] = [
  ['Europe/Madrid', 'madrid|españa|peninsular(?: española)?'],
  ['Europe/Paris', 'paris|parigi|parís|france'],
  ['Europe/Berlin', 'berlin|berlín|germany|deutschland'],
  ['Europe/Rome', 'roma|rome|rom|italia|italy'],
  ['Europe/Lisbon', 'lisboa|lisbon|lisbonne|lissabon|portugal continental'],
  ['Europe/London', 'london|londres|londra|uk'],
  ['Europe/Amsterdam', 'amsterdam|nederland'],
  ['Europe/Brussels', 'bruxelles|brussels?|bruselas|brüssel'],
  ['Europe/Vienna', 'wien|vienna|viena|vienne'],
  ['Europe/Zurich', 'zürich|zurich|swiss|suisse'],
  ['Europe/Warsaw', 'warszawa|warsaw|varsovie'],
  ['Europe/Prague', 'praha|prague|prag'],
  ['Europe/Kyiv', 'kyiv|kiev|киевскому|київським'],
  ['Europe/Athens', 'athens|athènes|athen'],
  ['Europe/Istanbul', 'istanbul|türkiye'],
  ['Europe/Moscow', 'moscú|moscou|mosca|moskau|moscow|московскому|москве'],
  ['America/New_York', 'new york|nueva york|nova york|eastern'],
  ['America/Chicago', 'chicago|u\\.?s\\.? central'],
  ['America/Denver', 'denver|mountain'],
  ['America/Los_Angeles', 'los angeles|los ángeles|pacific'],
  ['America/Mexico_City', '(?:la )?ciudad de méxico|méxico'],
  ['America/Bogota', 'bogotá|bogota|colombia'],
  ['America/Lima', 'lima|perú'],
  ['America/Santiago', 'santiago|chile'],
  ['America/Argentina/Buenos_Aires', 'buenos aires|argentina'],
  ['America/Sao_Paulo', 'são paulo|sao paulo|brasília|brasilia'],
  ['Asia/Tokyo', 'tokyo|tokio'],
  ['Asia/Riyadh', 'مكة المكرمة|السعودية'],
  ['Africa/Cairo', 'القاهرة'],
  ['Etc/UTC', 'غرينتش|جرينتش'],
]

const NAMES = CITIES.map(([, names]) => names)
  .join('|')
  .replaceAll(' ', '\\s')
const BEFORE =
  "hora (?:local |oficial )?(?:de |del )?|heure (?:locale |légale )?(?:de |d['’])|hor[aá]rio (?:local )?de |ora (?:locale |legale )?(?:di |de )|(?:orts)?zeit (?:in |von )?|tijd (?:in )?|tid i |по |за |بتوقيت "
// `Eastern European Time` and `Pacific Standard Time` are others.
const CITY = new RegExp(
  `(?:(?:${BEFORE.replaceAll(' ', '\\s')})(${NAMES})(?!\\p{L})(?:\\sврем\\p{L}{1,3}|\\sчасом)?|(${NAMES})\\s(?:local\\s)?(?:time|zeit|tijd|tid|saati)(?!\\p{L}))`,
  'iuy',
)
// In capitals only: `et` and `pt` are words.
const SHORT = /([EP]T)(?![\p{L}\d_])/uy

const zoneByPattern = CITIES.map(
  ([zone, names]) => [zone, new RegExp(`^(?:${names})$`, 'iu')] as const,
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
