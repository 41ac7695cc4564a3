// The facts of a snapshot under construction: fixed-size entries in blocks of words, chained per
// subject from the last added back to the first.

import { FACT_WORDS, type FactKind, factKindOf, toWord } from './record.ts'

// [next, origin, first, last, extra]
const ENTRY_WORDS = 5
// 4,096 entries × 20 bytes = 80 KiB a block: growing never copies what is there, and a snapshot of
// a few changes stays small.
const BLOCK_BITS = 12
const BLOCK_MASK = (1 << BLOCK_BITS) - 1

/**
 * The head of a chain without any fact: the subject is there to say that nothing is known of it any
 * more.
 */
export const NOTHING = 0

export class FactChains {
  /** Facts are numbered from 1, so this is also the number of the last. */
  count = 0
  readonly #blocks: Uint32Array[] = []

  /** Keeps one fact and returns its number. */
  push(origin: number, first: number, last: number, extra: number): number {
    this.count += 1
    const fact = this.count
    if (fact >>> BLOCK_BITS === this.#blocks.length) {
      this.#blocks.push(new Uint32Array((BLOCK_MASK + 1) * ENTRY_WORDS))
    }
    const block = this.#blockOf(fact)
    const at = (fact & BLOCK_MASK) * ENTRY_WORDS
    block[at + 1] = origin
    block[at + 2] = toWord(first)
    block[at + 3] = toWord(last)
    block[at + 4] = toWord(extra)
    return fact
  }

  /** `next` is `NOTHING` or negative at the end of a chain. */
  setNext(fact: number, next: number): void {
    this.#blockOf(fact)[(fact & BLOCK_MASK) * ENTRY_WORDS] = Math.max(next, NOTHING)
  }

  /** The fact of this origin in the chain, or `NOTHING`. */
  findOrigin(head: number, origin: number): number {
    let fact = head
    while (fact !== NOTHING) {
      const block = this.#blockOf(fact)
      const at = (fact & BLOCK_MASK) * ENTRY_WORDS
      if (block[at + 1] === origin) return fact
      fact = block[at] ?? NOTHING
    }
    return NOTHING
  }

  replace(fact: number, first: number, last: number, extra: number): void {
    const block = this.#blockOf(fact)
    const at = (fact & BLOCK_MASK) * ENTRY_WORDS
    block[at + 2] = toWord(first)
    block[at + 3] = toWord(last)
    block[at + 4] = toWord(extra)
  }

  /** Adds observations to a sighting: the span of all their times, and the sum of their counts. */
  widen(fact: number, first: number, last: number, count: number): void {
    const block = this.#blockOf(fact)
    const at = (fact & BLOCK_MASK) * ENTRY_WORDS
    const former = block[at + 4] ?? 0
    this.replace(
      fact,
      Math.min(block[at + 2] ?? 0, first),
      Math.max(block[at + 3] ?? 0, last),
      former + count,
    )
  }

  /** Words that the records of so many subjects take. */
  recordWords(subjectCount: number): number {
    return subjectCount + this.count * FACT_WORDS
  }

  /** How many facts the chain has. */
  lengthOf(head: number): number {
    let facts = 0
    for (let fact = head; fact !== NOTHING; fact = this.#next(fact)) facts += 1
    return facts
  }

  /** Calls back with the only fact of the chain; false when it has none or more. */
  readSingle(head: number, take: (origin: number, last: number, extra: number) => void): boolean {
    if (head === NOTHING) return false
    const block = this.#blockOf(head)
    const at = (head & BLOCK_MASK) * ENTRY_WORDS
    if (block[at] !== NOTHING) return false
    take(block[at + 1] ?? 0, block[at + 3] ?? 0, block[at + 4] ?? 0)
    return true
  }

  /** Whether the chain has a fact of this kind. */
  hasKind(head: number, kind: FactKind): boolean {
    for (let fact = head; fact !== NOTHING; fact = this.#next(fact)) {
      const origin = this.#blockOf(fact)[(fact & BLOCK_MASK) * ENTRY_WORDS + 1] ?? 0
      if (factKindOf(origin) === kind) return true
    }
    return false
  }

  /**
   * Writes the chain as a record at `offset`, in the order the facts came, and returns the offset
   * after it.
   */
  writeRecord(head: number, records: Uint32Array, offset: number): number {
    if (this.#writeSingle(head, records, offset)) return offset + 1 + FACT_WORDS
    const facts = this.lengthOf(head)
    const end = offset + 1 + facts * FACT_WORDS
    records[offset] = facts
    let to = end
    for (let fact = head; fact !== NOTHING; fact = this.#next(fact)) {
      const block = this.#blockOf(fact)
      const at = (fact & BLOCK_MASK) * ENTRY_WORDS
      to -= FACT_WORDS
      for (let word = 0; word < FACT_WORDS; word += 1) {
        records[to + word] = block[at + 1 + word] ?? 0
      }
    }
    return end
  }

  #writeSingle(head: number, records: Uint32Array, offset: number): boolean {
    if (head === NOTHING) return false
    const block = this.#blockOf(head)
    const at = (head & BLOCK_MASK) * ENTRY_WORDS
    if (block[at] !== NOTHING) return false
    records[offset] = 1
    records[offset + 1] = block[at + 1] ?? 0
    records[offset + 2] = block[at + 2] ?? 0
    records[offset + 3] = block[at + 3] ?? 0
    records[offset + 4] = block[at + 4] ?? 0
    return true
  }

  #next(fact: number): number {
    return this.#blockOf(fact)[(fact & BLOCK_MASK) * ENTRY_WORDS] ?? NOTHING
  }

  #blockOf(fact: number): Uint32Array {
    const block = this.#blocks[fact >>> BLOCK_BITS]
    if (block === undefined) throw new RangeError('A fact is asked for that was not kept.')
    return block
  }
}
