// The intel area put together, once per HTTP thread. Opened by app/compose.ts.

import type { MessagePort } from 'node:worker_threads'
import { type Enrichment, openEnrichment } from '../intel/enrichment/enrich.ts'
import { type IntelIndex, openIntelIndex } from '../intel/index/intel-index.ts'
import { SourceFetcher } from '../intel/sources/fetch/refresh-source.ts'
import { PushWorker } from '../intel/sources/push/push-worker.ts'
import { createReadPush, type ReadPushBody } from '../intel/sources/push/read-push.ts'
import { readShippedTags } from '../intel/tags/shipped-tags.ts'
import { seedTags } from '../intel/tags/tag-store.ts'
import type { Foundation } from '../kernel/foundation.ts'
import { createOutbound } from '../kernel/outbound/outbound.ts'

export interface Intel {
  readonly index: IntelIndex
  readonly enrichment: Enrichment
  readonly readPush: ReadPushBody
  readonly close: () => Promise<void>
}

/**
 * What the first thread of a process shares with another: one copy in memory of all that is large.
 */
export interface IntelFeed {
  readonly index: MessagePort
  readonly networks: MessagePort
}

/** A feed for one more thread. */
export function openIntelFeed({ index, enrichment }: Intel): IntelFeed {
  return { index: index.openPort(), networks: enrichment.openNetworkPort() }
}

/**
 * Brings the shipped tags up to date, loads the intel set and opens the enrichers. With `feed` the
 * data is that of another thread of the process.
 */
export async function openIntel(
  foundation: Foundation,
  feed: IntelFeed | null = null,
): Promise<Intel> {
  const { kysely: db, connection } = foundation.database
  if (feed === null) await seedTags(db, readShippedTags())
  const index = await openIntelIndex({ ...foundation, db, connection }, feed?.index ?? null)
  try {
    const enrichment = await openEnrichment({ ...foundation, db }, feed?.networks ?? null)
    const worker = new PushWorker()
    return {
      index,
      enrichment,
      readPush: createReadPush({ index, clock: foundation.clock, worker }),
      close: async () => {
        await worker.close()
        await enrichment.close()
        await index.close()
      },
    }
  } catch (error) {
    await index.close()
    throw error
  }
}

// Each running fetch may hold 64 MiB, packed and unpacked.
const FETCHES_MAX = 2

/** Fetches published lists in this thread. */
export function createSourceFetcher(
  { config, database, clock, log }: Foundation,
  { index, readPush }: Intel,
): SourceFetcher {
  return new SourceFetcher({
    database,
    clock,
    log,
    index,
    readPush,
    openOutbound: () =>
      createOutbound({
        allow: config.outboundAllow,
        dnsServers: config.dnsServers,
        log,
        clock,
        limits: { runningMax: FETCHES_MAX },
      }),
  })
}
