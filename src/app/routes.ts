// Lists every route of the service: first in the order of the interface, then the additions of
// design section 9.

import { accessRoutes } from '../access/routes.ts'
import { caseRoutes } from '../casework/cases/routes.ts'
import { eventMoves, markEventsResolved } from '../casework/events/event-moves-store.ts'
import { deletePendingEventsOfGroup } from '../casework/events/pending-event-store.ts'
import { eventRoutes } from '../casework/events/routes.ts'
import { ownerRoutes } from '../casework/owners/routes.ts'
import { hasPlaybook } from '../casework/playbooks/playbook-store.ts'
import { playbookRoutes } from '../casework/playbooks/routes.ts'
import { endRunsOfCases } from '../casework/playbooks/run-store.ts'
import {
  legalHoldsOfCases,
  requireNoLegalHold,
} from '../casework/privacy/legal-holds/legal-holds-of-cases.ts'
import { privacyRoutes } from '../casework/privacy/routes.ts'
import { reportRoutes } from '../casework/reports/routes.ts'
import { ruleRoutes } from '../casework/rules/routes.ts'
import { contactRoutes } from '../intel/contacts/routes.ts'
import { lookupRoutes } from '../intel/lookup/routes.ts'
import { sourceRoutes } from '../intel/sources/routes.ts'
import { tagRoutes } from '../intel/tags/routes.ts'
import type { Route } from '../kernel/http/route.ts'
import { parseAllowList } from '../kernel/outbound/allow-list.ts'
import type { Services } from './compose.ts'
import { createCaseProgress } from './find-case-progress.ts'
import { createSourceFetcher } from './open-intel.ts'
import { getDocsRoute, getDocsScriptRoute, getDocsStartRoute } from './system/get-docs.ts'
import { getLivezRoute } from './system/get-livez.ts'
import { getMetricsRoute } from './system/get-metrics.ts'
import { getOpenapiRoute } from './system/get-openapi.ts'
import { getReadyzRoute } from './system/get-readyz.ts'

export function buildRoutes(services: Services): readonly Route[] {
  const { casework, foundation, intel } = services
  const { ids, clock, database, log } = foundation
  const { cursors } = casework
  const db = database.kysely
  const intelDeps = { db, clock, index: intel.index }
  const routes: readonly Route[] = putInterfaceFirst([
    // Interface 4.1: case operations.

    // Interface 4.2: threat intelligence, with the additions of design section 9.
    ...lookupRoutes({ ...intelDeps, log, enrichment: intel.enrichment }),
    ...tagRoutes(intelDeps),
    ...sourceRoutes({
      ...intelDeps,
      database,
      readPush: intel.readPush,
      fetcher: createSourceFetcher(foundation, intel),
    }),
    ...contactRoutes({
      db,
      readPush: intel.readPush,
      refreshContacts: intel.enrichment.refreshContacts,
    }),

    // Design section 9: additions to case operations.
    ...reportRoutes({ ...casework.reports, cursors }),
    ...eventRoutes({
      db,
      ids,
      clock,
      cursors,
      owners: casework.owners,
      eventQueue: casework.eventQueue,
      commitBulk: casework.commitBulk,
      wakeWorkers: casework.wakeWorkers,
      requireNoLegalHold,
    }),
    ...caseRoutes({
      db,
      ids,
      clock,
      cursors,
      findProgress: createCaseProgress(db, casework.graphs),
      markEventsResolved,
      eventMoves,
      endRuns: endRunsOfCases,
      legalHolds: legalHoldsOfCases,
    }),
    ...ruleRoutes({
      db,
      ids: foundation.ids,
      clock: foundation.clock,
      cursors: casework.cursors,
      hasPlaybook,
      deletePendingEvents: deletePendingEventsOfGroup,
    }),
    ...ownerRoutes({
      db,
      ids: foundation.ids,
      cursors: casework.cursors,
      allow: parseAllowList(foundation.config.outboundAllow),
      forgetResolver: casework.owners.forget,
    }),
    ...privacyRoutes({ db, ids, clock, cursors, erasureLog: casework.erasureLog }),
    ...playbookRoutes({
      db,
      ids: foundation.ids,
      clock: foundation.clock,
      cursors: casework.cursors,
      graphs: casework.graphs,
      wakeWorkers: casework.wakeWorkers,
    }),

    // Design section 9: administration.
    ...accessRoutes({
      db: foundation.database.kysely,
      clock: foundation.clock,
      ids: foundation.ids,
      cursors: casework.cursors,
      refreshTokens: services.tokens.refresh,
    }),

    // Design section 7: operations of the process.
    getLivezRoute(),
    getReadyzRoute(foundation.readiness),
    getMetricsRoute(services.collectMetrics),
    getOpenapiRoute(() => routes),
    getDocsRoute(),
    getDocsScriptRoute(),
    getDocsStartRoute(),
  ])
  return routes
}

// The endpoints of interface sections 4.1 and 4.2 come first in the OpenAPI document, in the
// interface's order.
const INTERFACE_OPERATIONS: readonly string[] = [
  'listCases',
  'triggerPlaybook',
  'getOpsEvent',
  'listEvents',
  'getEvent',
  'quickCheck',
  'lookupItem',
  'getTag',
  'listTags',
]

function putInterfaceFirst(routes: readonly Route[]): readonly Route[] {
  const first = INTERFACE_OPERATIONS.flatMap((id) =>
    routes.filter(({ operationId }) => operationId === id),
  )
  return [...first, ...routes.filter((route) => !first.includes(route))]
}
