// POST /beta/allowances: entries of allow-lists, in the form of listings (an addition, see
// docs/interface-gaps/sources.md). An endpoint of its own, since a push is one change of one kind.

import type { Intel } from '../../../app/open-intel.ts'
import type { Route } from '../../../kernel/http/route.ts'
import { ListingRowBody } from './listing-wire.ts'
import { pushRoute } from './push-route.ts'
import { pushStagedStatements } from './push-store.ts'

export function pushAllowancesRoute(intel: Intel): Route {
  const { foundation, index } = intel
  return pushRoute(intel, {
    path: '/beta/allowances',
    operationId: 'pushAllowances',
    summary: 'Push entries of allow-lists, which win over every listing',
    row: ListingRowBody,
    form: { kind: 'statements', table: 'allowance' },
    push: (staged) =>
      pushStagedStatements(foundation.database, 'allowance', staged, index.freshPushes),
  })
}
