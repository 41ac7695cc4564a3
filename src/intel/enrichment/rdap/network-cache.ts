// Caches answers by network block, so that one question answers for all addresses of a network.

import type { Clock } from '../../../kernel/clock.ts'
import type { AddressItem } from '../../../values/address.ts'
import { ipv4Range, ipv6Range, type Range } from '../../../values/range.ts'
import { createTimedCache } from '../timed-cache.ts'

export interface NetworkCache<Value> {
  /** The value of the smallest cached block around the address; undefined when there is none. */
  readonly find: (item: AddressItem) => Value | undefined
  readonly keep: (block: Range, value: Value, ttlMs: number) => void
  readonly size: () => number
}

export function createNetworkCache<Value>(clock: Clock, entriesMax: number): NetworkCache<Value> {
  const cache = createTimedCache<Value>(clock, entriesMax)
  // Only prefix lengths in use are tried, the longest first; there are few of them.
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

/** The block of this prefix length around the address. */
export function blockAround(item: AddressItem, prefixLength: number): Range {
  return item.kind === 'ipv4'
    ? ipv4Range(item.value, prefixLength)
    : ipv6Range(item.words, prefixLength)
}
