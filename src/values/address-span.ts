// A span of addresses, from a first to a last one, as the fewest ranges that hold exactly it. An
// address is then found by looking up its prefixes.

import { type AddressItem, IPV4_BITS, IPV6_BITS, type Ipv6Words, parseAddress } from './address.ts'
import {
  ipv4Range,
  ipv6Range,
  isRange,
  parseBlock,
  type Range,
  type RangeProblem,
} from './range.ts'

export interface AddressSpan {
  /** Canonical: `first/length` where one range holds it, else `first-last`. */
  readonly text: string
  /** Aligned, ascending, without gaps: 62 at most for IPv4, 254 for IPv6. */
  readonly ranges: readonly Range[]
  /** The longest prefix of one range that could hold as many addresses. */
  readonly prefixLength: number
}

const NOT_A_SPAN = 'must be an IP address, a CIDR block, or first-last'

/**
 * The span that a text names (address, CIDR block or `first-last`), or one public sentence why it
 * names none. White space around an address is ignored.
 */
export function parseAddressSpan(text: string): AddressSpan | string {
  if (text.includes('/')) {
    const block = parseBlock(text)
    if (!isRange(block)) return explainProblem(block)
    return { text: block.text, ranges: [block], prefixLength: block.prefixLength }
  }
  const ends = text.split('-').map((part) => parseAddress(part.trim()))
  const [first, last = first] = ends
  if (!first || !last || ends.length > 2) return NOT_A_SPAN
  if (first.kind !== last.kind) return 'must begin and end in one family of addresses'
  const ranges = spanRanges(first, last)
  if (ranges === null) return 'must not end before it begins'
  const [only] = ranges
  return {
    text: only !== undefined && ranges.length === 1 ? only.text : `${first.text}-${last.text}`,
    ranges,
    prefixLength: prefixLengthOf(toNumber(last) - toNumber(first), bitsOf(first)),
  }
}

// The wording of owner records, whose refusals begin with the name of a member.
function explainProblem(problem: RangeProblem): string {
  if (problem.kind !== 'host_bits') return NOT_A_SPAN
  return `has bits set after the prefix; send ${problem.meant} if the whole block is meant`
}

// The binary digits of `distance` are the bits that differ within a range that could hold it.
function prefixLengthOf(distance: bigint, bits: number): number {
  return bits - (distance === 0n ? 0 : distance.toString(2).length)
}

/**
 * The ranges of all addresses from `first` to `last`; null when the two are of different families
 * or in the wrong order.
 */
export function spanRanges(first: AddressItem, last: AddressItem): readonly Range[] | null {
  const [from, to] = [toNumber(first), toNumber(last)]
  if (first.kind !== last.kind || from > to) return null
  const bits = bitsOf(first)
  const ranges: Range[] = []
  // Prefix lengths fall and then rise, so there are less than two ranges for each bit.
  for (let start = from; start <= to; ) {
    const hostBits = countHostBits(start, to, bits)
    ranges.push(
      first.kind === 'ipv4'
        ? ipv4Range(Number(start), bits - hostBits)
        : ipv6Range(toWords(start), bits - hostBits),
    )
    start += 1n << BigInt(hostBits)
  }
  return ranges
}

/** The host bits of the largest range that begins at `start` and does not reach beyond `to`. */
function countHostBits(start: bigint, to: bigint, bits: number): number {
  let hostBits = 0
  while (hostBits < bits) {
    const size = 1n << BigInt(hostBits + 1)
    if (start % size !== 0n || start + size - 1n > to) break
    hostBits += 1
  }
  return hostBits
}

function bitsOf(address: AddressItem): number {
  return address.kind === 'ipv4' ? IPV4_BITS : IPV6_BITS
}

const WORD_BITS = 32n
const WORD_MASK = 0xffff_ffffn

function toNumber(address: AddressItem): bigint {
  if (address.kind === 'ipv4') return BigInt(address.value)
  let value = 0n
  for (const word of address.words) value = (value << WORD_BITS) | BigInt(word)
  return value
}

function toWords(value: bigint): Ipv6Words {
  const word = (shift: bigint): number => Number((value >> (shift * WORD_BITS)) & WORD_MASK)
  return [word(3n), word(2n), word(1n), word(0n)]
}
