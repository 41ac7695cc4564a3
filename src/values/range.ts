// A range is a CIDR block; a subject of intel is an item or a range.

import {
  type AddressItem,
  compareIpv6,
  formatIpv4,
  formatIpv6,
  IPV4_BITS,
  IPV6_BITS,
  type Ipv6Words,
  ipv4Item,
  ipv4Mask,
  ipv6Item,
  mappedIpv4,
  maskIpv6,
  parseIpv4,
  parseIpv6,
} from './address.ts'
import { type Item, parseItem } from './item.ts'

export interface Ipv4Range {
  readonly kind: 'ipv4-range'
  /** Canonical text "first/length". */
  readonly text: string
  /** First address, unsigned 32-bit, no bit set after the prefix. */
  readonly first: number
  readonly prefixLength: number
}

export interface Ipv6Range {
  readonly kind: 'ipv6-range'
  /** Canonical text "first/length". */
  readonly text: string
  /** First address, no bit set after the prefix. */
  readonly first: Ipv6Words
  readonly prefixLength: number
}

export type Range = Ipv4Range | Ipv6Range
export type Subject = Item | Range

/**
 * What to do with an address that has bits set after its prefix, such as 192.0.2.1/24: `refuse` (a
 * push, where it is most likely a slip of the caller) or `clear` (a published list, where it is
 * common and its meaning is not in doubt).
 */
export type HostBits = 'refuse' | 'clear'

/**
 * A block of IPv4-mapped addresses (below ::ffff:0:0/96): the IPv4 block that it carries, or the
 * IPv6 block as it is written.
 */
export type MappedBlocks = 'ipv4' | 'ipv6'

export type ParsedSubject =
  | { readonly kind: 'subject'; readonly subject: Subject }
  | { readonly kind: 'refused'; readonly reason: string }

const NOT_A_SUBJECT = 'This is no IP address, range or domain.'
const MAPPED_BITS = 96

/**
 * The widest ranges of a statement or question: the size that a registry gives to the largest
 * networks.
 */
export const IPV4_PREFIX_MIN = 8
export const IPV6_PREFIX_MIN = 16

/** True for a range wider than an IPv4 /8 or an IPv6 /16. */
export function isTooWide(subject: Subject): boolean {
  if (subject.kind === 'ipv4-range') return subject.prefixLength < IPV4_PREFIX_MIN
  return subject.kind === 'ipv6-range' && subject.prefixLength < IPV6_PREFIX_MIN
}

/** One line such as 0.0.0.0/0, most often a slip or a trap, would speak for the whole Internet. */
export const TOO_WIDE = `The range is too wide: a /${IPV4_PREFIX_MIN} of IPv4 and a /${IPV6_PREFIX_MIN} of IPv6 are the largest.`

export type ParsedRange =
  | { readonly kind: 'range'; readonly range: Range }
  | { readonly kind: 'refused'; readonly reason: string }

/**
 * Reads "address/length". The reason of a refusal is one public sentence. /32 and /128 stay ranges
 * here; `parseSubject` makes them items.
 */
export function parseRange(text: string, hostBits: HostBits = 'refuse'): ParsedRange {
  const block = parseBlock(text, hostBits)
  return isRange(block)
    ? { kind: 'range', range: block }
    : { kind: 'refused', reason: explainProblem(block) }
}

/** Why a text is no range. */
export type RangeProblem =
  | { readonly kind: 'not_a_range' }
  /** The prefix length is no number from 0 to `bits`. */
  | { readonly kind: 'wrong_length'; readonly bits: number }
  /** `meant` is the range that holds the address. */
  | { readonly kind: 'host_bits'; readonly meant: string }

export function isRange(block: Range | RangeProblem): block is Range {
  return block.kind === 'ipv4-range' || block.kind === 'ipv6-range'
}

/** As `parseRange`, for callers with sentences of their own. */
export function parseBlock(
  text: string,
  hostBits: HostBits = 'refuse',
  mapped: MappedBlocks = 'ipv4',
): Range | RangeProblem {
  const slash = text.indexOf('/')
  if (slash < 0) return { kind: 'not_a_range' }
  const prefixLength = readPrefixLength(text, slash + 1)
  const address = text.slice(0, slash)
  const value = parseIpv4(address)
  if (value >= 0) return ipv4Block(value, prefixLength, hostBits)
  const words = parseIpv6(address)
  if (words === null) return { kind: 'not_a_range' }
  // A prefix shorter than that of all mapped addresses would span mapped and other ones, which have
  // no common meaning: it stays IPv6, where its host bits are refused or cleared.
  const isMapped = mapped === 'ipv4' && prefixLength >= MAPPED_BITS && prefixLength <= IPV6_BITS
  const carried = isMapped ? mappedIpv4(words) : -1
  if (carried >= 0) return ipv4Block(carried, prefixLength - MAPPED_BITS, hostBits)
  return ipv6Block(words, prefixLength, hostBits)
}

