// Ranges that nest are flattened into disjoint segments, each naming its innermost range; a range
// names the next one round it. One search then finds every covering range, the longest first, at a
// cost that does not grow with how many cover.

import {
  compareIpv6,
  IPV4_BITS,
  IPV6_BITS,
  type Ipv6Words,
  ipv6WordMask,
} from '../../values/address.ts'

export const NO_RANGE = 0xffff_ffff

// [first, prefix length, parent, record]
export const IPV4_RANGE_WORDS = 4
// [first × 4, prefix length, parent, record, unused]
export const IPV6_RANGE_WORDS = 8

// One entry for each value of the upper 16 bits and one past the end.
const TOP_ENTRIES = 65_537

/**
 * Sorted disjoint segments that cover the whole address space; a search starts from the table of
 * the upper 16 bits.
 */
export interface Segments {
  /** First address of each: one word for IPv4, four for IPv6. Empty when there are no ranges. */
  readonly starts: Uint32Array
  /** Number of the innermost range, or `NO_RANGE`. */
  readonly innermost: Uint32Array
  /**
   * For each value of the upper 16 bits: the number of the first segment that starts there or
   * later.
   */
  readonly top: Uint32Array
}

export interface Flattened {
  readonly segments: Segments
  /** For each range the next one round it, or `NO_RANGE`. */
  readonly parents: Uint32Array
}

interface Sweep<Address> {
  readonly first: (range: number) => Address
  /** The address after the range's last one, or null when the space ends there. */
  readonly after: (range: number) => Address | null
  readonly isAtMost: (a: Address, b: Address) => boolean
  readonly emit: (start: Address, innermost: number) => void
}

// The ranges come ordered by first address and then by length, the shortest prefix first, so a
// range always follows those round it.
function sweep<Address>(count: number, parents: Uint32Array, by: Sweep<Address>): void {
  const open: number[] = []
  const close = (): void => {
    const range = open.pop()
    const after = range === undefined ? null : by.after(range)
    if (after !== null) by.emit(after, open.at(-1) ?? NO_RANGE)
  }
  for (let range = 0; range < count; range += 1) {
    for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
      const after = by.after(inner)
      if (after === null || !by.isAtMost(after, by.first(range))) break
      close()
    }
    parents[range] = open.at(-1) ?? NO_RANGE
    by.emit(by.first(range), range)
    open.push(range)
  }
  while (open.length > 0) close()
}

/**
 * `ranges` holds `IPV4_RANGE_WORDS` a range, ordered by first address, then prefix length, without
 * repeats.
 */
export function flattenIpv4(ranges: Uint32Array): Flattened {
  const count = ranges.length / IPV4_RANGE_WORDS
  const parents = new Uint32Array(count)
  const starts: number[] = count === 0 ? [] : [0]
  const innermost: number[] = count === 0 ? [] : [NO_RANGE]
  const first = (range: number): number => ranges[range * IPV4_RANGE_WORDS] ?? 0
  sweep<number>(count, parents, {
    first,
    after(range) {
      const size = 2 ** (IPV4_BITS - (ranges[range * IPV4_RANGE_WORDS + 1] ?? 0))
      const end = first(range) + size
      return end > 0xffff_ffff ? null : end
    },
    isAtMost: (a, b) => a <= b,
    emit(start, range) {
      // A later segment with the same start hides the earlier one, which would be empty.
      const at = starts.at(-1) === start ? starts.length - 1 : starts.length
      starts[at] = start
      innermost[at] = range
    },
  })
  return pack(starts, innermost, 1, parents)
}

/**
 * `ranges` holds `IPV6_RANGE_WORDS` a range, ordered by first address, then prefix length, without
 * repeats.
 */
export function flattenIpv6(ranges: Uint32Array): Flattened {
  const count = ranges.length / IPV6_RANGE_WORDS
  const parents = new Uint32Array(count)
  const starts: number[] = count === 0 ? [] : [0, 0, 0, 0]
  const innermost: number[] = count === 0 ? [] : [NO_RANGE]
  sweep<Ipv6Words>(count, parents, {
    first: (range) => ipv6At(ranges, range * IPV6_RANGE_WORDS),
    after(range) {
      const at = range * IPV6_RANGE_WORDS
      return afterIpv6(ipv6At(ranges, at), ranges[at + 4] ?? IPV6_BITS)
    },
    isAtMost: (a, b) => compareIpv6(a, b) <= 0,
    emit(start, range) {
      const last = starts.length - 4
      const at = compareIpv6(wordsOf(starts, last), start) === 0 ? last : starts.length
      for (const [word, value] of start.entries()) starts[at + word] = value
      innermost[at / 4] = range
    },
  })
  return pack(starts, innermost, 4, parents)
}

