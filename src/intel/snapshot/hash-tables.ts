// Open-addressing hash tables in flat words, with linear probing and a power of two of slots. The
// builder grows them; a value is then the head of a chain of facts. In the snapshot it is the
// number of a record. An entry has its value plus 1, since 0 marks an empty slot.

import type { Ipv6Words } from '../../values/address.ts'
import { hashIpv6, hashName, mix32 } from './hashing.ts'

// [address, record + 1, shape, live until] in the snapshot (see shapes.ts); the first two while it
// is built.
export const IPV4_ENTRY_WORDS = 4
export const IPV4_GROWING_WORDS = 2
// [word × 4, value + 1]
export const IPV6_ENTRY_WORDS = 5
// [low hash, high hash, offset of the name, value + 1]
export const DOMAIN_ENTRY_WORDS = 4

const SLOTS_MIN = 16
// Beyond this load the runs of linear probing grow quickly. With doubling the load is 0.3 to 0.6.
const FILL_MAX = 0.6

/** The word at which the search for the address begins. */
export function firstIpv4Entry(slots: Uint32Array, seed: number, value: number): number {
  return (mix32(value ^ seed) & (slots.length / IPV4_ENTRY_WORDS - 1)) * IPV4_ENTRY_WORDS
}

/** The word at which the slot of the address begins, or -1. */
export function findIpv4(slots: Uint32Array, seed: number, value: number): number {
  const mask = slots.length / IPV4_ENTRY_WORDS - 1
  for (let slot = mix32(value ^ seed) & mask; ; slot = (slot + 1) & mask) {
    const at = slot * IPV4_ENTRY_WORDS
    const stored = slots[at + 1] ?? 0
    if (stored === 0) return -1
    if (slots[at] === value) return at
  }
}

/** The stored value, or -1. */
export function findIpv6(slots: Uint32Array, seed: number, words: Ipv6Words): number {
  const mask = slots.length / IPV6_ENTRY_WORDS - 1
  for (let slot = hashIpv6(words, seed) & mask; ; slot = (slot + 1) & mask) {
    const at = slot * IPV6_ENTRY_WORDS
    const stored = slots[at + 4] ?? 0
    if (stored === 0) return -1
    if (
      slots[at + 3] === words[3] &&
      slots[at + 2] === words[2] &&
      slots[at + 1] === words[1] &&
      slots[at] === words[0]
    ) {
      return stored - 1
    }
  }
}

/** The stored value of the name `text.slice(start)`, or -1. */
export function findDomain(
  slots: Uint32Array,
  names: Uint8Array,
  low: number,
  high: number,
  text: string,
  start: number,
): number {
  const mask = slots.length / DOMAIN_ENTRY_WORDS - 1
  for (let slot = low & mask; ; slot = (slot + 1) & mask) {
    const at = slot * DOMAIN_ENTRY_WORDS
    const stored = slots[at + 3] ?? 0
    if (stored === 0) return -1
    if (
      slots[at] === low &&
      slots[at + 1] === high &&
      isName(names, slots[at + 2] ?? 0, text, start)
    ) {
      return stored - 1
    }
  }
}

// A stored name is its length in one byte (names have at most 253 characters) and its ASCII
// characters.
function isName(names: Uint8Array, offset: number, text: string, start: number): boolean {
  const length = text.length - start
  if (names[offset] !== length) return false
  for (let at = 0; at < length; at += 1) {
    if (names[offset + 1 + at] !== text.charCodeAt(start + at)) return false
  }
  return true
}

/** The stored name at this offset. */
export function nameAt(names: Uint8Array, offset: number): string {
  const start = names.byteOffset + offset + 1
  return Buffer.from(names.buffer, start, names[offset] ?? 0).toString('latin1')
}

/** A table that grows; subclasses say how a key is found, hashed and written. */
abstract class GrowingTable {
  slots: Uint32Array
  count = 0
  readonly slotWords: number

  constructor(slotWords: number) {
    this.slotWords = slotWords
    this.slots = new Uint32Array(SLOTS_MIN * slotWords)
  }

  protected abstract hashAt(slots: Uint32Array, at: number): number

  /** The word offset of the first empty slot for this hash, after making room for one more key. */
  protected claim(hash: number): number {
    if ((this.count + 1) * this.slotWords > this.slots.length * FILL_MAX) {
      this.#grow(this.slots.length * 2)
    }
    this.count += 1
    return this.#emptySlot(this.slots, hash)
  }

  #emptySlot(slots: Uint32Array, hash: number): number {
    const mask = slots.length / this.slotWords - 1
    const last = this.slotWords - 1
    let slot = hash & mask
    while (slots[slot * this.slotWords + last] !== 0) slot = (slot + 1) & mask
    return slot * this.slotWords
  }

  /** Makes room for all keys of a table of this capacity, a power of two. */
  reserve(capacity: number): void {
    const length = capacity * this.slotWords
    if (length > this.slots.length) this.#grow(length)
  }

  #grow(length: number): void {
    const old = this.slots
    const grown = new Uint32Array(length)
    const last = this.slotWords - 1
    for (let at = 0; at < old.length; at += this.slotWords) {
      if (old[at + last] === 0) continue
      const to = this.#emptySlot(grown, this.hashAt(old, at))
      for (let word = 0; word <= last; word += 1) grown[to + word] = old[at + word] ?? 0
    }
    this.slots = grown
  }
}

