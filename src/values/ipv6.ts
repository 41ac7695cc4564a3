// IPv6 addresses as four unsigned 32-bit words; text is read leniently (RFC 4291 section 2.2) and
// written in one way (RFC 5952).

import { parseIpv4 } from './address.ts'

/** The address from its most to its least significant 32 bits. */
export type Ipv6Words = readonly [number, number, number, number]

export const IPV6_BITS = 128

const GROUPS = 8
// Eight groups of four with seven colons, or the longest form that ends in dotted decimal: 39 and
// 45.
const LONGEST_TEXT = 45

/**
 * The words of an address in any RFC 4291 text form; null for anything else, also for an address
 * with a zone ("%eth0").
 */
export function parseIpv6(text: string): Ipv6Words | null {
  if (text.length < 2 || text.length > LONGEST_TEXT) return null
  const gap = text.indexOf('::')
  if (gap < 0) return toWords(readGroups(text), [])
  if (text.indexOf('::', gap + 1) >= 0) return null
  const head = gap === 0 ? [] : readGroups(text.slice(0, gap))
  const tail = gap + 2 === text.length ? [] : readGroups(text.slice(gap + 2))
  if (head === null || tail === null || head.length + tail.length >= GROUPS) return null
  // Dotted decimal stands for the last two groups only, never before the gap.
  if (text.lastIndexOf('.', gap) >= 0) return null
  const zeros = Array.from({ length: GROUPS - head.length - tail.length }, () => 0)
  return toWords([...head, ...zeros], tail)
}

function toWords(head: readonly number[] | null, tail: readonly number[]): Ipv6Words | null {
  if (head === null || head.length + tail.length !== GROUPS) return null
  const groups = [...head, ...tail]
  const word = (at: number): number => (groups[at * 2] ?? 0) * 0x1_0000 + (groups[at * 2 + 1] ?? 0)
  return [word(0), word(1), word(2), word(3)]
}

function readGroups(text: string): number[] | null {
  const parts = text.split(':')
  if (parts.length > GROUPS) return null
  const groups: number[] = []
  for (const [at, part] of parts.entries()) {
    if (at === parts.length - 1 && part.includes('.')) {
      const value = parseIpv4(part)
      if (value < 0) return null
      groups.push(value >>> 16, value & 0xffff)
      continue
    }
    const group = readHex(part)
    if (group < 0) return null
    groups.push(group)
  }
  return groups
}

function readHex(part: string): number {
  if (part.length === 0 || part.length > 4) return -1
  let value = 0
  for (let at = 0; at < part.length; at += 1) {
    const code = part.charCodeAt(at)
    let digit = code - 48
    if (digit < 0) return -1
    if (digit > 9) {
      // Bit 5 turns A..F into a..f.
      digit = (code | 32) - 87
      if (digit < 10 || digit > 15) return -1
    }
    value = value * 16 + digit
  }
  return value
}

/**
 * RFC 5952: lower-case, no leading zeros, the longest run of two or more zero groups (the first of
 * equals) as "::". Hexadecimal throughout; the dotted form of section 5 is for mapped addresses,
 * which are IPv4 here and never reach this.
 */
export function formatIpv6(words: Ipv6Words): string {
  const groups: number[] = []
  for (const word of words) groups.push(word >>> 16, word & 0xffff)
  let bestAt = -1
  let bestLength = 1
  let runLength = 0
  for (const [at, group] of groups.entries()) {
    runLength = group === 0 ? runLength + 1 : 0
    if (runLength > bestLength) {
      bestLength = runLength
      bestAt = at - runLength + 1
    }
  }
  if (bestAt < 0) return joinGroups(groups)
  return `${joinGroups(groups.slice(0, bestAt))}::${joinGroups(groups.slice(bestAt + bestLength))}`
}

function joinGroups(groups: readonly number[]): string {
  return groups.map((group) => group.toString(16)).join(':')
}

/**
 * The IPv4 value inside an IPv4-mapped address (::ffff:0:0/96), or -1 when the address is not one.
 */
export function mappedIpv4(words: Ipv6Words): number {
  return words[0] === 0 && words[1] === 0 && words[2] === 0xffff ? words[3] : -1
}

/**
 * The mask of one word (0 is the most significant) under a prefix length, as an unsigned 32-bit
 * number.
 */
export function ipv6WordMask(prefixLength: number, word: number): number {
  const bits = prefixLength - word * 32
  if (bits <= 0) return 0
  return bits >= 32 ? 0xffff_ffff : (0xffff_ffff << (32 - bits)) >>> 0
}

/** The first address of the prefix: everything after `prefixLength` bits is cleared. */
export function maskIpv6(words: Ipv6Words, prefixLength: number): Ipv6Words {
  const masked = (word: 0 | 1 | 2 | 3): number =>
    (words[word] & ipv6WordMask(prefixLength, word)) >>> 0
  return [masked(0), masked(1), masked(2), masked(3)]
}

/** Below, equal or above zero as `a` lies before, at or after `b`. */
export function compareIpv6(a: Ipv6Words, b: Ipv6Words): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3]
}
