// The language of conditions: the part of CEL (github.com/google/cel-spec) whose cost has a bound
// before it runs, over one event, its owner, and what intel knows of its items.
// docs/guides/case-groups.md lists the names and functions for authors of conditions.

import { Environment } from '@marcbachmann/cel-js'
import { type BriefItem, EMPTY_BRIEF } from '../../intel/lookup/item-brief.ts'
import { parseAddress } from '../../values/address.ts'
import { parseAddressSpan } from '../../values/address-span.ts'
import { isRange, parseBlock, type Range, rangeHolds } from '../../values/range.ts'
import { findReportedUrl, type NewEvent, SUBTYPES_MAX, TAGS_MAX } from '../../vocabulary/event.ts'
import type { KnownLists } from './condition-cost.ts'
import { findUrlHost, type Ownership } from './correlation-key.ts'

// A condition of 300 nodes is two pages of text. Longer ones usually list addresses; a list may
// have 200 elements. A nesting deeper than 24 levels is not readable.
export const CONDITION_LENGTH_MAX = 8_000
const CONDITION_LIMITS = {
  maxAstNodes: 300,
  maxDepth: 24,
  maxListElements: 200,
  maxCallArguments: 3,
}

/**
 * The event as a condition reads it, by the names of the event record. A missing text is the empty
 * text.
 */
export interface ConditionInput {
  readonly event: {
    readonly event_type: string
    readonly event_subtypes: readonly string[]
    readonly event_date: Date
    readonly xarf_class: string
    readonly sender_email: string
    readonly recipient_email: string
    readonly ip: string
    readonly domain: string
    readonly url: string
    readonly url_host: string
    readonly tags: readonly string[]
    readonly report_id: string
    readonly customer_id: string
    readonly contract_id: string
    readonly details: Readonly<Record<string, unknown>>
  }
  /** Of the address and the domain of the event; empty values where nothing is known. */
  readonly intel: { readonly ip: ItemInput; readonly domain: ItemInput }
}

export interface ItemInput {
  readonly listed: boolean
  readonly intent: string
  readonly tags: readonly string[]
  readonly activity: boolean
}

// Loops over the tags are counted by it. An item has a few tags; the first by name are kept.
const INTEL_TAGS_MAX = 50

const ITEM = { listed: 'bool', intent: 'string', tags: 'list<string>', activity: 'bool' }

export const EVENT_SCHEMA = {
  event_type: 'string',
  event_subtypes: 'list<string>',
  event_date: 'google.protobuf.Timestamp',
  xarf_class: 'string',
  sender_email: 'string',
  recipient_email: 'string',
  ip: 'string',
  domain: 'string',
  url: 'string',
  url_host: 'string',
  tags: 'list<string>',
  report_id: 'string',
  customer_id: 'string',
  contract_id: 'string',
  details: 'map',
}
export const INTEL_SCHEMA = { ip: ITEM, domain: ITEM }

export const EVENT_LISTS: KnownLists = new Map([
  ['event.tags', TAGS_MAX],
  ['event.event_subtypes', SUBTYPES_MAX],
  ['intel.ip.tags', INTEL_TAGS_MAX],
  ['intel.domain.tags', INTEL_TAGS_MAX],
])

/** With the functions that conditions have beside those of CEL. */
export function createConditionEnvironment(): Environment {
  return new Environment({ limits: CONDITION_LIMITS })
    .registerFunction('string.inCidr(string): bool', isInCidr)
    .registerFunction('string.isUnder(string): bool', isUnderDomain)
}

export const conditionEnvironment = createConditionEnvironment()
  .registerVariable({ name: 'event', schema: EVENT_SCHEMA })
  .registerVariable({ name: 'intel', schema: INTEL_SCHEMA })

export function buildConditionInput(
  event: NewEvent,
  owner: Ownership,
  briefItem: BriefItem,
): ConditionInput {
  let intel: ConditionInput['intel'] | null = null
  return {
    // Most conditions do not ask for it.
    get intel() {
      intel ??= { ip: viewItem(event.ip, briefItem), domain: viewItem(event.domain, briefItem) }
      return intel
    },
    event: {
      event_type: event.eventType,
      event_subtypes: event.eventSubtypes,
      event_date: new Date(event.eventDate),
      xarf_class: event.xarfClass ?? '',
      sender_email: event.senderEmail,
      recipient_email: event.recipientEmail ?? '',
      ip: event.ip ?? '',
      domain: event.domain ?? '',
      url: findReportedUrl(event) ?? '',
      url_host: findUrlHost(event) ?? '',
      tags: event.tags,
      report_id: event.reportId ?? '',
      customer_id: owner.customerId,
      contract_id: owner.contractId ?? '',
      details: event.details ?? {},
    },
  }
}

export function viewItem(text: string | null, briefItem: BriefItem): ItemInput {
  const { listed, intent, tags, activity } = text === null ? EMPTY_BRIEF : briefItem(text)
  return { listed, intent, tags: tags.slice(0, INTEL_TAGS_MAX), activity }
}

// Conditions name the same few networks for every event, so parsed networks are cached. The cache
// is cleared when it is full, which does not happen in practice.
const NETWORKS_MAX = 10_000
const networks = new Map<string, Range>()

/** One public sentence; null for a valid network. */
export function explainWrongNetwork(text: string): string | null {
  if (!text.includes('/')) return 'must be a CIDR block, such as 192.0.2.0/24'
  const span = parseAddressSpan(text)
  return typeof span === 'string' ? span : null
}

/** False for a text that is no address, as of an event without one. Throws for no network. */
function isInCidr(address: string, cidr: string): boolean {
  const network = networks.get(cidr) ?? readNetwork(cidr)
  const item = parseAddress(address)
  return item !== null && rangeHolds(network, item)
}

function readNetwork(cidr: string): Range {
  const network = parseBlock(cidr)
  if (!isRange(network)) throw new RangeError(`${cidr} is no network`)
  if (networks.size >= NETWORKS_MAX) networks.clear()
  networks.set(cidr, network)
  return network
}

/** True for the domain itself and everything below it. */
function isUnderDomain(domain: string, parent: string): boolean {
  const name = parent.toLowerCase()
  return name !== '' && (domain === name || domain.endsWith(`.${name}`))
}
