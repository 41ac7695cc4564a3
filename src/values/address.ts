// IP addresses of both families, in one canonical form. IPv4 addresses are unsigned 32-bit numbers,
// read and written by hand because a quick check reads a thousand in one call. IPv6 addresses are
// four words; their text is written as RFC 5952 says.

export interface Ipv4Item {
  readonly kind: 'ipv4'
  /** Canonical text. */
  readonly text: string
  /** Unsigned 32-bit. */
  readonly value: number
}

export interface Ipv6Item {
  readonly kind: 'ipv6'
  /** Canonical text (RFC 5952). */
  readonly text: string
  readonly words: Ipv6Words
}

export type AddressItem = Ipv4Item | Ipv6Item

const COLON = 58

/**
 * The address that a text names; null when it names none. An IPv4-mapped address is the IPv4
 * address that it carries: one host, one key. A zone ("%eth0") and white space are refused.
 */
export function parseAddress(text: string): AddressItem | null {
  const value = parseIpv4(text)
  // The four decimal numbers have one spelling only, so the text sent is already canonical.
  if (value >= 0) return { kind: 'ipv4', text, value }
  if (!hasColonEarly(text)) return null
  const words = parseIpv6(text)
  if (words === null) return null
  const mapped = mappedIpv4(words)
  return mapped >= 0 ? ipv4Item(mapped) : ipv6Item(words)
}

// Every IPv6 text has a colon among its first five characters; a domain has none anywhere.
function hasColonEarly(text: string): boolean {
  const end = Math.min(text.length, 5)
  for (let at = 0; at < end; at += 1) if (text.charCodeAt(at) === COLON) return true
  return false
}

const ZONE = /^%[0-9A-Za-z.:-]+$/

/**
 * The address that a socket connects to: an IPv4-mapped address stays IPv6, and a zone (RFC 4007)
 * is dropped. Null for the texts for which `isIP` of node:net is 0, because Node looks those up as
 * names.
 */
export function parseSocketAddress(text: string): AddressItem | null {
  const value = parseIpv4(text)
  if (value >= 0) return { kind: 'ipv4', text, value }
  const zoneAt = text.indexOf('%')
  if (zoneAt >= 0 && !ZONE.test(text.slice(zoneAt))) return null
  const words = parseIpv6(zoneAt < 0 ? text : text.slice(0, zoneAt))
  return words === null ? null : ipv6Item(words)
}

/** The address of an unsigned 32-bit value. */
export function ipv4Item(value: number): Ipv4Item {
  return { kind: 'ipv4', text: formatIpv4(value), value }
}

/** The address of four words; one that carries IPv4 stays IPv6. */
export function ipv6Item(words: Ipv6Words): Ipv6Item {
  return { kind: 'ipv6', text: formatIpv6(words), words }
}

export const IPV4_BITS = 32

const ZERO = 48

const DOT = 46

const IPV4_TEXT_MAX = 15

/**
 * The unsigned 32-bit value of a dotted decimal address, or -1 when the text is anything else.
 * Exactly four parts of 0..255 without leading zeros: octal, hexadecimal and short forms are
 * refused, since parsers disagree about the meaning of such forms.
 */
export function parseIpv4(text: string): number {
  const length = text.length
  if (length < 7 || length > IPV4_TEXT_MAX) return -1
  let value = 0
  let part = -1
  let dots = 0
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === DOT) {
      if (part < 0 || dots === 3) return -1
      value = value * 256 + part
      part = -1
      dots += 1
      continue
    }
    const digit = code - ZERO
    if (digit < 0 || digit > 9 || part === 0) return -1
    part = part < 0 ? digit : part * 10 + digit
    if (part > 255) return -1
  }
  return dots === 3 && part >= 0 ? value * 256 + part : -1
}

export function formatIpv4(value: number): string {
  return `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`
}

/**
 * The network mask of a prefix length as an unsigned 32-bit number: 24 gives 0xffffff00, 0 gives 0.
 */
export function ipv4Mask(prefixLength: number): number {
  // A shift by 32 is a shift by 0 in this language, so the empty mask is its own case.
  return prefixLength === 0 ? 0 : (0xffff_ffff << (IPV4_BITS - prefixLength)) >>> 0
}

/** The canonical address, or null when `text` is none. */
export function parseIpAddress(text: string): string | null {
  return parseAddress(text)?.text ?? null
}

/** The address from its most to its least significant 32 bits. */
export type Ipv6Words = readonly [number, number, number, number]

export const IPV6_BITS = 128

const GROUPS = 8

// Eight groups of four with seven colons, or the longest form that ends in dotted decimal: 39 and
// 45.
const IPV6_TEXT_MAX = 45

/**
 * The words of an address in any RFC 4291 text form; null for anything else, also for an address
 * with a zone ("%eth0").
 */
export function parseIpv6(text: string): Ipv6Words | null {
  if (text.length < 2 || text.length > IPV6_TEXT_MAX) return null
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

const LOWER_A = 97

function readHex(part: string): number {
  if (part.length === 0 || part.length > 4) return -1
  let value = 0
  for (let at = 0; at < part.length; at += 1) {
    const code = part.charCodeAt(at)
    let digit = code - ZERO
    if (digit < 0) return -1
    if (digit > 9) {
      // Bit 5 turns A..F into a..f.
      digit = (code | 32) - LOWER_A + 10
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
