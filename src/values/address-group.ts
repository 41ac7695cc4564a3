// Whose limit a request counts against: one IPv4 address, or the /64 of an IPv6 address, which is
// the least that a network hands to one customer. A single address of it costs nothing.

import { parseAddress } from './address.ts'

/** `address` as a socket gives it. IPv4-mapped addresses count as IPv4. */
export function groupAddress(address: string): string {
  if (!address.includes(':')) return address
  const item = parseAddress(address.replace(/%.*/, ''))
  if (item?.kind !== 'ipv6') return item?.text ?? address
  return `${item.words[0].toString(16)}:${item.words[1].toString(16)}/64`
}
