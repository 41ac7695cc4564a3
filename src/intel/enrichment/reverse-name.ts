// The labels under which DNS files what belongs to an address: 192.0.2.1 is 1.2.0.192, an IPv6
// address its 32 nibbles from the last to the first (RFC 1035 section 3.5, RFC 3596 section 2.5).

import type { AddressItem } from '../../values/address.ts'

/** The labels without a zone, as a zone of abuse contacts wants them in front of its own name. */
export function reverseLabels(item: AddressItem): string {
  if (item.kind === 'ipv4') return item.text.split('.').toReversed().join('.')
  const nibbles = item.words.map((word) => word.toString(16).padStart(8, '0')).join('')
  return nibbles.split('').toReversed().join('.')
}

/** The name whose PTR records are the names of the address. */
export function reverseName(item: AddressItem): string {
  return `${reverseLabels(item)}.${item.kind === 'ipv4' ? 'in-addr.arpa' : 'ip6.arpa'}`
}
