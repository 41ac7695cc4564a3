// The reversed labels of an address in DNS: 1.2.0.192 for 192.0.2.1, and for IPv6 the 32 nibbles
// from last to first (RFC 1035 section 3.5, RFC 3596 section 2.5).

import type { AddressItem } from '../../values/address.ts'

/** The labels without a zone, for a zone of abuse contacts. */
export function reverseLabels(item: AddressItem): string {
  if (item.kind === 'ipv4') return item.text.split('.').toReversed().join('.')
  const nibbles = item.words.map((word) => word.toString(16).padStart(8, '0')).join('')
  return nibbles.split('').toReversed().join('.')
}

/** The name with the PTR records of the address. */
export function reverseName(item: AddressItem): string {
  return `${reverseLabels(item)}.${item.kind === 'ipv4' ? 'in-addr.arpa' : 'ip6.arpa'}`
}
