// Parses the subject of a line of an rbldnsd data set: address blocks in short forms (partial
// octets, "1.2.3.4-9", half IPv6 addresses), names with a leading dot or asterisk, and reversed
// names of the generic data set. The format is described in the manual page rbldnsd(8).

import { formatIpv4, ipv4Item, ipv4Mask } from '../../../values/address.ts'
import { spanRanges } from '../../../values/address-span.ts'
import { parseItem } from '../../../values/item.ts'
import { parseSubject, subjectOfRange } from '../../../values/range.ts'

/** Canonical texts, or one sentence that says why there are none. */
export type ReadSubjects = readonly string[] | string

const NO_BLOCK = 'The line begins with no address, block or name.'

/** Reads the first word of a line of any data set but `generic`. */
export function readRbldnsdSubject(text: string): ReadSubjects {
  if (/^[\d.]+(?:[/-][\d.]+)?$/.test(text)) return readIpv4Block(text)
  if (text.includes(':')) return readIpv6Block(text)
  // ".name" covers the name and the names below it, "*.name" only the names below. Our listings
  // cover both.
  const item = parseItem(text.replace(/^\*?\./, ''))
  return item === null ? NO_BLOCK : [item.text]
}

interface PartialAddress {
  /** Missing octets are 0. */
  readonly value: number
  readonly bits: number
}

function readOctets(text: string): PartialAddress | null {
  const parts = text.split('.')
  if (parts.length > 4) return null
  let value = 0
  for (const part of parts) {
    if (!/^\d{1,3}$/.test(part) || Number(part) > 255) return null
    value = value * 256 + Number(part)
  }
  return { value: value * 256 ** (4 - parts.length), bits: parts.length * 8 }
}

function readIpv4Block(text: string): ReadSubjects {
  const [, first = '', separator = '', rest = ''] =
    /^([\d.]+)(?![\d.])([/-]?)(.*)$/.exec(text) ?? []
  const start = readOctets(first)
  if (start === null) return NO_BLOCK
  if (separator === '-') return readIpv4Span(start, rest)
  const length = separator === '' ? String(start.bits) : rest
  const parsed = parseSubject(`${formatIpv4(start.value)}/${length}`, 'clear')
  return parsed.kind === 'subject' ? [parsed.subject.text] : parsed.reason
}

function readIpv4Span(start: PartialAddress, text: string): ReadSubjects {
  const end = readOctets(text)
  if (end === null) return NO_BLOCK
  // A single number replaces the last octet of the start: "1.2.3.4-9" ends at 1.2.3.9.
  const { value, bits } = end.bits === 8 ? replaceLastOctet(start, end.value >>> 24) : end
  const last = (value | ~ipv4Mask(bits)) >>> 0
  const ranges = spanRanges(ipv4Item(start.value), ipv4Item(last))
  if (ranges === null) return 'The span does not go from a lower to a higher address.'
  return ranges.map((range) => subjectOfRange(range).text)
}

function replaceLastOctet({ value, bits }: PartialAddress, octet: number): PartialAddress {
  const head = (value & ipv4Mask(bits - 8)) >>> 0
  return { value: head + octet * 2 ** (32 - bits), bits }
}

function readIpv6Block(text: string): ReadSubjects {
  const [address = '', length] = text.split('/')
  const groups = address.split(':')
  // Fewer than eight groups without "::" are the beginning of a block, such as the halves of
  // ip6tset.
  const isPartial = !address.includes('::') && groups.length < 8
  const whole = isPartial ? `${address}::` : address
  const bits = length ?? (isPartial ? String(groups.length * 16) : '128')
  const parsed = parseSubject(`${whole}/${bits}`, 'clear')
  return parsed.kind === 'subject' ? [parsed.subject.text] : NO_BLOCK
}

/**
 * The address or name behind a name of a generic data set, which has reversed octets, reversed
 * nibbles or the name itself.
 */
export function readReversedName(name: string): ReadSubjects {
  const labels = name.split('.')
  if (labels.length === 4 && labels.every((label) => /^\d{1,3}$/.test(label))) {
    return readIpv4Block(labels.toReversed().join('.'))
  }
  if (labels.length === 32 && labels.every((label) => /^[0-9a-f]$/i.test(label))) {
    const nibbles = labels.toReversed().join('')
    return readIpv6Block(nibbles.replaceAll(/(.{4})(?!$)/g, '$1:'))
  }
  return readRbldnsdSubject(name)
}
