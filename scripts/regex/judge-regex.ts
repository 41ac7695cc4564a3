// Whether a regular expression can take far more time than its text is long. Most are judged by
// their form, which takes no time and gives the same answer on every machine; recheck judges the
// others.

import { createRequire } from 'node:module'
import type { checkSync as CheckSync } from 'recheck'

export type Verdict =
  | { readonly kind: 'fine' }
  | { readonly kind: 'exponential' }
  | { readonly kind: 'polynomial'; readonly degree: number }
  | { readonly kind: 'undecided'; readonly reason: string }

// Wall time: recheck knows no other. The slowest of ours takes 2 s of processor time.
const TIMEOUT_MS = 120_000
// A repeat of at most so many counts as no loop.
const SHORT_REPEAT = 3

const require = createRequire(import.meta.url)

/** The degree is the highest that is fine: 1 is linear in the length of the text, 2 its square. */
export function judgeRegex(source: string, flags: string, degreeMax: number): Verdict {
  const form = readForm(source, flags)
  if (!form.isNested && form.degree <= degreeMax) return { kind: 'fine' }
  const short = askRecheck(shortenRepeats(source), flags)
  if (short.kind !== 'fine' && (short.kind !== 'polynomial' || short.degree > degreeMax)) {
    return short
  }
  // A bounded repeat within another one is a constant, but may be a huge one: it counts as endless.
  const endless = endlessRepeats(source)
  if (!form.isNested || endless === source) return { kind: 'fine' }
  const long = askRecheck(endless, flags)
  return long.kind === 'polynomial' ? { kind: 'fine' } : long
}

function askRecheck(source: string, flags: string): Verdict {
  // The build for browsers is JavaScript alone. The default one starts a native program or Java.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { checkSync } = require('recheck/lib/browser.js') as { checkSync: typeof CheckSync }
  // A sticky expression matches at one place only, as if its text began there.
  const text = flags.includes('y') ? `^(?:${source})` : source
  const result = checkSync(text, flags.replace('v', 'u').replace('y', ''), {
    timeout: TIMEOUT_MS,
    randomSeed: 1,
    incubationTimeout: null,
    attackTimeout: null,
    attackLimit: 20_000_000,
  })
  if (result.status === 'safe') return { kind: 'fine' }
  if (result.status === 'unknown') return { kind: 'undecided', reason: result.error.kind }
  const { complexity } = result
  return complexity.type === 'exponential'
    ? { kind: 'exponential' }
    : { kind: 'polynomial', degree: complexity.degree }
}

interface RegexForm {
  /** Whether a loop is around a choice or another repeat: only then it may be exponential. */
  readonly isNested: boolean
  /** Endless repeats that may share the same characters, and the places where a match may begin. */
  readonly degree: number
}

interface OpenGroup {
  /** Whether it has a choice or a repeat of no fixed count. */
  isVaried: boolean
}

// An escape, a class, an opened group with its kind, a closed one, a repeat, or one character.
const PIECE =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|[^])|\[(?:\\[^]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<\w+>))?|\)|[*+?]\??|\{\d+(?:,\d*)?\}\??|[^]/g
const REPEAT = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??$/

function readForm(source: string, flags: string): RegexForm {
  const groups: OpenGroup[] = [{ isVaried: false }]
  let isNested = false
  let endlessCount = 0
  let last: OpenGroup | null = null
  for (const [piece] of source.matchAll(PIECE)) {
    const top = groups.at(-1) ?? { isVaried: false }
    const repeat = readRepeat(piece)
    if (repeat !== null) {
      if (repeat.max > SHORT_REPEAT && last?.isVaried === true) isNested = true
      if (repeat.max === Infinity) endlessCount += 1
      if (repeat.min !== repeat.max) top.isVaried = true
    } else if (piece.startsWith('(')) {
      groups.push({ isVaried: false })
    } else if (piece === '|') {
      top.isVaried = true
    }
    last = null
    if (piece === ')') {
      last = groups.pop() ?? null
      if (last?.isVaried === true) (groups.at(-1) ?? top).isVaried = true
    }
  }
  const beginsOnce = flags.includes('y') || (/^\^[^|]*$/.test(source) && !flags.includes('m'))
  return { isNested, degree: endlessCount + (beginsOnce ? 0 : 1) }
}

interface Repeat {
  readonly min: number
  readonly max: number
}

function readRepeat(piece: string): Repeat | null {
  const match = REPEAT.exec(piece)
  if (match === null) return null
  const [, sign, low = '0', comma, high = ''] = match
  if (sign !== undefined) return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity }
  const min = Number(low)
  if (comma === undefined) return { min, max: min }
  return { min, max: high === '' ? Infinity : Number(high) }
}

// recheck writes each bounded repeat out, so long ones would take it minutes.
function shortenRepeats(source: string): string {
  return replaceRepeats(source, ({ min, max }) =>
    max === Infinity ? `{${Math.min(min, 2)},}` : `{${Math.min(min, 2)},${SHORT_REPEAT}}`,
  )
}

/** Bounded repeats become endless ones; those of a fixed count become short. */
function endlessRepeats(source: string): string {
  return replaceRepeats(source, ({ min, max }) =>
    min === max ? `{${SHORT_REPEAT}}` : `{${Math.min(min, 1)},}`,
  )
}

function replaceRepeats(source: string, write: (repeat: Repeat) => string): string {
  return source.replaceAll(PIECE, (piece) => {
    const repeat = piece.startsWith('{') ? readRepeat(piece) : null
    if (repeat === null || repeat.max <= SHORT_REPEAT) return piece
    return write(repeat) + (piece.endsWith('?') ? '?' : '')
  })
}
