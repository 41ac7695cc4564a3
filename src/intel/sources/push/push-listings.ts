// POST /beta/listings (design section 9).

import type { Intel } from '../../../app/open-intel.ts'
import type { Route } from '../../../kernel/http/route.ts'
import { ListingRowBody } from './listing-wire.ts'
import { pushRoute } from './push-route.ts'
import { pushStagedStatements } from './push-store.ts'

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
