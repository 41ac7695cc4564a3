// Opens and closes all services of one process or HTTP thread: database, tokens, intel, casework.

import { followDatabase, followThread } from './follow-database.ts'
import { type Casework, openCasework } from './open-casework.ts'
import {
  closeAll,
  type FoundationOptions,
  type OpenedFoundation,
  openFoundation,
} from './open-foundation.ts'
import { type Intel, type IntelFeed, openIntel } from './open-intel.ts'
import { addOperationChecks } from './operation-checks.ts'
import { openSharing } from './share-sightings.ts'

/** What a node has that answers look-ups, whatever else it does. */
export interface LookupServices
  extends Pick<OpenedFoundation, 'foundation' | 'tokens' | 'collectMetrics' | 'close'> {
  readonly intel: Pick<Intel, 'index' | 'enrichment'>
}

export interface Services extends LookupServices, OpenedFoundation {
  readonly intel: Intel
  readonly casework: Casework
}

export interface ComposeOptions extends FoundationOptions {
  /** In an HTTP thread of several: the feed of the main thread's intel. */
  readonly intelFeed?: IntelFeed
}

/**
 * Opens all services on a database that is already migrated. When a later part fails, the parts
 * opened before are closed.
 */
export async function compose(options: ComposeOptions): Promise<Services> {
  const base = await openFoundation(options)
  const { foundation, tokens, signIn, guardReserve, collectMetrics } = base
  const closers = [base.close]
  const close = (): Promise<void> => closeAll(closers)
  try {
    const intel = await openIntel(foundation, options.intelFeed ?? null)
    closers.push(intel.close)
    const casework = await openCasework(foundation, intel)
    closers.push(casework.close)
    if (options.intelFeed === undefined) await openSharing(foundation)
    addOperationChecks(foundation, casework.waitingEvents)
    const copies = { foundation, tokens, intel }
    closers.push(
      options.intelFeed === undefined ? await followDatabase(copies) : followThread(copies),
    )
    return { foundation, tokens, signIn, intel, casework, guardReserve, collectMetrics, close }
  } catch (error) {
    await close()
    throw error
  }
}