export class GrowingIpv4Table extends GrowingTable {
  readonly #seed: number

  constructor(seed: number) {
    super(IPV4_GROWING_WORDS)
    this.#seed = seed
  }

  protected override hashAt(slots: Uint32Array, at: number): number {
    return mix32((slots[at] ?? 0) ^ this.#seed)
  }

  /** The stored value of the address, or -1. */
  find(value: number): number {
    const { slots } = this
    const mask = slots.length / IPV4_GROWING_WORDS - 1
    for (let slot = mix32(value ^ this.#seed) & mask; ; slot = (slot + 1) & mask) {
      const at = slot * IPV4_GROWING_WORDS
      const stored = slots[at + 1] ?? 0
      if (stored === 0 || slots[at] === value) return stored - 1
    }
  }

  /** Stores `next` for the address and returns the former value, or -1. */
  exchange(value: number, next: number): number {
    const mask = this.slots.length / IPV4_GROWING_WORDS - 1
    const hash = mix32(value ^ this.#seed)
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const at = slot * IPV4_GROWING_WORDS
      const stored = this.slots[at + 1] ?? 0
      if (stored === 0) break
      if (this.slots[at] !== value) continue
      this.slots[at + 1] = next + 1
      return stored - 1
    }
    this.#insert(value, hash, next)
    return -1
  }

  /** Stores `next` for an address that is not there. */
  insert(value: number, next: number): void {
    this.#insert(value, mix32(value ^ this.#seed), next)
  }

  #insert(value: number, hash: number, next: number): void {
    const at = this.claim(hash)
    this.slots[at] = value
    this.slots[at + 1] = next + 1
  }
}

export class GrowingIpv6Table extends GrowingTable {
  readonly #seed: number

  constructor(seed: number) {
    super(IPV6_ENTRY_WORDS)
    this.#seed = seed
  }

  protected override hashAt(slots: Uint32Array, at: number): number {
    return hashIpv6(
      [slots[at] ?? 0, slots[at + 1] ?? 0, slots[at + 2] ?? 0, slots[at + 3] ?? 0],
      this.#seed,
    )
  }

  /** The stored value of the address, or -1. */
  find(words: Ipv6Words): number {
    return findIpv6(this.slots, this.#seed, words)
  }

  /** Stores `next` for the address and returns the former value, or -1. */
  exchange(words: Ipv6Words, next: number): number {
    const mask = this.slots.length / IPV6_ENTRY_WORDS - 1
    const hash = hashIpv6(words, this.#seed)
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const at = slot * IPV6_ENTRY_WORDS
      const stored = this.slots[at + 4] ?? 0
      if (stored === 0) break
      if (words.some((word, part) => this.slots[at + part] !== word)) continue
      this.slots[at + 4] = next + 1
      return stored - 1
    }
    const at = this.claim(hash)
    this.slots.set(words, at)
    this.slots[at + 4] = next + 1
    return -1
  }
}

export class GrowingDomainTable extends GrowingTable {
  readonly #seed: number
  names = new Uint8Array(1024)
  nameBytes = 0

  constructor(seed: number) {
    super(DOMAIN_ENTRY_WORDS)
    this.#seed = seed
  }

  protected override hashAt(slots: Uint32Array, at: number): number {
    return slots[at] ?? 0
  }

  /** The stored value of the canonical name, or -1. */
  find(name: string): number {
    const { low, high } = hashName(name, this.#seed)
    return findDomain(this.slots, this.names, low, high, name, 0)
  }

  /** Stores `next` for the canonical name and returns the former value, or -1. */
  exchange(name: string, next: number): number {
    const { low, high } = hashName(name, this.#seed)
    const mask = this.slots.length / DOMAIN_ENTRY_WORDS - 1
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const at = slot * DOMAIN_ENTRY_WORDS
      const stored = this.slots[at + 3] ?? 0
      if (stored === 0) break
      if (this.slots[at] !== low || this.slots[at + 1] !== high) continue
      if (!isName(this.names, this.slots[at + 2] ?? 0, name, 0)) continue
      this.slots[at + 3] = next + 1
      return stored - 1
    }
    const at = this.claim(low)
    this.slots[at] = low
    this.slots[at + 1] = high
    this.slots[at + 2] = this.#keepName(name)
    this.slots[at + 3] = next + 1
    return -1
  }

  #keepName(name: string): number {
    const offset = this.nameBytes
    const end = offset + 1 + name.length
    if (end > this.names.length) {
      const grown = new Uint8Array(Math.max(end, this.names.length * 2))
      grown.set(this.names)
      this.names = grown
    }
    this.names[offset] = name.length
    for (let at = 0; at < name.length; at += 1) {
      this.names[offset + 1 + at] = name.charCodeAt(at)
    }
    this.nameBytes = end
    return offset
  }
}
