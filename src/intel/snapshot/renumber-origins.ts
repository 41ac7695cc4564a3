// Origins have other numbers in each snapshot. This translates the words that hold them.

import type { OriginCollector, Origins } from './origins.ts'
import {
  existing,
  FACT_ALLOWANCE,
  FACT_LISTING,
  FACT_SIGHTING,
  FACT_TAGGING,
  factKindOf,
  originOf,
  packOrigin,
} from './record.ts'

/**
 * Translates a word of `from` into the word of the same origin in `to`. Only origins that occur get
 * a number there.
 */
export function renumberOrigins(from: Origins, to: OriginCollector): (word: number) => number {
  const known = new Map<number, number>()
  const numberOf = (word: number): number => {
    const at = originOf(word)
    switch (factKindOf(word)) {
      case FACT_LISTING:
        return packOrigin(FACT_LISTING, to.listing(existing(from.listings[at])))
      case FACT_ALLOWANCE:
        return packOrigin(FACT_ALLOWANCE, to.allowance(existing(from.allowances[at])))
      case FACT_TAGGING:
        return packOrigin(FACT_TAGGING, to.tagging(existing(from.taggings[at])))
      default:
        return packOrigin(FACT_SIGHTING, to.sighting(existing(from.sightings[at])))
    }
  }
  // Neighbours often have one origin; no word is negative.
  let lastWord = -1
  let lastNumber = 0
  return (word) => {
    if (word === lastWord) return lastNumber
    lastNumber = known.get(word) ?? numberOf(word)
    lastWord = word
    known.set(word, lastNumber)
    return lastNumber
  }
}
