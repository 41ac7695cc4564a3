// A span "first-last" of addresses, as some lists write it, as the fewest ranges that cover exactly
// it.

import { formatIpv4, IPV4_BITS } from '../../../values/ipv4.ts'
import { formatIpv6, IPV6_BITS, type Ipv6Words } from '../../../values/ipv6.ts'
import type { Item } from '../../../values/item.ts'

const WORD_BITS = 32n
const WORD_MASK = 0xffff_ffffn

/**
 * Canonical texts of the ranges (at most 62 for IPv4, 254 for IPv6), or null when the two ends are
 * of different kinds or in the wrong order.
 */
export function spanRanges(first: Item, last: Item): readonly string[] | null {
  if (first.kind === 'ipv4' && last.kind === 'ipv4') {
    return split(BigInt(first.value), BigInt(last.value), IPV4_BITS, (value) =>
      formatIpv4(Number(value)),
    )
  }
  if (first.kind === 'ipv6' && last.kind === 'ipv6') {
    return split(toNumber(first.words), toNumber(last.words), IPV6_BITS, (value) =>
      formatIpv6(toWords(value)),
    )
  }
  return null
}

function split(
  first: bigint,
  last: bigint,
  bits: number,
  format: (value: bigint) => string,
): readonly string[] | null {
  if (first > last) return null
  const ranges: string[] = []
  for (let start = first; start <= last; ) {
    let hostBits = 0
    // The largest block that begins here and does not reach beyond the end.
    while (hostBits < bits) {
      const size = 1n << BigInt(hostBits + 1)
      if (start % size !== 0n || start + size - 1n > last) break
      hostBits += 1
    }
    ranges.push(hostBits === 0 ? format(start) : `${format(start)}/${bits - hostBits}`)
    start += 1n << BigInt(hostBits)
  }
  return ranges
}

function toNumber(words: Ipv6Words): bigint {
  let value = 0n
  for (const word of words) value = (value << WORD_BITS) | BigInt(word)
  return value
}

function toWords(value: bigint): Ipv6Words {
  const word = (shift: bigint): number => Number((value >> (shift * WORD_BITS)) & WORD_MASK)
  return [word(3n), word(2n), word(1n), word(0n)]
}
