// Opens the intel area. app/compose.ts opens it once in each HTTP thread.

import type { MessagePort } from 'node:worker_threads'
import { type Enrichment, openEnrichment } from '../intel/enrichment/enrich.ts'
import { DEFAULT_SIGHTING_RULES } from '../intel/facts/sighting-rules.ts'
import { createIndexMetrics } from '../intel/index/index-metrics.ts'
import { type IntelIndex, openIntelIndex } from '../intel/index/intel-index.ts'
import { type NetworkDirectory, openNetworkDirectory } from '../intel/networks/network-directory.ts'
import { createNetworkMetrics } from '../intel/networks/network-metrics.ts'
import { seedRules } from '../intel/sighting-rules/sighting-rule-store.ts'
import { SourceFetcher } from '../intel/sources/fetch/refresh-source.ts'
import { PushWorker } from '../intel/sources/push/push-worker.ts'
import { createReadPush, type ReadPushBody } from '../intel/sources/push/read-push.ts'
import { createReplaceList, type ReplaceList } from '../intel/sources/replace-list.ts'
import { readShippedTags } from '../intel/tags/shipped-tags.ts'
import { seedTags } from '../intel/tags/tag-store.ts'
import { createOutbound } from '../kernel/outbound/outbound.ts'
import type { Foundation } from './foundation.ts'
import { closeAll } from './open-foundation.ts'

export interface Intel {
  readonly index: IntelIndex
  readonly enrichment: Enrichment
  readonly readPush: ReadPushBody
  readonly replaceList: ReplaceList
  readonly networks: NetworkDirectory
  readonly close: () => Promise<void>
}

/**
 * The intel data that the first thread of a process shares with the others, so that large data is
 * in memory only once.
 */
export interface IntelFeed {
  readonly index: MessagePort
  readonly networks: MessagePort
}

/** Opens the feed of one more thread. */
export function openIntelFeed({ index, enrichment }: LookupIntel): IntelFeed {
  return { index: index.openPort(), networks: enrichment.openNetworkPort() }
}

/**
 * Updates the shipped tags and rules, loads the snapshot and opens the enrichers. With `feed` the
 * data comes from another thread of the process.
 */
export async function openIntel(
  foundation: Foundation,
  feed: IntelFeed | null = null,
): Promise<Intel> {
  const { kysely: db, connection } = foundation.database
  if (feed === null) {
    await seedTags(db, readShippedTags())
    await seedRules(db, DEFAULT_SIGHTING_RULES)
  }
  const index = await openIntelIndex({ ...foundation, db, connection }, feed?.index ?? null)
  const closers = [index.close]
  const close = (): Promise<void> => closeAll(closers)
  try {
    const enrichment = await openEnrichment({ ...foundation, db }, feed?.networks ?? null)
    closers.push(enrichment.close)
    const networks = await openNetworkDirectory(db)
    closers.push(networks.close)
    const { clock, database, metrics: registry } = foundation
    createIndexMetrics({ registry, index, clock })
    if (feed === null) createNetworkMetrics({ registry, index, clock, networks })
    const worker = new PushWorker()
    closers.push(() => worker.close())
    return {
      index,
      enrichment,
      readPush: createReadPush({ index, clock, worker }),
      replaceList: createReplaceList({ database, index, refreshNetworks: networks.refresh }),
      networks,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The part that a node with the role lookup has: it follows the database and writes nothing. */
export type LookupIntel = Pick<Intel, 'index' | 'enrichment'>

/** The same as `openIntel` for a node with the role lookup. */
export async function openLookupIntel(
  foundation: Foundation,
  feed: IntelFeed | null = null,
): Promise<LookupIntel & Pick<Intel, 'close'>> {
  const { kysely: db, connection } = foundation.database
  const deps = { ...foundation, db, connection, isReadOnly: true }
  const index = await openIntelIndex(deps, feed?.index ?? null)
  try {
    const enrichment = await openEnrichment(deps, feed?.networks ?? null)
    const { clock, metrics: registry } = foundation
    createIndexMetrics({ registry, index, clock })
    return {
      index,
      enrichment,
      close: async () => {
        await enrichment.close()
        await index.close()
      },
    }
  } catch (error) {
    await index.close()
    throw error
  }
}

// Each running fetch may use 64 MiB, compressed and decompressed data together.
const FETCHES_MAX = 2

/** Fetches published lists in this thread. */
export function createSourceFetcher(
  { config, database, clock, log, countRefusal, tracer }: Foundation,
  { readPush, replaceList }: Intel,
): SourceFetcher {
  return new SourceFetcher({
    database,
    clock,
    log,
    readPush,
    replaceList,
    openOutbound: () =>
      createOutbound({
        allow: config.outboundAllow,
        dnsServers: config.dnsServers,
        log,
        clock,
        onRefused: countRefusal,
        tracer,
        limits: { runningMax: FETCHES_MAX },
      }),
  })
}
