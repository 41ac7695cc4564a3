// The correlation key of an event: the values of its group's key fields. Events of one group with
// one key belong to one case.

import { hashFields } from '../../kernel/ids.ts'
import { parseAddress } from '../../values/address.ts'
import { registrableDomain } from '../../values/domain.ts'
import { ipv4Range } from '../../values/range.ts'
import type { NewEvent } from '../../vocabulary/event.ts'
import { findReportedUrl } from '../../vocabulary/event.ts'
import { parseUrlHost } from '../../vocabulary/target.ts'

/** The fields that a correlation key may have. */
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
   * Id of the resource (range, domain, account) by which the owner was found; null when it was
   * found otherwise.
   */
  readonly resourceId: string | null
}

/**
 * The key as 64 hexadecimal digits; tenant, case group and key identify an open case. The order of
 * the fields does not matter. A missing value is a value of its own: events without a domain share
 * a case.
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

/** The value of a key field; null for an event without one. */
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
      // Subtypes are slugs, which have no comma.
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
 * The /24 of a canonical IPv4 address, the /64 of a canonical IPv6 address: one customer usually
 * has at least that. The /64 is spelled with its first four groups in full, which is part of every
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
