// An item is the subject of a question: an IP address or a domain, in one canonical form (interface
// 2.2, design 4.1).

import { type AddressItem, parseAddress } from './address.ts'
import { parseDomain } from './domain.ts'

export interface DomainItem {
  readonly kind: 'domain'
  /** Canonical text: lower-case A-labels without a trailing dot. */
  readonly text: string
}

export type Item = AddressItem | DomainItem

/**
 * The item a text names, or null when it names none. `text` of the result is the canonical form,
 * which may differ from the text sent; an answer repeats the text sent. White space is not trimmed;
 * readers of files trim it before.
 */
export function parseItem(text: string): Item | null {
  const address = parseAddress(text)
  if (address !== null) return address
  const domain = parseDomain(text)
  return domain === null ? null : { kind: 'domain', text: domain }
}
