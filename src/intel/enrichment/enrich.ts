// The enrichment of a look-up: reverse DNS, abuse contact and ASN side by side under one deadline
// (design 4.4). The answer has the parts found by then; a later part is cached for the next
// look-up.

import type { MessagePort } from 'node:worker_threads'
import type { Registry } from 'prom-client'
import type { Clock } from '../../kernel/clock.ts'
import type { Config } from '../../kernel/config.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Log } from '../../kernel/log.ts'
import { createOutbound } from '../../kernel/outbound/outbound.ts'
import type { CountRefusal } from '../../kernel/outbound/refusal-metrics.ts'
import type { Readiness } from '../../kernel/readiness.ts'
import type { Item } from '../../values/item.ts'
import { type ContactDirectory, openContactDirectory } from '../contacts/contact-directory.ts'
import { openShownContacts } from '../contacts/verification/shown-contacts.ts'
import { type DnsClient, openDnsClient } from '../dns/dns-client.ts'
import type { ResolverProbe } from '../dns/resolver-probe.ts'
import { type AbuseContact, createAbuseContacts, type NamedAnswerer } from './abuse-contact.ts'
import { type AnnouncedNetwork, openAsn } from './asn.ts'
import { createEnrichmentMetrics, type EnrichmentMetrics } from './enrichment-metrics.ts'
import type { Enricher, Outcome } from './enrichment-outcome.ts'
import { openRdapBootstrap } from './rdap/rdap-bootstrap.ts'
import { createRdapContacts } from './rdap/rdap-contacts.ts'
import { openReverseDns } from './reverse-dns.ts'
import { createZoneContacts } from './zone-contacts.ts'

export interface EnrichmentAnswer {
  /** The names of the address; off for a domain. */
  readonly reverseDns: Outcome<readonly string[]>
  readonly abuseContact: Outcome<AbuseContact>
  /** Off for a domain; absent for an address that no autonomous system announces. */
  readonly asn: Outcome<AnnouncedNetwork>
  /**
   * True when one of the three failed: the look-up is then answered 503 `partial_success`
   * (interface section 7).
   */
  readonly isPartial: boolean
}

export interface Enrichment {
  /** The answer when all of it is cached, else null. */
  readonly enrichNow: (item: Item) => EnrichmentAnswer | null
  /** Waits for the enrichers, at most CASEWORK_ENRICHMENT_TIMEOUT_MS. Never rejects. */
  readonly enrich: (item: Item) => Promise<EnrichmentAnswer>
  /** Reads the imported contacts again, for the process that has just changed them. */
  readonly refreshContacts: () => Promise<void>
  /** See `ContactDirectory.follow`. */
  readonly followContacts: ContactDirectory['follow']
  /** Null unless reverse DNS is on `auto`. */
  readonly probe: ResolverProbe | null
  /** A port for another thread of this process, as its `networkFeed`. */
  readonly openNetworkPort: () => MessagePort
  readonly close: () => Promise<void>
}

export interface EnrichmentDeps {
  readonly config: Config
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Registry
  readonly readiness: Readiness
  /** Nothing is counted when left out. */
  readonly countRefusal?: CountRefusal
  /** On a look-up node, which writes nothing. */
  readonly isReadOnly?: boolean
}

/**
 * Reads the imported contacts and opens the network table; `networkFeed` is the table of another
 * thread of this process. Sends no question and does not wait for the resolver.
 */
