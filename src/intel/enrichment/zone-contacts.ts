// Asks a DNS zone of abuse contacts in TXT records for the contact of an address (setting
// CASEWORK_CONTACT_DNS_ZONE).

import type { Clock } from '../../kernel/clock.ts'
import { settingsNotUsable } from '../../kernel/errors.ts'
import type { AddressItem } from '../../values/address.ts'
import { parseDomain } from '../../values/domain.ts'
import { parseEmailAddress } from '../../values/email.ts'
import { ABSENT, type Answer } from '../dns/dns-answer.ts'
import type { DnsClient } from '../dns/dns-client.ts'
import { createCachedQuestion } from './cached-question.ts'
import type { EnrichmentMetrics } from './enrichment-metrics.ts'
import { reverseLabels } from './reverse-name.ts'

/** A service that knows abuse contacts of addresses, with a cache of its answers. */
export interface ContactAnswerer {
  /** The answer when it is cached or no server can be asked; else null. */
  readonly find: (item: AddressItem) => Answer<string> | null
  /** The e-mail address. Never rejects. */
  readonly ask: (item: AddressItem) => Promise<Answer<string>>
}

export interface ZoneContactsOptions {
  readonly zone: string
  readonly client: DnsClient
  readonly clock: Clock
  readonly metrics: EnrichmentMetrics
}

// Contacts change over months, and the zone is a server of another operator. Node's resolver does
// not give the TTL of TXT records.
const FOUND_TTL_MS = 6 * 60 * 60_000
const ABSENT_TTL_MS = 60 * 60_000
const FAILED_TTL_MS = 5_000
const ENTRIES_MAX = 50_000
// A text of a usual zone has one or two addresses.
const RECORDS_MAX = 8
const TEXT_MAX = 4_096

/** Throws the operating error of an unusable setting when the zone is no domain name. */
export function createZoneContacts(options: ZoneContactsOptions): ContactAnswerer {
  const zone = readZone(options.zone)
  const question = createCachedQuestion<string>({
    clock: options.clock,
    entriesMax: ENTRIES_MAX,
    foundTtlMs: FOUND_TTL_MS,
    absentTtlMs: ABSENT_TTL_MS,
    failedTtlMs: FAILED_TTL_MS,
    counter: options.metrics.queries,
    enricher: 'abuse_contact',
  })
  options.metrics.watchCache('abuse_contact', question.size)
  return {
    find: (item) => question.find(item.text) ?? null,
    ask: (item) => question.ask(item.text, () => askZone(options.client, zone, item)),
  }
}

function readZone(text: string): string {
  const zone = parseDomain(text)
  if (zone !== null) return zone
  throw settingsNotUsable([`CASEWORK_CONTACT_DNS_ZONE must be a domain name, not ${text}`])
}

// 192.0.2.1 in the zone contacts.example: the TXT records of 1.2.0.192.contacts.example, each some
// addresses with commas between.
async function askZone(
  client: DnsClient,
  zone: string,
  item: AddressItem,
): Promise<Answer<string>> {
  const answer = await client.askTexts(`${reverseLabels(item)}.${zone}`)
  if (answer.kind !== 'found') return answer
  const email = firstEmailAddress(answer.value)
  // A text without an address is a note of the zone's operator, not a failure.
  return email === null ? ABSENT : { kind: 'found', value: email }
}

function firstEmailAddress(texts: readonly string[]): string | null {
  // Resolvers rotate the records, so they are sorted to give the same contact each time.
  for (const text of texts.toSorted().slice(0, RECORDS_MAX)) {
    for (const part of text.slice(0, TEXT_MAX).split(',')) {
      const email = parseEmailAddress(part.trim())
      if (email !== null) return email
    }
  }
  return null
}
