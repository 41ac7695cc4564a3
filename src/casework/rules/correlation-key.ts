// What tells the cases of a group apart: the correlation key that a group's key fields make of an
// event and its owner.

import { parseAddress } from '../../values/address.ts'
import { registrableDomain } from '../../values/domain.ts'
import { hashFields } from '../../values/field-hash.ts'
import { ipv4Range } from '../../values/range.ts'
import type { NewEvent } from '../../vocabulary/event.ts'
import { findReportedUrl } from '../../vocabulary/event.ts'
import { parseUrlHost } from '../../vocabulary/target.ts'

/** What a case group may tell its cases apart by. */
export const KEY_FIELDS = [
  'customer_id',
  'contract_id',
  'resource',
  'ip',
  'ip_prefix',
  'domain',
  'registrable_domain',
  'event_type',
  'subtype',
  'xarf_class',
  'url_host',
  'sender_email',
] as const

export type KeyField = (typeof KEY_FIELDS)[number]

/** One open case per customer and group. */
export const DEFAULT_KEY_FIELDS: readonly KeyField[] = ['customer_id']

/** Who was responsible at the time of the event. */
export interface Ownership {
  readonly customerId: string
  readonly contractId: string | null
  /**
   * Id of the resource (range, domain, account) that led to the contract; null when something else
   * did.
   */
  readonly resourceId: string | null
}

/**
 * The part of the slot's primary key (tenant, case group, key) that the group's key fields make: 64
 * hexadecimal digits. The order of the fields does not matter. A field without a value counts as a
 * value of its own: events without a domain share a case.
 */
export function buildCorrelationKey(
  keyFields: readonly KeyField[],
  event: NewEvent,
  ownership: Ownership,
): string {
  const fields: (string | null)[] = []
  for (const name of KEY_FIELDS) {
    if (keyFields.includes(name)) fields.push(name, readKeyField(name, event, ownership))
  }
  return hashFields(fields)
}

/** The value by which the field tells cases apart; null without one. */
export function readKeyField(name: KeyField, event: NewEvent, ownership: Ownership): string | null {
  switch (name) {
    case 'customer_id':
      return ownership.customerId
    case 'contract_id':
      return ownership.contractId
    case 'resource':
      return ownership.resourceId
    case 'ip':
      return event.ip
    case 'ip_prefix':
      return event.ip === null ? null : findIpPrefix(event.ip)
    case 'domain':
      return event.domain
    case 'registrable_domain':
      // A public suffix has no registrable domain of its own; it is then kept as it is.
      return event.domain === null ? null : (registrableDomain(event.domain) ?? event.domain)
    case 'event_type':
      return event.eventType
    case 'subtype':
      // Slugs hold no comma.
      return event.eventSubtypes.toSorted().join(',')
    case 'xarf_class':
      return event.xarfClass
    case 'url_host':
      return findUrlHost(event)
    case 'sender_email':
      return event.senderEmail.toLowerCase()
  }
}

/** Host of the reported URL, a name or an address; null without one. */
export function findUrlHost(event: NewEvent): string | null {
  const url = findReportedUrl(event)
  if (url === null) return null
  const host = parseUrlHost(url)
  return host.domain ?? host.ip
}

/**
 * The /24 of a canonical IPv4 address, the /64 of a canonical IPv6 address: one customer usually has
 * at least that. The /64 is spelled with its first four groups in full, which is part of every
 * stored key. Throws for a text that is no address.
 */
export function findIpPrefix(ip: string): string {
  const address = parseAddress(ip)
  if (address === null) throw new RangeError('an event has an address that is none')
  if (address.kind === 'ipv4') return ipv4Range(address.value, 24).text
  const [first, second] = address.words
  const groups = [first >>> 16, first & 0xffff, second >>> 16, second & 0xffff]
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`
}