export async function openEnrichment(
  deps: EnrichmentDeps,
  networkFeed: MessagePort | null = null,
): Promise<Enrichment> {
  const { config, clock, log, db, readiness, isReadOnly = false } = deps
  const metrics = createEnrichmentMetrics(deps.metrics)
  const client = openDnsClient({
    servers: config.dnsServers,
    clock,
    deadlineMs: config.enrichmentTimeoutMs,
  })
  const { answerers, closeAnswerers } = await openAnswerers(deps, client, metrics)
  const directory = await openContactDirectory({ db, log })
  const notesShown = config.contactVerification === 'on' && !isReadOnly
  const shown = notesShown ? openShownContacts(db, clock, log) : null
  const contacts = createAbuseContacts({
    directory,
    answerers,
    ...(shown === null ? {} : { onShown: shown.note }),
  })
  const names = openReverseDns({ client, config, clock, log, metrics })
  const networks = await openAsn({
    dataDir: config.dataDir,
    mmdbFiles: { asn: config.networkAsnMmdb, country: config.networkCountryMmdb },
    clock,
    log,
    feed: networkFeed,
  })
  readiness.add({ name: 'reverse-dns', check: async () => names.check() })
  readiness.add({ name: 'abuse-contact', check: async () => contacts.check() })
  readiness.add({ name: 'asn', check: async () => networks.check() })

  const enrichNow = (item: Item): EnrichmentAnswer | null => {
    const asn = networks.answerNow(item)
    if (asn === null) return null
    const abuseContact = contacts.answerNow(item)
    if (abuseContact === null) return null
    const reverseDns = names.answerNow(item)
    return reverseDns === null ? null : combine(reverseDns, abuseContact, asn)
  }
  return {
    enrichNow,
    async enrich(item) {
      const known = enrichNow(item)
      if (known !== null) return known
      const deadline = startDeadline(config.enrichmentTimeoutMs)
      try {
        return combine(
          ...(await Promise.all([
            answerBy(deadline, names, item),
            answerBy(deadline, contacts, item),
            answerBy(deadline, networks, item),
          ])),
        )
      } finally {
        deadline.cancel()
      }
    },
    refreshContacts: directory.refresh,
    followContacts: directory.follow,
    probe: names.probe,
    openNetworkPort: networks.openPort,
    async close() {
      // The enrichers stop first: closing the client ends questions, which is not an answer to
      // them.
      const closed = Promise.all([names.close(), contacts.close(), networks.close()])
      closeAnswerers()
      client.close()
      await Promise.all([closed, directory.close(), shown?.close()])
    },
  }
}

/** The services to ask for contacts that are not imported, in the order of design 4.4. */
async function openAnswerers(
  { config, clock, log, countRefusal }: EnrichmentDeps,
  client: DnsClient,
  metrics: EnrichmentMetrics,
): Promise<{ readonly answerers: readonly NamedAnswerer[]; readonly closeAnswerers: () => void }> {
  const answerers: NamedAnswerer[] = []
  if (config.contactDnsZone !== null) {
    const zone = config.contactDnsZone
    const answerer = createZoneContacts({ zone, client, clock, metrics })
    answerers.push({ ...answerer, description: `the DNS zone ${zone}` })
  }
  if (config.contactRdap === 'off') return { answerers, closeAnswerers: () => undefined }
  const bootstrap = await openRdapBootstrap(config.dataDir, log)
  const rdap = createRdapContacts({
    bootstrap,
    outbound: createOutbound({
      allow: config.outboundAllow,
      dnsServers: config.dnsServers,
      log,
      clock,
      ...(countRefusal === undefined ? {} : { onRefused: countRefusal }),
    }),
    clock,
    metrics,
    waitMaxMs: config.enrichmentTimeoutMs,
  })
  answerers.push({
    ...rdap,
    description: `RDAP (list of registries of ${bootstrap.publication})`,
  })
  return { answerers, closeAnswerers: rdap.close }
}

function combine(
  reverseDns: EnrichmentAnswer['reverseDns'],
  abuseContact: EnrichmentAnswer['abuseContact'],
  asn: EnrichmentAnswer['asn'],
): EnrichmentAnswer {
  const isPartial =
    reverseDns.kind === 'failed' || abuseContact.kind === 'failed' || asn.kind === 'failed'
  return { reverseDns, abuseContact, asn, isPartial }
}

interface Deadline {
  readonly passed: Promise<'late'>
  readonly cancel: () => void
}

function startDeadline(timeoutMs: number): Deadline {
  const { promise, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(resolve, timeoutMs, 'late')
  return { passed: promise, cancel: () => clearTimeout(timer) }
}

async function answerBy<Value>(
  deadline: Deadline,
  enricher: Enricher<Value>,
  item: Item,
): Promise<Outcome<Value>> {
  const known = enricher.answerNow(item)
  if (known !== null) return known
  const first = await Promise.race([enricher.ask(item), deadline.passed])
  return first === 'late' ? enricher.whenLate() : first
}
