// Asks the regional registry for the abuse contact of an address (RDAP): once for a network, few
// questions at a time, and never for a bogon.

import { limit, QueueFull } from '../../../kernel/async/limit.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Outbound } from '../../../kernel/outbound/outbound.ts'
import type { AddressItem } from '../../../values/address.ts'
import { ABSENT, type Answer } from '../../dns/dns-answer.ts'
import { isBogon } from '../../facts/bogon.ts'
import type { EnrichmentMetrics } from '../enrichment-metrics.ts'
import { blockAround, createNetworkCache } from './network-cache.ts'
import type { RdapBootstrap } from './rdap-bootstrap.ts'
import { createRdapServers, type RdapAnswer } from './rdap-server.ts'

export interface RdapContacts {
  /** The answer when it is cached or no server can be asked now; else null. */
  readonly find: (item: AddressItem) => Answer<string> | null
  /** The e-mail address. Never rejects. */
  readonly ask: (item: AddressItem) => Promise<Answer<string>>
  /** Ends running questions. */
  readonly close: () => void
}

export interface RdapContactsOptions {
  readonly bootstrap: RdapBootstrap
  /** This one's own; `close` closes it. */
  readonly outbound: Outbound
  readonly clock: Clock
  readonly metrics: EnrichmentMetrics
  /** How long a question may wait in the queue; its look-up has ended by then. */
  readonly waitMaxMs: number
}

// Contacts change over months, and registries serve the whole Internet, so the same network is
// asked about once a day at most.
const FOUND_TTL_MS = 24 * 60 * 60_000
const ABSENT_TTL_MS = 6 * 60 * 60_000
const MALFORMED_TTL_MS = 60 * 60_000
const FAILED_TTL_MS = 60_000
const ENTRIES_MAX = 50_000
// Registries count requests by sender and slow down senders of many at once.
const RUNNING_MAX = 4
const WAITING_MAX = 256
// The smallest blocks that are routed between networks. An answer without a network is cached for
// such a block, and questions about addresses of one block run one after the other.
const IPV4_NEAR_LENGTH = 24
const IPV6_NEAR_LENGTH = 48

export function createRdapContacts(options: RdapContactsOptions): RdapContacts {
  const { bootstrap, outbound, clock, metrics } = options
  const cache = createNetworkCache<Answer<string>>(clock, ENTRIES_MAX)
  const servers = createRdapServers(outbound, clock)
  const requests = limit(RUNNING_MAX, {
    queueMax: WAITING_MAX,
    queueWaitMaxMs: options.waitMaxMs,
    nowMs: clock.nowMs,
  })
  const underWay = new Map<string, Promise<Answer<string>>>()
  metrics.watchCache('rdap', cache.size)

  const find = (item: AddressItem): Answer<string> | null => {
    const kept = cache.find(item)
    if (kept !== undefined) return kept
    const server = isBogon(item) ? null : bootstrap.findServer(item)
    if (server === null) return ABSENT
    return servers.pauseMs(server) > 0 ? { kind: 'failed', reason: 'refused' } : null
  }
  const askServer = async (item: AddressItem): Promise<Answer<string>> => {
    try {
      return await requests.run(async () => {
        // While this question waited, another one may have been answered or refused.
        const known = find(item)
        if (known !== null) return known
        return keep(item, await servers.ask(bootstrap.findServer(item) ?? '', item))
      })
    } catch (error) {
      if (error instanceof QueueFull) return { kind: 'failed', reason: 'timeout' }
      throw error
    }
  }
  const keep = (item: AddressItem, answer: RdapAnswer): Answer<string> => {
    const shown = toContact(answer)
    const block = answer.kind === 'network' ? answer.network.block : nearBlock(item)
    cache.keep(block, shown, ttlMs(shown))
    const outcome = shown.kind === 'failed' ? shown.reason : shown.kind
    metrics.queries.inc({ enricher: 'rdap', outcome })
    return shown
  }
  return {
    find,
    ask(item) {
      const known = find(item)
      if (known !== null) return Promise.resolve(known)
      // One after the other within a block: the first answer is most likely right for all, and each
      // question checks the cache first.
      const near = nearBlock(item).text
      const before = underWay.get(near)
      const asking = (
        before === undefined ? askServer(item) : before.then(() => askServer(item))
      ).finally(() => {
        if (underWay.get(near) === asking) underWay.delete(near)
      })
      underWay.set(near, asking)
      return asking
    },
    close: outbound.close,
  }
}

function nearBlock(item: AddressItem): ReturnType<typeof blockAround> {
  return blockAround(item, item.kind === 'ipv4' ? IPV4_NEAR_LENGTH : IPV6_NEAR_LENGTH)
}

function toContact(answer: RdapAnswer): Answer<string> {
  if (answer.kind !== 'network') return answer
  const { email } = answer.network
  return email === null ? ABSENT : { kind: 'found', value: email }
}

function ttlMs(answer: Answer<string>): number {
  switch (answer.kind) {
    case 'found':
      return FOUND_TTL_MS
    case 'absent':
      return ABSENT_TTL_MS
    case 'failed':
      return answer.reason === 'malformed' ? MALFORMED_TTL_MS : FAILED_TTL_MS
  }
}
