// A hash table from keys of a few 32-bit words to numbers, in one flat array: open addressing with
// linear probing; the number of slots is a power of two.

import { randomInt } from 'node:crypto'
import { mix32 } from '../snapshot/hashing.ts'

const SLOTS_MIN = 16
const FILL_MAX = 0.6
const TWO_POW_32 = 0x1_0000_0000

export class KeyTable {
  readonly #keyWords: number
  // Clients choose some keys. The random seed keeps them from choosing keys with one hash.
  readonly #seed = randomInt(TWO_POW_32)
  // The words of the key, then the value: 0 marks an empty slot.
  #slots: Uint32Array
  #count = 0

  /** Does not grow as long as it has no more keys than `expected`. */
  constructor(keyWords: number, expected: number) {
    this.#keyWords = keyWords
    const slots = 2 ** Math.ceil(Math.log2(Math.max(expected / FILL_MAX + 1, SLOTS_MIN)))
    this.#slots = new Uint32Array(slots * (keyWords + 1))
  }

  get count(): number {
    return this.#count
  }

  /** The value, or 0. */
  find(key: Uint32Array): number {
    return this.#slots[this.#seek(key) + this.#keyWords] ?? 0
  }

  /** `value` is 1 or more and replaces the value of a known key. */
  put(key: Uint32Array, value: number): void {
    const at = this.#seek(key)
    const isNew = this.#slots[at + this.#keyWords] === 0
    this.#slots.set(key, at)
    this.#slots[at + this.#keyWords] = value
    if (!isNew) return
    this.#count += 1
    if (this.#count > (this.#slots.length / (this.#keyWords + 1)) * FILL_MAX) this.#grow()
  }

  /** The word at which the slot of the key begins, or the empty one it would have. */
  #seek(key: Uint32Array): number {
    const slots = this.#slots
    const words = this.#keyWords
    const mask = slots.length / (words + 1) - 1
    for (let slot = this.#hash(key) & mask; ; slot = (slot + 1) & mask) {
      const at = slot * (words + 1)
      if (slots[at + words] === 0 || isKey(slots, at, key)) return at
    }
  }

  #hash(key: Uint32Array): number {
    let hash = this.#seed
    for (let at = 0; at < key.length; at += 1) hash = mix32(hash ^ (key[at] ?? 0))
    return hash
  }

  #grow(): void {
    const former = this.#slots
    const step = this.#keyWords + 1
    this.#slots = new Uint32Array(former.length * 2)
    for (let at = 0; at < former.length; at += step) {
      if (former[at + this.#keyWords] === 0) continue
      const slot = former.subarray(at, at + step)
      this.#slots.set(slot, this.#seek(slot.subarray(0, this.#keyWords)))
    }
  }
}

function isKey(slots: Uint32Array, at: number, key: Uint32Array): boolean {
  for (let word = 0; word < key.length; word += 1) {
    if (slots[at + word] !== key[word]) return false
  }
  return true
}
