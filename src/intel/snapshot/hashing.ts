// Hashes of the snapshot's keys. All are seeded per snapshot, because some keys are chosen by
// attackers (whoever holds a /64 chooses the addresses a honeypot sees) and unseeded ones could be
// made to fall on one slot.

import type { Ipv6Words } from '../../values/address.ts'

/**
 * The finalizer of MurmurHash3 (public domain): every bit of the input moves every bit of the
 * result.
 */
export function mix32(value: number): number {
  let hash = value ^ (value >>> 16)
  hash = Math.imul(hash, 0x85eb_ca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2_ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

export function hashIpv6(words: Ipv6Words, seed: number): number {
  let hash = mix32(words[0] ^ seed)
  hash = mix32(hash ^ words[1])
  hash = mix32(hash ^ words[2])
  return mix32(hash ^ words[3])
}

// A name is hashed from its end, one character at a time in two lanes, so that one pass meets the
// hash of every parent at its dot.

/** One step of the first lane; start with the seed, finish with `mix32`. */
export function stepNameLow(lane: number, code: number): number {
  return Math.imul(lane ^ code, 0x0100_0193)
}

/** One step of the second lane; start with the inverted seed, finish with `mix32`. */
export function stepNameHigh(lane: number, code: number): number {
  return Math.imul(lane + code, 0x9e37_79b1) ^ (lane >>> 15)
}

export interface NameHash {
  readonly low: number
  readonly high: number
}

/** The hash of a whole name, as the steps give it at the name's first character. */
export function hashName(name: string, seed: number): NameHash {
  let low = seed
  let high = ~seed
  for (let at = name.length - 1; at >= 0; at -= 1) {
    const code = name.charCodeAt(at)
    low = stepNameLow(low, code)
    high = stepNameHigh(high, code)
  }
  return { low: mix32(low), high: mix32(high) }
}