function ipv4Block(value: number, prefixLength: number, hostBits: HostBits): Range | RangeProblem {
  if (prefixLength < 0 || prefixLength > IPV4_BITS) return { kind: 'wrong_length', bits: IPV4_BITS }
  const range = ipv4Range(value, prefixLength)
  if (hostBits === 'clear' || range.first === value) return range
  return { kind: 'host_bits', meant: range.text }
}

function ipv6Block(
  words: Ipv6Words,
  prefixLength: number,
  hostBits: HostBits,
): Range | RangeProblem {
  if (prefixLength < 0 || prefixLength > IPV6_BITS) return { kind: 'wrong_length', bits: IPV6_BITS }
  const range = ipv6Range(words, prefixLength)
  if (hostBits === 'clear' || compareIpv6(range.first, words) === 0) return range
  return { kind: 'host_bits', meant: range.text }
}

function explainProblem(problem: RangeProblem): string {
  switch (problem.kind) {
    case 'not_a_range':
      return 'This is no range: give an IP address, a slash and a prefix length.'
    case 'wrong_length':
      return `The prefix length must be a number from 0 to ${problem.bits}.`
    case 'host_bits':
      return `The address has bits set after the prefix: send ${problem.meant} if the whole range is meant.`
  }
}

/** The range of a text in our own code. Throws when it is none. */
export function requireRange(text: string): Range {
  const block = parseBlock(text, 'refuse', 'ipv6')
  if (!isRange(block)) throw new RangeError(`${text}: ${explainProblem(block)}`)
  return block
}

// Digits only and no leading zero, so that a range has one spelling.
function readPrefixLength(text: string, start: number): number {
  const length = text.length - start
  if (length < 1 || length > 3) return -1
  let value = 0
  for (let at = start; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return length > 1 && text.charCodeAt(start) === 48 ? -1 : value
}

/** The range of this length that holds the address. */
export function ipv4Range(value: number, prefixLength: number): Ipv4Range {
  const first = (value & ipv4Mask(prefixLength)) >>> 0
  return { kind: 'ipv4-range', text: `${formatIpv4(first)}/${prefixLength}`, first, prefixLength }
}

/** The range of this length that holds the address. */
export function ipv6Range(words: Ipv6Words, prefixLength: number): Ipv6Range {
  const first = maskIpv6(words, prefixLength)
  return { kind: 'ipv6-range', text: `${formatIpv6(first)}/${prefixLength}`, first, prefixLength }
}

/**
 * Reads an address, range or domain. A range of one address is that address, so that a subject has
 * one key.
 */
export function parseSubject(text: string, hostBits: HostBits = 'refuse'): ParsedSubject {
  if (text.includes('/')) {
    const parsed = parseRange(text, hostBits)
    if (parsed.kind === 'refused') return parsed
    return { kind: 'subject', subject: subjectOfRange(parsed.range) }
  }
  const item = parseItem(text)
  if (item === null) return { kind: 'refused', reason: NOT_A_SUBJECT }
  return { kind: 'subject', subject: item }
}

/** The address of a /32 or /128, else the range itself: a subject has one key. */
export function subjectOfRange(range: Range): AddressItem | Range {
  return singleAddress(range) ?? range
}

/** The address of a /32 or /128, or null when the range holds more than one. */
export function singleAddress(range: Range): AddressItem | null {
  if (range.kind === 'ipv4-range') {
    return range.prefixLength === IPV4_BITS ? ipv4Item(range.first) : null
  }
  return range.prefixLength === IPV6_BITS ? ipv6Item(range.first) : null
}

/** True when the range holds the address; a domain lies in no range. */
export function rangeHolds(range: Range, item: Item): boolean {
  if (range.kind === 'ipv4-range') {
    return item.kind === 'ipv4' && (item.value & ipv4Mask(range.prefixLength)) >>> 0 === range.first
  }
  if (item.kind !== 'ipv6') return false
  return compareIpv6(maskIpv6(item.words, range.prefixLength), range.first) === 0
}
