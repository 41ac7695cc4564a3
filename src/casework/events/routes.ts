// The endpoints of events, and the dry run of case groups, which shows where an event would go.

import type { Route } from '../../kernel/http/route.ts'
import { getEventRoute } from './get-event.ts'
import { getOpsEventRoute } from './get-ops-event.ts'
import { type ListEventsDeps, listEventsRoute } from './list-events.ts'
import { type PushEventsDeps, pushEventsRoute } from './push-events.ts'
import { reassignEventRoute } from './reassign-event.ts'
import type { ReassignDeps } from './reassign-to-owner.ts'
import { replayEventsRoute } from './replay-events.ts'
import { type TestCaseGroupsDeps, testCaseGroupsRoute } from './test-case-groups.ts'
import { tryRulesRoute } from './trial/try-rules.ts'

export interface EventRoutesDeps
  extends ListEventsDeps,
    PushEventsDeps,
    ReassignDeps,
    Pick<TestCaseGroupsDeps, 'dryRunWork'> {}

export function eventRoutes(deps: EventRoutesDeps): readonly Route[] {
  return [
    getOpsEventRoute(deps),
    listEventsRoute(deps),
    getEventRoute(deps),
    pushEventsRoute(deps),
    replayEventsRoute(deps),
    reassignEventRoute(deps),
    testCaseGroupsRoute(deps),
    tryRulesRoute(deps),
  ]
}
