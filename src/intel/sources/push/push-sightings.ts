// POST /beta/sightings (design section 9).

import type { Intel } from '../../../app/open-intel.ts'
import type { Route } from '../../../kernel/http/route.ts'
import { pushRoute } from './push-route.ts'
import { pushStagedSightings } from './push-store.ts'
import { SightingRowBody } from './sighting-wire.ts'

export function pushSightingsRoute(intel: Intel): Route {
  const { foundation, index } = intel
  return pushRoute(intel, {
    path: '/beta/sightings',
    operationId: 'pushSightings',
    summary: 'Push what sensors observed of addresses and domains',
    row: SightingRowBody,
    form: { kind: 'sightings' },
    push: (staged) => pushStagedSightings(foundation.database, staged, index.freshPushes),
  })
}
