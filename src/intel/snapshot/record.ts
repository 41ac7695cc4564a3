// A record is the facts of one subject as 32-bit words: the number of facts, then four words each:
// kind and origin, first seen, last seen, and expiry (or the count of a sighting).

import type { MatchedFacts, SubjectFacts } from '../facts/facts.ts'
import type { OriginCollector, Origins } from './origins.ts'

export const FACT_WORDS = 4

export const FACT_LISTING = 0
export const FACT_ALLOWANCE = 1
export const FACT_TAGGING = 2
export const FACT_SIGHTING = 3

export type FactKind =
  | typeof FACT_LISTING
  | typeof FACT_ALLOWANCE
  | typeof FACT_TAGGING
  | typeof FACT_SIGHTING

const KIND_SHIFT = 30
const ORIGIN_MASK = 0x3fff_ffff
const WORD_MAX = 0xffff_ffff

export function packOrigin(kind: FactKind, origin: number): number {
  return ((kind << KIND_SHIFT) | origin) >>> 0
}
export function factKindOf(word: number): number {
  return word >>> KIND_SHIFT
}
export function originOf(word: number): number {
  return word & ORIGIN_MASK
}

/**
 * A time or count as an unsigned word: fractions are dropped, values out of range are set to the
 * nearest end.
 */
export function toWord(value: number): number {
  if (!(value > 0)) return 0
  return value >= WORD_MAX ? WORD_MAX : Math.floor(value)
}

/** Calls back with the four words of each fact, kind by kind. */
export function eachFact(
  facts: SubjectFacts,
  origins: OriginCollector,
  take: (origin: number, first: number, last: number, extra: number) => void,
): void {
  for (const fact of facts.listings) {
    const origin = packOrigin(FACT_LISTING, origins.listing(fact))
    take(origin, fact.firstSeenSeconds, fact.lastSeenSeconds, fact.expiresSeconds)
  }
  for (const fact of facts.allowances) {
    const origin = packOrigin(FACT_ALLOWANCE, origins.allowance(fact))
    take(origin, fact.firstSeenSeconds, fact.lastSeenSeconds, fact.expiresSeconds)
  }
  for (const fact of facts.taggings) {
    const origin = packOrigin(FACT_TAGGING, origins.tagging(fact))
    take(origin, fact.firstSeenSeconds, fact.lastSeenSeconds, fact.expiresSeconds)
  }
  for (const fact of facts.sightings) {
    const origin = packOrigin(FACT_SIGHTING, origins.sighting(fact))
    take(origin, fact.firstSeenSeconds, fact.lastSeenSeconds, fact.count)
  }
}

/** Lists of an answer while it is built. */
export type MutableFacts = {
  -readonly [Kind in keyof SubjectFacts]: MatchedFacts[Kind][number][]
}

export function emptyFacts(): MutableFacts {
  return { listings: [], taggings: [], sightings: [], allowances: [] }
}

/** Appends the facts of the record at `at` to `into`, each saying the subject it is from. */
export function decodeRecord(
  words: Uint32Array,
  at: number,
  origins: Origins,
  match: { readonly subject: string; readonly isOwn: boolean },
  into: MutableFacts,
): void {
  const end = at + 1 + (words[at] ?? 0) * FACT_WORDS
  const { subject, isOwn } = match
  for (let fact = at + 1; fact < end; fact += FACT_WORDS) {
    const word = words[fact] ?? 0
    const number = originOf(word)
    const firstSeenSeconds = words[fact + 1] ?? 0
    const lastSeenSeconds = words[fact + 2] ?? 0
    const extra = words[fact + 3] ?? 0
    // Member by member: spreading objects takes twice as long.
    switch (factKindOf(word)) {
      case FACT_LISTING: {
        const { list, source } = existing(origins.listings[number])
        const expiresSeconds = extra
        into.listings.push({
          list,
          source,
          firstSeenSeconds,
          lastSeenSeconds,
          expiresSeconds,
          subject,
          isOwn,
        })
        break
      }
      case FACT_ALLOWANCE: {
        const { list, source } = existing(origins.allowances[number])
        const expiresSeconds = extra
        into.allowances.push({
          list,
          source,
          firstSeenSeconds,
          lastSeenSeconds,
          expiresSeconds,
          subject,
          isOwn,
        })
        break
      }
      case FACT_TAGGING: {
        const { tag, source } = existing(origins.taggings[number])
        const expiresSeconds = extra
        into.taggings.push({
          tag,
          source,
          firstSeenSeconds,
          lastSeenSeconds,
          expiresSeconds,
          subject,
          isOwn,
        })
        break
      }
      default: {
        const { kind, service, type, source } = existing(origins.sightings[number])
        into.sightings.push({
          kind,
          service,
          type,
          source,
          firstSeenSeconds,
          lastSeenSeconds,
          count: extra,
          subject,
          isOwn,
        })
      }
    }
  }
}

/**
 * A record names only origins of its own snapshot. Throws otherwise: the file is damaged, and its
 * checksum did not show it.
 */
export function existing<Origin>(origin: Origin | undefined): Origin {
  if (origin === undefined) throw new RangeError('A record names an origin that does not exist.')
  return origin
}
