// The intel area put together: what its endpoints stand on. Opened once per HTTP thread by
// app/compose.ts.

import type { MessagePort } from 'node:worker_threads'
import { type Enrichment, openEnrichment } from '../intel/enrichment/enrich.ts'
import { type IntelIndex, openIntelIndex } from '../intel/index/intel-index.ts'
import { PushWorker } from '../intel/sources/push/push-worker.ts'
import { readShippedTags } from '../intel/tags/shipped-tags.ts'
import { seedTags } from '../intel/tags/tag-store.ts'
import type { Foundation } from '../kernel/foundation.ts'

export interface Intel {
  readonly foundation: Foundation
  readonly index: IntelIndex
  readonly enrichment: Enrichment
  /** Reads large pushes. */
  readonly pushes: PushWorker
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
  if (feed === null) await seedTags(foundation.database.kysely, readShippedTags())
  const index = await openIntelIndex(foundation, feed?.index ?? null)
  try {
    const enrichment = await openEnrichment(foundation, feed?.networks ?? null)
    const pushes = new PushWorker()
    return {
      foundation,
      index,
      enrichment,
      pushes,
      close: async () => {
        await pushes.close()
        await enrichment.close()
        await index.close()
      },
    }
  } catch (error) {
    await index.close()
    throw error
  }
}