function pack(
  starts: readonly number[],
  innermost: readonly number[],
  addressWords: number,
  parents: Uint32Array,
): Flattened {
  const top = new Uint32Array(innermost.length === 0 ? 0 : TOP_ENTRIES)
  let from = 0
  for (let segment = 0; segment < innermost.length; segment += 1) {
    const until = upperOf(starts, segment * addressWords) + 1
    if (until === from) continue
    top.fill(segment, from, until)
    from = until
  }
  top.fill(innermost.length, from)
  return {
    segments: { starts: Uint32Array.from(starts), innermost: Uint32Array.from(innermost), top },
    parents,
  }
}

export function ipv6At(words: Uint32Array, at: number): Ipv6Words {
  return wordsOf(words, at)
}

function wordsOf(words: ArrayLike<number>, at: number): Ipv6Words {
  return [words[at] ?? 0, words[at + 1] ?? 0, words[at + 2] ?? 0, words[at + 3] ?? 0]
}

function afterIpv6(first: Ipv6Words, prefixLength: number): Ipv6Words | null {
  const next: [number, number, number, number] = [0, 0, 0, 0]
  let carry = 1
  for (const word of [3, 2, 1, 0] as const) {
    const last = (first[word] | ~ipv6WordMask(prefixLength, word)) >>> 0
    const sum = last + carry
    next[word] = sum >>> 0
    carry = sum > 0xffff_ffff ? 1 : 0
  }
  return carry === 1 ? null : next
}

/**
 * One bit for each value of the upper 16 bits: set where some range holds or touches them. 8 KiB
 * stay in the first-level cache, so that an address far from every range, which most are, is
 * answered without reading the segments.
 */
export function touchedUppers({ starts, innermost, top }: Segments): Uint8Array {
  const touched = new Uint8Array((TOP_ENTRIES - 1) / 8)
  const addressWords = starts.length / innermost.length
  let upper = 0
  while (upper < top.length - 1) {
    const next = top[upper] ?? 0
    const reachesIn = next > 0 && innermost[next - 1] !== NO_RANGE
    if (reachesIn || next !== top[upper + 1]) {
      touched[upper >>> 3] = (touched[upper >>> 3] ?? 0) | (1 << (upper & 7))
      upper += 1
    } else if (next < innermost.length) {
      // Nothing lies before the next segment. The layer of one change has two or three of them.
      upper = upperOf(starts, next * addressWords)
    } else break
  }
  return touched
}

/** The upper 16 bits of the address that begins at this word. */
function upperOf(starts: ArrayLike<number>, at: number): number {
  return (starts[at] ?? 0) >>> 16
}

export function isTouched(touched: Uint8Array, upper: number): boolean {
  return (((touched[upper >>> 3] ?? 0) >>> (upper & 7)) & 1) === 1
}

/** The innermost range that holds the address, or `NO_RANGE`; asked only where `isTouched`. */
export function innermostIpv4({ starts, innermost, top }: Segments, value: number): number {
  const upper = value >>> 16
  let low = top[upper] ?? 0
  let high = top[upper + 1] ?? 0
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return innermost[low - 1] ?? NO_RANGE
}

/** The innermost range that holds the address, or `NO_RANGE`; asked only where `isTouched`. */
export function innermostIpv6({ starts, innermost, top }: Segments, words: Ipv6Words): number {
  const upper = words[0] >>> 16
  let low = top[upper] ?? 0
  let high = top[upper + 1] ?? 0
  while (low < high) {
    const middle = (low + high) >>> 1
    if (startsAtOrBefore(starts, middle * 4, words)) low = middle + 1
    else high = middle
  }
  return innermost[low - 1] ?? NO_RANGE
}

function startsAtOrBefore(starts: Uint32Array, at: number, words: Ipv6Words): boolean {
  for (let word = 0; word < 3; word += 1) {
    const start = starts[at + word] ?? 0
    const value = words[word] ?? 0
    if (start !== value) return start < value
  }
  return (starts[at + 3] ?? 0) <= words[3]
}
