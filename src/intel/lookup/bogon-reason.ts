// Says in one sentence why an item is a bogon. For explanations, which may be slow.

import type { Item } from '../../values/item.ts'
import { rangeHolds, requireRange } from '../../values/range.ts'
import {
  findSpecialUseDomain,
  IPV4_SPECIAL_BLOCKS,
  IPV6_SPECIAL_BLOCKS,
  isBogon,
} from '../facts/bogon.ts'

/** Null when the item is no bogon. */
export function explainBogon(item: Item): string | null {
  if (!isBogon(item)) return null
  switch (item.kind) {
    case 'domain':
      return `The name is or lies below ${findSpecialUseDomain(item.text) ?? item.text}, which is a special-use domain name.`
    case 'ipv4':
      return explainBlock(item, IPV4_SPECIAL_BLOCKS)
    case 'ipv6':
      return explainBlock(item, IPV6_SPECIAL_BLOCKS)
  }
}

// Their addresses carry an IPv4 address, and are bogons because of it. Teredo lies inside a block
// of the registry that is not globally reachable.
const TUNNELS = [requireRange('2001::/32'), requireRange('2002::/16')]

function explainBlock(item: Item, blocks: typeof IPV4_SPECIAL_BLOCKS): string {
  if (TUNNELS.some((tunnel) => rangeHolds(tunnel, item))) {
    return 'The address carries an IPv4 address that is not globally reachable (RFC 3056, RFC 4380).'
  }
  for (const [block, meaning] of blocks) {
    if (rangeHolds(requireRange(block), item)) {
      return `The address lies in ${block}, which is not globally reachable (${meaning}).`
    }
  }
  return 'The address lies outside 2000::/3, the block of global unicast, or carries an IPv4 address that is not globally reachable.'
}
