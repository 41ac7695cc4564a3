// The own address ranges in memory, merged and sorted, so that a question takes one binary search.

import {
  type AddressItem,
  compareIpv6,
  IPV4_BITS,
  type Ipv6Words,
  ipv6WordMask,
} from '../../values/address.ts'
import { parseSubject, type Range, type Subject } from '../../values/range.ts'

interface Span<Address> {
  readonly first: Address
  readonly last: Address
}

export class OwnNetworks {
  readonly #ipv4: readonly Span<number>[]
  readonly #ipv6: readonly Span<Ipv6Words>[]
  /** As given, the widest ranges of each family first. */
  readonly texts: readonly string[]

  /** Canonical texts of ranges and addresses; a text that is neither is left out. */
  constructor(texts: readonly string[]) {
    const ipv4: Span<number>[] = []
    const ipv6: Span<Ipv6Words>[] = []
    for (const text of texts) {
      const parsed = parseSubject(text)
      if (parsed.kind !== 'subject') continue
      const { subject } = parsed
      switch (subject.kind) {
        case 'ipv4':
          ipv4.push({ first: subject.value, last: subject.value })
          break
        case 'ipv4-range':
          ipv4.push({ first: subject.first, last: lastIpv4(subject.first, subject.prefixLength) })
          break
        case 'ipv6':
          ipv6.push({ first: subject.words, last: subject.words })
          break
        case 'ipv6-range':
          ipv6.push({ first: subject.first, last: lastIpv6(subject.first, subject.prefixLength) })
          break
        case 'domain':
          break
      }
    }
    this.#ipv4 = mergeSpans(ipv4, (a, b) => a - b)
    this.#ipv6 = mergeSpans(ipv6, compareIpv6)
    this.texts = texts.toSorted((a, b) => lengthOfPrefix(a) - lengthOfPrefix(b))
  }

  get isEmpty(): boolean {
    return this.#ipv4.length === 0 && this.#ipv6.length === 0
  }

  /** True for an address inside an own range. */
  isOwnAddress(address: AddressItem): boolean {
    return address.kind === 'ipv4' ? this.holdsIpv4(address.value) : this.holdsIpv6(address.words)
  }

  holdsIpv4(value: number): boolean {
    return holds(this.#ipv4, value, value, (a, b) => a - b)
  }

  holdsIpv6(words: Ipv6Words): boolean {
    return holds(this.#ipv6, words, words, compareIpv6)
  }

  /** True for a range that lies inside own ranges as a whole. */
  holdsRange(range: Range): boolean {
    if (range.kind === 'ipv4-range') {
      const last = lastIpv4(range.first, range.prefixLength)
      return holds(this.#ipv4, range.first, last, (a, b) => a - b)
    }
    return holds(this.#ipv6, range.first, lastIpv6(range.first, range.prefixLength), compareIpv6)
  }

  /** True for an address or range; a domain is in no network. */
  holdsSubject(subject: Subject): boolean {
    if (subject.kind === 'domain') return false
    return subject.kind === 'ipv4' || subject.kind === 'ipv6'
      ? this.isOwnAddress(subject)
      : this.holdsRange(subject)
  }
}

// A single address has none, and comes after all ranges.
function lengthOfPrefix(text: string): number {
  const [, length = '128'] = text.split('/')
  return Number(length)
}

function lastIpv4(first: number, prefixLength: number): number {
  return first + 2 ** (IPV4_BITS - prefixLength) - 1
}

function lastIpv6(first: Ipv6Words, prefixLength: number): Ipv6Words {
  const last = (word: 0 | 1 | 2 | 3): number =>
    (first[word] | ~ipv6WordMask(prefixLength, word)) >>> 0
  return [last(0), last(1), last(2), last(3)]
}

type Compare<Address> = (a: Address, b: Address) => number

/** Sorted by first address; spans that overlap are one. */
function mergeSpans<Address>(
  spans: readonly Span<Address>[],
  compare: Compare<Address>,
): readonly Span<Address>[] {
  const merged: Span<Address>[] = []
  for (const span of spans.toSorted((a, b) => compare(a.first, b.first))) {
    const before = merged.at(-1)
    if (before === undefined || compare(before.last, span.first) < 0) merged.push(span)
    else if (compare(before.last, span.last) < 0) {
      merged[merged.length - 1] = { first: before.first, last: span.last }
    }
  }
  return merged
}

function holds<Address>(
  spans: readonly Span<Address>[],
  first: Address,
  last: Address,
  compare: Compare<Address>,
): boolean {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const span = spans[middle]
    if (span !== undefined && compare(span.first, first) <= 0) low = middle + 1
    else high = middle
  }
  const found = spans[low - 1]
  return found !== undefined && compare(found.last, last) >= 0
}
