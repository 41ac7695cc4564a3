// Quick classification of a record: its live facts as bits, one for each of a few questions. The
// tag catalogue and the sighting rules are turned into one number per origin beforehand, so that a
// fact costs a comparison and an OR.

import type { Classification, IntelPolicy } from '../facts/classify-item.ts'
import type { Intent, TagIntent } from '../facts/intent.ts'
import { ruleCovers, type SightingRule } from '../facts/sighting-rules.ts'
import type { Origins, SightingOrigin } from './origins.ts'
import {
  FACT_ALLOWANCE,
  FACT_LISTING,
  FACT_SIGHTING,
  FACT_TAGGING,
  FACT_WORDS,
  factKindOf,
  originOf,
} from './record.ts'

const LISTED = 1
const ACTIVE = 2
const ALLOWED = 4
const SUSPICIOUS = 8
const MALICIOUS = 16
const BENIGN = 32
// Rules that need more than one fact set the three bits of intents this much higher.
const PENDING_SHIFT = 3

const INTENT_BITS: Readonly<Record<TagIntent, number>> = {
  benign: BENIGN,
  malicious: MALICIOUS,
  suspicious: SUSPICIOUS,
  unknown: 0,
  none: 0,
}

/** Bits of each tagging origin and each sighting origin, under one policy. */
export interface OriginBits {
  readonly taggings: Uint16Array
  readonly sightings: Uint16Array
}

export function bitsOfOrigins(origins: Origins, policy: IntelPolicy): OriginBits {
  return {
    taggings: Uint16Array.from(origins.taggings, ({ tag }) => bitsOfTag(tag, policy)),
    sightings: Uint16Array.from(origins.sightings, (origin) => bitsOfSighting(origin, policy)),
  }
}

function bitsOfTag(tag: string, policy: IntelPolicy): number {
  return INTENT_BITS[policy.tagIntents.get(tag) ?? 'none']
}

function bitsOfSighting(origin: SightingOrigin, policy: IntelPolicy): number {
  let bits = 0
  for (const rule of policy.sightingRules) {
    if (!ruleCovers(rule, origin)) continue
    const shift = holdsAtOnce(rule) ? 0 : PENDING_SHIFT
    for (const tag of rule.tags) bits |= bitsOfTag(tag, policy) << shift
  }
  return bits
}

function holdsAtOnce(rule: SightingRule): boolean {
  return rule.countMin <= 1 && rule.sourcesMin <= 1 && rule.withinSeconds === undefined
}

/** The bits of one live fact of the item itself, whatever its times. */
export function bitsOfOwnFact(origins: OriginBits, kind: number, origin: number): number {
  switch (kind) {
    case FACT_LISTING:
      return LISTED
    case FACT_ALLOWANCE:
      return ALLOWED
    case FACT_TAGGING:
      return origins.taggings[origin] ?? 0
    default:
      return ACTIVE | (origins.sightings[origin] ?? 0)
  }
}

/**
 * The time of a check. A sighting is live when last seen at `seenSinceSeconds` or later, another
 * fact when it expires after `nowSeconds`.
 */
export interface CheckTime {
  nowSeconds: number
  seenSinceSeconds: number
}

/**
 * The bits of the record at `at`. The bits of all records that cover an item are joined with OR.
 */
export function bitsOfRecord(
  words: Uint32Array,
  at: number,
  origins: OriginBits,
  isOwn: boolean,
  moment: CheckTime,
): number {
  const end = at + 1 + (words[at] ?? 0) * FACT_WORDS
  let bits = 0
  for (let fact = at + 1; fact < end; fact += FACT_WORDS) {
    const word = words[fact] ?? 0
    const extra = words[fact + 3] ?? 0
    const kind = factKindOf(word)
    if (kind === FACT_SIGHTING) {
      // A sighting without a count sets no tag.
      if ((words[fact + 2] ?? 0) < moment.seenSinceSeconds) continue
      if (isOwn) bits |= ACTIVE
      if (extra > 0) bits |= origins.sightings[originOf(word)] ?? 0
      continue
    }
    if (extra !== 0 && extra <= moment.nowSeconds) continue
    if (kind === FACT_LISTING) bits |= LISTED
    else if (kind === FACT_ALLOWANCE) bits |= ALLOWED
    else bits |= origins.taggings[originOf(word)] ?? 0
  }
  return bits
}

/** The bit position of the intent in the answer of a quick check. */
const ANSWER_INTENT_SHIFT = 2

export const CHECK_LISTED = 1
export const CHECK_ACTIVITY = 2

const INTENTS: readonly Intent[] = ['unknown', 'suspicious', 'malicious', 'benign']

/** The intent in an answer of `IntelView.check`. */
export function intentOfCheck(answer: number): Intent {
  return INTENTS[(answer >>> ANSWER_INTENT_SHIFT) & 3] ?? 'unknown'
}

// Benign overrides, then the worst counts: the numbers are indexes of INTENTS.
function intentNumber(bits: number): number {
  if ((bits & BENIGN) !== 0) return 3
  if ((bits & MALICIOUS) !== 0) return 2
  return (bits & SUSPICIOUS) !== 0 ? 1 : 0
}

/**
 * True when rules with thresholds could move the intent, so that the facts have to be read in full.
 */
export function needsRules(bits: number): boolean {
  const pending = bits >>> PENDING_SHIFT
  return intentNumber(bits | (pending & (SUSPICIOUS | MALICIOUS | BENIGN))) !== intentNumber(bits)
}

/** The answer of a quick check from a full reading. */
export function answerOfClassification(reading: Classification): number {
  const listed = reading.serviceMailBlocklist === 'ACTIVE' ? CHECK_LISTED : 0
  const activity = reading.activity ? CHECK_ACTIVITY : 0
  return listed | activity | (INTENTS.indexOf(reading.intent) << ANSWER_INTENT_SHIFT)
}

/**
 * The answer of a quick check from joined bits; `intent` replaces the intent of the bits when the
 * rules were applied in full.
 */
export function answerOfBits(bits: number, intent?: Intent): number {
  const listed = (bits & (LISTED | ALLOWED)) === LISTED ? CHECK_LISTED : 0
  const activity = (bits & ACTIVE) !== 0 ? CHECK_ACTIVITY : 0
  const number = intent === undefined ? intentNumber(bits) : INTENTS.indexOf(intent)
  return listed | activity | (number << ANSWER_INTENT_SHIFT)
}
