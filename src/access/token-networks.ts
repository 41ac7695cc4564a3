// The networks that a token may come from, as CIDR blocks.

import { ipv4Item, ipv6Item, parseAddress } from '../values/address.ts'
import { type Range, rangeHolds } from '../values/range.ts'

/** Whether a client of this address, as a socket or a proxy gives it, is in one of the networks. */
export function isInNetworks(address: string, networks: readonly Range[]): boolean {
  const item = parseAddress(address.replace(/%.*/, ''))
  return item !== null && networks.some((network) => rangeHolds(network, item))
}

/** Whether all addresses of the network are in one of the outer ones. */
export function isNetworkIn(network: Range, outer: readonly Range[]): boolean {
  const first = network.kind === 'ipv4-range' ? ipv4Item(network.first) : ipv6Item(network.first)
  return outer.some((one) => rangeHolds(one, first) && one.prefixLength <= network.prefixLength)
}
