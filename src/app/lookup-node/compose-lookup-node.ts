// A node with the role lookup: tokens, the intel set and enrichment over a database that it only
// reads, and the routes that need no more. No casework, no jobs, no sessions.

import { lookupRoutes } from '../../intel/lookup/routes.ts'
import { readTagRoutes } from '../../intel/tags/routes.ts'
import type { Route } from '../../kernel/http/route.ts'
import type { ComposeOptions, LookupServices } from '../compose.ts'
import { lookupNodeOnly } from '../errors.ts'
import { followDatabase, followThread } from '../follow-database.ts'
import { closeAll, openFoundation } from '../open-foundation.ts'
import { openLookupIntel } from '../open-intel.ts'
import { buildOpsRoutes } from '../routes.ts'
import type { Site } from '../site.ts'
import { getOpenapiRoute } from '../system/get-openapi.ts'
import { briefOpsRoutes } from '../system/routes.ts'

/** Opens the services. When a later part fails, the parts opened before are closed. */
export async function composeLookupNode(options: ComposeOptions): Promise<LookupServices> {
  const { foundation, tokens, collectMetrics, close: closeBase } = await openFoundation(options)
  const closers = [closeBase]
  const close = (): Promise<void> => closeAll(closers)
  try {
    const { close: closeIntel, ...intel } = await openLookupIntel(
      foundation,
      options.intelFeed ?? null,
    )
    closers.push(closeIntel)
    const services = { foundation, tokens, intel, collectMetrics, close }
    closers.push(
      options.intelFeed === undefined ? await followDatabase(services) : followThread(services),
    )
    return services
  } catch (error) {
    await close()
    throw error
  }
}

/** Paths below belong to the interface, of which other nodes have the rest. */
const INTERFACE_PREFIX = '/beta/'

export function buildLookupSite(services: LookupServices): Site {
  const { config } = services.foundation
  return {
    routes: buildLookupRoutes(services),
    explainUnmatched: (path) =>
      path.startsWith(INTERFACE_PREFIX) ? lookupNodeOnly(config.publicUrl, path) : null,
    notePort: () => undefined,
  }
}

function buildLookupRoutes(services: LookupServices): readonly Route[] {
  const { foundation, intel } = services
  const { clock, log, database, config, readiness } = foundation
  const monitoring =
    config.opsPort === null ? buildOpsRoutes(services) : briefOpsRoutes({ readiness })
  const routes: readonly Route[] = [
    ...lookupRoutes({ ...intel, db: database.kysely, clock, log }),
    ...readTagRoutes(intel),
    ...monitoring,
    getOpenapiRoute(() => routes),
  ]
  return routes
}
