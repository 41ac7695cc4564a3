// POST /beta/listings (design section 9).

import { ListingRowBody } from '../../contract/listing.ts'
import type { Route } from '../../kernel/http/route.ts'
import type { Intel } from '../intel.ts'
import { pushStagedStatements } from '../store/push-store.ts'
import { pushRoute } from './push-route.ts'

export function pushListingsRoute(intel: Intel): Route {
  const { foundation, index } = intel
  return pushRoute(intel, {
    path: '/beta/listings',
    operationId: 'pushListings',
    summary: 'Push listings of mail blocklists',
    row: ListingRowBody,
    form: { kind: 'statements', table: 'listing' },
    push: (staged) =>
      pushStagedStatements(foundation.database, 'listing', staged, index.freshPushes),
  })
}
