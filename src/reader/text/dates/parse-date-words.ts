// What months and time zones are called in the languages and logs that reports are written in.

import { listPhrases, type Meaning } from '../../words/compile-words.ts'

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

// Minutes east of Greenwich. Where a name has several meanings the commonest in reports stands
// here, and CONTEXTUAL has the others.
const ZONES: Readonly<Record<string, number>> = {
  Z: 0,
  ZULU: 0,
  UTC: 0,
  UT: 0,
  GMT: 0,
  WET: 0,
  WEST: 60,
  BST: 60,
  CET: 60,
  MEZ: 60,
  CEST: 120,
  MESZ: 120,
  EET: 120,
  SAST: 120,
  EEST: 180,
  MSK: 180,
  МСК: 180,
  TRT: 180,
  IDT: 180,
  GST: 240,
  PKT: 300,
  IST: 330,
  WIB: 420,
  ICT: 420,
  HKT: 480,
  SGT: 480,
  AWST: 480,
  JST: 540,
  KST: 540,
  AEST: 600,
  AEDT: 660,
  NZST: 720,
  NZDT: 780,
  BRT: -180,
  ART: -180,
  ADT: -180,
  AST: -240,
  EDT: -240,
  EST: -300,
  CDT: -300,
  CST: -360,
  MDT: -360,
  MST: -420,
  PDT: -420,
  PST: -480,
  AKDT: -480,
  AKST: -540,
  HST: -600,
}

/** Upper case. */
export const ZONE_NAMES: readonly string[] = Object.keys(ZONES)

// The other meanings of a name, taken when they agree with the zone the mail itself was written in:
// IST of Israel (with its summer time) and Ireland, CST of China, EST of Australia, BST of
// Bangladesh.
const CONTEXTUAL: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  IST: { 120: 120, 180: 120, 0: 60, 60: 60 },
  CST: { 480: 480 },
  EST: { 600: 600, 660: 600 },
  BST: { 360: 360 },
}

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
const ZONE_PHRASES: readonly (readonly [minutes: number, phrases: string])[] = [
  [-480, 'pacific standard time'],
  [-420, 'pacific daylight time|mountain standard time'],
  [-360, 'mountain daylight time|central standard time'],
  [-300, 'central daylight time|eastern standard time'],
  [-240, 'eastern daylight time|atlantic standard time'],
  [-180, 'brasilia time|horário de brasília|hora de brasília|hora de argentina|hora argentina'],
  [
    0,
    'greenwich mean time|(?:coordinated )?universal time|koordinierte weltzeit|weltzeit|temps universel|tiempo universal|tempo universale?|بتوقيت (?:غرينتش|جرينتش)|всемирное время|世界协调时|協定世界時',
  ],
  [60, 'central european (?:standard )?time|mitteleuropäische zeit|british summer time'],
  [
    120,
    'central european summer time|mitteleuropäische sommerzeit|eastern european (?:standard )?time|south african? standard time',
  ],
  [
    180,
    'moscow (?:standard )?time|(?:по )?московск\\p{L}{2,3} врем\\p{L}{1,3}|(?:по )?мск|по москве|eastern european summer time|east africa time|türkiye saati',
  ],
  [330, 'indian? standard time'],
  [420, 'indochina time|waktu indonesia barat'],
  [
    480,
    'beijing time|china standard time|singapore (?:standard )?time|hong kong time|taipei time|北京时间|北京時間|中国标准时间|台北時間|台灣時間|香港時間',
  ],
  [
    540,
    'japan(?:ese)? (?:standard )?time|korean? (?:standard )?time|日本時間|日本標準時|한국 ?시간|한국 ?표준시',
  ],
  [600, 'australian eastern standard time'],
]

/** Any of them, as the source of a pattern with the flags `iu`. */
export const ZONE_PHRASE = ZONE_PHRASES.map(([, phrases]) => phrases)
  .join('|')
  .replaceAll(' ', '\\s')

const zonePhrases = ZONE_PHRASES.map(([minutes, phrases]) => ({
  minutes,
  pattern: new RegExp(`(?:${phrases.replaceAll(' ', '\\s')})(?![a-z])`, 'iuy'),
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

// To make one takes 50 times as long as to use it, and every row of a table asks for the same.
// Names come from texts, hence the bound.
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
