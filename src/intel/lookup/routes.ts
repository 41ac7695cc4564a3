// The endpoints that answer from the intel set in memory.

import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Route } from '../../kernel/http/route.ts'
import type { Log } from '../../kernel/log.ts'
import type { Enrichment } from '../enrichment/enrich.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import { checkItemsRoute } from './check-items.ts'
import { countSightingsRoute } from './count-sightings.ts'
import { explainItemRoute } from './explain-item.ts'
import { getRangeRoutes } from './get-range.ts'
import { getSnapshotRoute } from './get-snapshot.ts'
import { lookupItemRoute } from './lookup-item.ts'

export interface LookupRoutesDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly index: IntelIndex
  readonly enrichment: Enrichment
}

export function lookupRoutes(deps: LookupRoutesDeps): readonly Route[] {
  return [
    checkItemsRoute(deps),
    lookupItemRoute(deps),
    explainItemRoute(deps),
    ...getRangeRoutes(deps),
    countSightingsRoute(deps),
    getSnapshotRoute(deps),
  ]
}
