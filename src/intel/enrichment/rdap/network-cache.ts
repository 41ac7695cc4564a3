// Answers that hold for a whole network, kept by its block, so that one question answers for all
// its addresses.

import type { Clock } from '../../../kernel/clock.ts'
import type { AddressItem } from '../../../values/address.ts'
import { ipv4Range, ipv6Range, type Range } from '../../../values/range.ts'
import { createTimedCache } from '../timed-cache.ts'

export interface NetworkCache<Value> {
  /**
   * What is kept for the smallest block around the address; undefined when there is none or its
   * time is over.
   */
  readonly find: (item: AddressItem) => Value | undefined
  readonly keep: (block: Range, value: Value, ttlMs: number) => void
  readonly size: () => number
}

export function createNetworkCache<Value>(clock: Clock, entriesMax: number): NetworkCache<Value> {
  const cache = createTimedCache<Value>(clock, entriesMax)
  // Only lengths that were ever kept are tried, the longest first; there are a handful of them.
  const lengths = { ipv4: [] as readonly number[], ipv6: [] as readonly number[] }
  return {
    find(item) {
      for (const length of lengths[item.kind]) {
        const value = cache.find(blockAround(item, length).text)
        if (value !== undefined) return value
      }
      return undefined
    },
    keep(block, value, ttlMs) {
      const kind = block.kind === 'ipv4-range' ? 'ipv4' : 'ipv6'
      if (!lengths[kind].includes(block.prefixLength)) {
        lengths[kind] = [...lengths[kind], block.prefixLength].toSorted((a, b) => b - a)
      }
      cache.keep(block.text, value, ttlMs)
    },
    size: cache.size,
  }
}

/** The block of this length that holds the address. */
export function blockAround(item: AddressItem, prefixLength: number): Range {
  return item.kind === 'ipv4'
    ? ipv4Range(item.value, prefixLength)
    : ipv6Range(item.words, prefixLength)
}
