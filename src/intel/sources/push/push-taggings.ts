// POST /beta/taggings (design section 9).

import type { Intel } from '../../../app/open-intel.ts'
import type { Route } from '../../../kernel/http/route.ts'
import { pushRoute } from './push-route.ts'
import { pushStagedStatements } from './push-store.ts'
import { TaggingRowBody } from './tagging-wire.ts'

export function pushTaggingsRoute(intel: Intel): Route {
  const { foundation, index } = intel
  return pushRoute(intel, {
    path: '/beta/taggings',
    operationId: 'pushTaggings',
    summary: 'Push tags of addresses, ranges and domains',
    row: TaggingRowBody,
    form: { kind: 'statements', table: 'tagging' },
    push: (staged) =>
      pushStagedStatements(foundation.database, 'tagging', staged, index.freshPushes),
  })
}
