// The language of conditions: CEL (github.com/google/cel-spec) over one event and its owner, cut
// down to what has a bound that is known before it runs. docs/guides/case-groups.md lists the names
// and functions for those who write conditions.

import { Environment } from '@marcbachmann/cel-js'
import { parseIpRange } from '../../values/ip-range.ts'
import { type Item, parseItem } from '../../values/item.ts'
import { findReportedUrl, type NewEvent } from '../../vocabulary/event.ts'
import { findUrlHost, type Ownership } from './correlation-key.ts'

// A condition of 300 nodes is two pages of text; a list of addresses is the usual reason to want
// more, and 200 fit. Nested deeper than 24, nobody reads it.
export const CONDITION_LENGTH_MAX = 8_000
const LIMITS = { maxAstNodes: 300, maxDepth: 24, maxListElements: 200, maxCallArguments: 3 }

/**
 * What a condition sees of the event, by the names of the event record. A text without a value is
 * empty.
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
}

export const conditionEnvironment = new Environment({ limits: LIMITS })
  .registerVariable({
    name: 'event',
    schema: {
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
    },
  })
  .registerFunction('string.inCidr(string): bool', isInCidr)
  .registerFunction('string.isUnder(string): bool', isUnderDomain)

export function buildConditionInput(event: NewEvent, owner: Ownership): ConditionInput {
  return {
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

interface Network {
  readonly kind: 'ipv4' | 'ipv6'
  readonly words: readonly number[]
  readonly length: number
}

// Conditions name the same few networks for every event. Cleared when full, which a running service
// never sees.
const NETWORKS_MAX = 10_000
const networks = new Map<string, Network>()

/** One public sentence; null for a network. */
export function explainWrongNetwork(text: string): string | null {
  if (!text.includes('/')) return 'must be a CIDR block, such as 192.0.2.0/24'
  const range = parseIpRange(text)
  return typeof range === 'string' ? range : null
}

/** False for what is no address, which an event without one has. Throws for what is no network. */
function isInCidr(address: string, cidr: string): boolean {
  const network = networks.get(cidr) ?? readNetwork(cidr)
  const item = parseItem(address)
  if (item === null || item.kind !== network.kind) return false
  return hasPrefix(readWords(item), network)
}

function readNetwork(cidr: string): Network {
  const wrong = explainWrongNetwork(cidr)
  const [block] = wrong === null ? (listBlocks(cidr) ?? []) : []
  const [address = '', length = ''] = block?.split('/') ?? []
  const item = parseItem(address)
  if (item === null || item.kind === 'domain') throw new RangeError(`${cidr} is no network`)
  const network = { kind: item.kind, words: readWords(item), length: Number(length) }
  if (networks.size >= NETWORKS_MAX) networks.clear()
  networks.set(cidr, network)
  return network
}

function listBlocks(cidr: string): readonly string[] | null {
  const range = parseIpRange(cidr)
  return typeof range === 'string' ? null : range.blocks.map((block) => block.network)
}

function readWords(item: Item): readonly number[] {
  if (item.kind === 'ipv4') return [item.value]
  return item.kind === 'ipv6' ? item.words : []
}

function hasPrefix(words: readonly number[], network: Network): boolean {
  return network.words.every((word, index) => {
    const bits = Math.min(32, Math.max(0, network.length - index * 32))
    // A shift by 32 would be one by 0.
    const mask = bits === 0 ? 0 : (-1 << (32 - bits)) >>> 0
    return (((words[index] ?? 0) ^ word) & mask) === 0
  })
}

/** True for the domain itself and everything below it. */
function isUnderDomain(domain: string, parent: string): boolean {
  const name = parent.toLowerCase()
  return name !== '' && (domain === name || domain.endsWith(`.${name}`))
}
