// A network as people write it into a list: a CIDR block, or one address.

import { parseAddress } from './address.ts'
import { ipv4Range, ipv6Range, isRange, parseBlock, type Range } from './range.ts'

/** An address stands for itself alone. Null for what is neither an address nor a block. */
export function parseNetwork(text: string): Range | null {
  if (text.includes('/')) {
    const block = parseBlock(text)
    return isRange(block) ? block : null
  }
  const address = parseAddress(text)
  if (address === null) return null
  return address.kind === 'ipv4' ? ipv4Range(address.value, 32) : ipv6Range(address.words, 128)
}
