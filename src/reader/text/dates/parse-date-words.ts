// Names of months and time zones in the languages and logs of reports.

import { listMeanings, listPhrases, type Meaning, sourceOf } from '../../words/compile-words.ts'
import zones from '../../words/zones.json' with { type: 'json' }

const MONTHS = [
  'month.january',
  'month.february',
  'month.march',
  'month.april',
  'month.may',
  'month.june',
  'month.july',
  'month.august',
  'month.september',
  'month.october',
  'month.november',
  'month.december',
] as const satisfies readonly Meaning[]

// Full names and the short ones in use; accents and capitals do not matter (see foldWord). Arabic
// has four calendars of names: of Egypt and the Gulf, the Levant, Algeria and Tunisia, Morocco.
const monthByWord = new Map(
  MONTHS.flatMap((meaning, index) =>
    listPhrases(meaning).map((name) => [foldWord(name), index + 1] as const),
  ),
)

/** 1 to 12; null for a word that is no month. */
export function findMonth(word: string): number | null {
  return monthByWord.get(foldWord(word)) ?? null
}

// The dotless i of Turkish has no decomposition.
function foldWord(word: string): string {
  if (/^[a-z]+$/i.test(word)) return word.toLowerCase()
  const bare = word.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ı', 'i')
  return bare.replaceAll(/\s/g, ' ').toLowerCase()
}

// Minutes east of Greenwich (words/zones.json). Where a name has several meanings the commonest in
// reports stands here, and CONTEXTUAL has the others.
const ZONES: Readonly<Record<string, number>> = zones.codes

/** Upper case. */
export const ZONE_NAMES: readonly string[] = Object.keys(ZONES)

// The other meanings of a name, taken when they agree with the zone the mail itself was written in:
// IST of Israel (with its summer time) and Ireland, CST of China, EST of Australia, BST of
// Bangladesh.
const CONTEXTUAL: Readonly<Record<string, Readonly<Record<number, number>>>> = zones.ambiguousCodes

/**
 * Minutes east of Greenwich; null for a word that names no zone. `zoneMinutes` is the zone the mail
 * was written in.
 */
export function findZone(name: string, zoneMinutes: number | null): number | null {
  const word = name.toUpperCase()
  const other = zoneMinutes === null ? undefined : CONTEXTUAL[word]?.[zoneMinutes]
  return other ?? ZONES[word] ?? null
}

// Zones in words, where they mean one offset all year round or say which half of it.
const ZONE_PHRASES = listMeanings('zone.').map((meaning) => ({
  minutes: Number(meaning.slice('zone.'.length)),
  source: sourceOf(meaning, { text: 'as written' }).replaceAll(' ', '\\s'),
}))

/** Any of them, as the source of a pattern with the flags `iu`. */
export const ZONE_PHRASE = ZONE_PHRASES.map(({ source }) => source).join('|')

const zonePhrases = ZONE_PHRASES.map(({ minutes, source }) => ({
  minutes,
  pattern: new RegExp(`${source}(?![a-z])`, 'iuy'),
}))

/** The zone in words that stands at `at`, and where it ends. */
export function findZonePhrase(
  text: string,
  at: number,
): { readonly minutes: number; readonly end: number } | null {
  for (const { minutes, pattern } of zonePhrases) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match !== null) return { minutes, end: at + match[0].length }
  }
  return null
}

// Creating a formatter takes 50 times as long as using it, and all rows of a table use the same.
// The names come from untrusted text, so the cache is limited.
const FORMATS_MAX = 100
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  if (formats.size < FORMATS_MAX) formats.set(timeZone, format)
  return format
}

/**
 * The offset of an IANA zone such as `Europe/Berlin` at that time; null for a name that is none.
 */
export function findIanaZone(name: string, atMs: number): number | null {
  try {
    const parts = formatOf(name).formatToParts(atMs)
    const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const match = /^GMT(?:([+-])(\d\d):(\d\d))?$/.exec(offset)
    return match === null ? null : readOffset(match[1] ?? '+', match[2] ?? '0', match[3] ?? '0')
  } catch {
    // Not a zone this Node knows: RangeError.
    return null
  }
}

/** Null beyond the offsets in use, -12:00 to +14:00 (Kiribati). */
export function readOffset(sign: string, hours: string, minutes: string): number | null {
  const size = Number(hours) * 60 + Number(minutes)
  const offset = sign === '+' ? size : -size
  return Number(minutes) > 59 || offset > 840 || offset < -720 ? null : offset
}
