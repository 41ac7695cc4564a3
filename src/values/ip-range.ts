// A range of addresses as the CIDR blocks it is made of, so that an address is found by looking up
// its prefixes.

import { type Item, parseItem } from './item.ts'

export interface IpBlock {
  readonly family: 4 | 6
  readonly prefixLength: number
  /** `first/length`, canonical. */
  readonly network: string
}

export interface IpRange {
  /** Canonical: `first/length` where one block holds it, else `first-last`. */
  readonly text: string
  /** Aligned, ascending, without gaps: 62 at most for IPv4, 254 for IPv6. */
  readonly blocks: readonly IpBlock[]
  /**
   * How narrow the whole range is: the prefix length of a block of its size, rounded up to the next
   * larger block.
   */
  readonly rangeLength: number
}

interface Bounds {
  readonly family: 4 | 6
  readonly first: bigint
  readonly last: bigint
}

/**
 * The range a text names (address, CIDR block or `first-last`), or one public sentence why it names
 * none.
 */
export function parseIpRange(text: string): IpRange | string {
  const bounds = readBounds(text)
  if (typeof bounds === 'string') return bounds
  const blocks = splitIntoBlocks(bounds)
  const { family, first, last } = bounds
  const [only] = blocks
  const isBlock = blocks.length === 1 && only !== undefined
  return {
    text: isBlock ? only.network : `${formatAddress(family, first)}-${formatAddress(family, last)}`,
    blocks,
    // The bits of `size - 1` are those that differ within a block that could hold the range.
    rangeLength: bitsOf(family) - (last === first ? 0 : (last - first).toString(2).length),
  }
}

const NOT_A_RANGE = 'must be an IP address, a CIDR block, or first-last'

function readBounds(text: string): Bounds | string {
  const slash = text.indexOf('/')
  if (slash >= 0) return readBlock(text.slice(0, slash), text.slice(slash + 1))
  const [from = '', to] = text.split('-').map((part) => part.trim())
  const first = readAddress(from)
  const last = to === undefined ? first : readAddress(to)
  if (first === null || last === null || text.split('-').length > 2) return NOT_A_RANGE
  if (first.family !== last.family) return 'must begin and end in one family of addresses'
  if (first.value > last.value) return 'must not end before it begins'
  return { family: first.family, first: first.value, last: last.value }
}

function readBlock(addressText: string, lengthText: string): Bounds | string {
  const address = readAddress(addressText)
  if (address === null || !/^(0|[1-9]\d{0,2})$/.test(lengthText)) return NOT_A_RANGE
  const bits = bitsOf(address.family)
  // An IPv4-mapped block is written with the length of IPv6.
  const isMapped = address.family === 4 && addressText.includes(':')
  const length = Number(lengthText) - (isMapped ? 96 : 0)
  if (length < 0 || length > bits) return NOT_A_RANGE
  const size = 1n << BigInt(bits - length)
  if (address.value % size !== 0n) {
    const meant = formatAddress(address.family, address.value - (address.value % size))
    return `has bits set after the prefix; send ${meant}/${length} if the whole block is meant`
  }
  return { family: address.family, first: address.value, last: address.value + size - 1n }
}

function splitIntoBlocks({ family, first, last }: Bounds): readonly IpBlock[] {
  const bits = bitsOf(family)
  const blocks: IpBlock[] = []
  // Each turn takes the largest aligned block that fits; lengths fall and then rise, so there are
  // less than two for each bit.
  for (let at = first; at <= last; ) {
    let free = 0
    while (free < bits && at % (1n << BigInt(free + 1)) === 0n) {
      if (at + (1n << BigInt(free + 1)) - 1n > last) break
      free += 1
    }
    const prefixLength = bits - free
    blocks.push({ family, prefixLength, network: `${formatAddress(family, at)}/${prefixLength}` })
    at += 1n << BigInt(free)
  }
  return blocks
}

function bitsOf(family: 4 | 6): number {
  return family === 4 ? 32 : 128
}

function readAddress(text: string): { readonly family: 4 | 6; readonly value: bigint } | null {
  const item = parseItem(text)
  if (item === null || item.kind === 'domain') return null
  return { family: item.kind === 'ipv4' ? 4 : 6, value: readValue(item) }
}

function readValue(item: Exclude<Item, { kind: 'domain' }>): bigint {
  if (item.kind === 'ipv4') return BigInt(item.value)
  return item.words.reduce((sum, word) => (sum << 32n) | BigInt(word >>> 0), 0n)
}

function formatAddress(family: 4 | 6, value: bigint): string {
  const width = family === 4 ? 8n : 16n
  const count = family === 4 ? 4 : 8
  const parts = Array.from({ length: count }, (_, index) => {
    const part = (value >> (width * BigInt(count - 1 - index))) & ((1n << width) - 1n)
    return part.toString(family === 4 ? 10 : 16)
  })
  if (family === 4) return parts.join('.')
  return parseItem(parts.join(':'))?.text ?? parts.join(':')
}
