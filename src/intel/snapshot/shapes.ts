// A shape is the set of origins of the live facts of a record. Each entry of the IPv4 table names
// the shape of its record at the time of building, and the second until which it holds. A check of
// an address therefore seldom reads the record, a cache miss that is most of a check in a large
// set.

import { FACT_SIGHTING, FACT_WORDS, factKindOf, originOf } from './record.ts'

// Real sets have some hundreds. Beyond this many, records go without one, and their checks read
// them.
const SHAPES_MAX = 65_536

// Later than any time of a fact.
const FOREVER = 0xffff_ffff

/** The time and the look-back for which shapes are made. */
export interface ShapeTime {
  readonly nowSeconds: number
  readonly lookBackSeconds: number
}

/** Numbers the shapes while a snapshot is built. */
export class ShapeCollector {
  readonly #moment: ShapeTime
  readonly #numbers = new Map<string, number>()
  // Most records have one live fact; these find their number without a text.
  readonly #singles = new Map<number, number>()
  // The origin of the record before; no origin is negative.
  #lastSingle = -1
  #lastNumber = -1
  // The shape of records without any live fact.
  #deadNumber: number | null = null
  readonly #words: number[] = []
  #count = 0
  /** The shape of the record last given to `read`. */
  shape = 0
  /** The shape holds before this second; 0: it never does. */
  liveUntilSeconds = 0

  constructor(moment: ShapeTime) {
    this.#moment = moment
  }

  /** The same as `read` for a record of one fact, which most have. */
  readSingle(origin: number, last: number, extra: number): void {
    const { nowSeconds, lookBackSeconds } = this.#moment
    const factUntil = endOfFact(origin, last, extra, lookBackSeconds)
    const isLive = factUntil > nowSeconds
    const shape = isLive ? this.#singleNumber(origin) : (this.#deadNumber ??= this.#number([]))
    // A fact that is no longer live stays so.
    const until = isLive ? factUntil : FOREVER
    this.#set(shape, isUncounted(origin, extra) ? 0 : until)
  }

  // A record beyond the limit has no shape.
  #set(shape: number, untilSeconds: number): void {
    this.shape = Math.max(shape, 0)
    this.liveUntilSeconds = shape < 0 ? 0 : untilSeconds
  }

  #singleNumber(origin: number): number {
    if (origin === this.#lastSingle) return this.#lastNumber
    this.#lastNumber = this.#number([origin])
    this.#lastSingle = origin
    return this.#lastNumber
  }

  /** Sets `shape` and `liveUntilSeconds` for the record at `at`. */
  read(words: Uint32Array, at: number): void {
    const live: number[] = []
    const { nowSeconds, lookBackSeconds } = this.#moment
    let until = FOREVER
    const end = at + 1 + (words[at] ?? 0) * FACT_WORDS
    for (let fact = at + 1; fact < end; fact += FACT_WORDS) {
      const origin = words[fact] ?? 0
      const extra = words[fact + 3] ?? 0
      if (isUncounted(origin, extra)) until = 0
      const factUntil = endOfFact(origin, words[fact + 2] ?? 0, extra, lookBackSeconds)
      if (factUntil <= nowSeconds) continue
      until = Math.min(until, factUntil)
      if (!live.includes(origin)) live.push(origin)
    }
    this.#set(this.#number(live), until)
  }

  /** The number of the shape with these origins, or -1 when there are too many shapes. */
  #number(live: number[]): number {
    const single = live.length === 1 ? live[0] : undefined
    if (single !== undefined) {
      const known = this.#singles.get(single)
      if (known !== undefined) return known
      const number = this.#add(live)
      if (number >= 0) this.#singles.set(single, number)
      return number
    }
    const key = live.toSorted(ascending).join()
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const number = this.#add(live)
    if (number >= 0) this.#numbers.set(key, number)
    return number
  }

  #add(live: readonly number[]): number {
    if (this.#count >= SHAPES_MAX) return -1
    this.#words.push(live.length, ...live)
    this.#count += 1
    return this.#count - 1
  }

  /**
   * All shapes, one after the other: the number of origins, then these, as the words that records
   * name them by.
   */
  toWords(): Uint32Array {
    return Uint32Array.from(this.#words)
  }
}

/** The second from which on a fact is not live. */
function endOfFact(origin: number, last: number, extra: number, lookBackSeconds: number): number {
  if (factKindOf(origin) === FACT_SIGHTING) return last + lookBackSeconds + 1
  return extra === 0 ? FOREVER : extra
}

/** A sighting without a count is activity but sets no tag, which a shape does not distinguish. */
function isUncounted(origin: number, extra: number): boolean {
  return extra === 0 && factKindOf(origin) === FACT_SIGHTING
}

function ascending(a: number, b: number): number {
  return a - b
}

/** One value per shape, joined with OR from the value of each of its origins. */
export function bitsOfShapes(
  shapes: Uint32Array,
  bitsOf: (kind: number, origin: number) => number,
): Uint16Array {
  const bits: number[] = []
  for (let at = 0; at < shapes.length; ) {
    const end = at + 1 + (shapes[at] ?? 0)
    let joined = 0
    for (let origin = at + 1; origin < end; origin += 1) {
      const word = shapes[origin] ?? 0
      joined |= bitsOf(factKindOf(word), originOf(word))
    }
    bits.push(joined)
    at = end
  }
  return Uint16Array.from(bits)
}
