// How events gather into cases: which slot an event falls into, what it adds to the case, and what becomes of a late one.

import { registrableDomain } from '../../intel/public.ts'
import { findReportedUrl, type NewEvent } from './event.ts'
import { hashFields } from './field-hash.ts'
import { parseUrlHost } from './target.ts'

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
  /** Id of the resource (range, domain, account) that led to the contract; null when something else did. */
  readonly resourceId: string | null
}

/**
 * The part of the slot's primary key (tenant, case group, key) that the group's key fields make: 64 hexadecimal digits. The order of
 * the fields does not matter. A field without a value counts as a value of its own: events without a domain share a case.
 */
export function buildSlotKey(
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

function readKeyField(name: KeyField, event: NewEvent, ownership: Ownership): string | null {
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

function findUrlHost(event: NewEvent): string | null {
  const url = findReportedUrl(event)
  if (url === null) return null
  const host = parseUrlHost(url)
  return host.domain ?? host.ip
}

/** The /24 of a canonical IPv4 address, the /64 of a canonical IPv6 address: what one customer usually has at least. */
export function findIpPrefix(ip: string): string {
  if (!ip.includes(':')) return `${ip.slice(0, ip.lastIndexOf('.'))}.0/24`
  const [head = '', tail] = ip.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => '0')
  const words = [...front, ...zeros, ...back].slice(0, 4)
  return `${words.join(':')}::/64`
}

/** What a case knows of its events in sum. Dates are those of `NewEvent`, in the order of time as text. */
export interface CaseCounters {
  readonly eventCount: number
  readonly firstEventDate: string
  readonly lastEventDate: string
}

export function countEvent(event: NewEvent): CaseCounters {
  return { eventCount: 1, firstEventDate: event.eventDate, lastEventDate: event.eventDate }
}

/** The same whatever the order and grouping, so a batch may be summed before it meets the case. */
export function mergeCounters(one: CaseCounters, other: CaseCounters): CaseCounters {
  return {
    eventCount: one.eventCount + other.eventCount,
    firstEventDate:
      one.firstEventDate < other.firstEventDate ? one.firstEventDate : other.firstEventDate,
    lastEventDate:
      one.lastEventDate > other.lastEventDate ? one.lastEventDate : other.lastEventDate,
  }
}

/** The newest case of a slot key that has ended. */
export interface EndedCase {
  readonly caseId: string
  /** When it was last RESOLVED, in the form of `NewEvent.eventDate`; null when it never was. */
  readonly resolvedAt: string | null
}

export type AttachDecision =
  | { readonly kind: 'attach'; readonly caseId: string }
  /** Belongs to what is settled already: `late` tag, `resolved` from the start, no reopening, no notice. */
  | { readonly kind: 'attach_late'; readonly caseId: string }
  /** `linkedCaseId`: the ended case this one follows. */
  | { readonly kind: 'open_case'; readonly linkedCaseId: string | null }

/** The tag a late event gets. */
export const LATE_TAG = 'late'

/**
 * Where an event goes: into the open case of its slot; else, when it happened no later than the last case was resolved, into that
 * one without waking it; else into a new case. A late event never reopens.
 */
export function decideAttach(
  eventDate: string,
  openCaseId: string | null,
  lastEnded: EndedCase | null,
): AttachDecision {
  if (openCaseId !== null) return { kind: 'attach', caseId: openCaseId }
  if (lastEnded === null) return { kind: 'open_case', linkedCaseId: null }
  // The same boundary as for the events that a resolved case settles: dated up to the resolve time.
  if (lastEnded.resolvedAt !== null && eventDate <= lastEnded.resolvedAt) {
    return { kind: 'attach_late', caseId: lastEnded.caseId }
  }
  return { kind: 'open_case', linkedCaseId: lastEnded.caseId }
}
