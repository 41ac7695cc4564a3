// The table of contents: every route of the service, in the order of the interface, then the
// additions of design section 9.

import { accessRoutes } from '../access/routes.ts'
import { caseRoutes } from '../casework/cases/routes.ts'
import { eventMoves, markEventsResolved } from '../casework/events/event-moves-store.ts'
import { getEventRoute } from '../casework/events/get-event.ts'
import { getOpsEventRoute } from '../casework/events/get-ops-event.ts'
import { listEventsRoute } from '../casework/events/list-events.ts'
import { deletePendingEventsOfGroup } from '../casework/events/pending-event-store.ts'
import { pushEventsRoute } from '../casework/events/push-events.ts'
import { reassignEventRoute } from '../casework/events/reassign-event.ts'
import { replayEventsRoute } from '../casework/events/replay-events.ts'
import { testCaseGroupsRoute } from '../casework/events/test-case-groups.ts'
import { ownerRoutes } from '../casework/owners/routes.ts'
import { hasPlaybook } from '../casework/playbooks/playbook-store.ts'
import { playbookRoutes } from '../casework/playbooks/routes.ts'
import { endRunsOfCases } from '../casework/playbooks/run-store.ts'
import { legalHoldsOfCases } from '../casework/privacy/legal-holds/legal-holds-of-cases.ts'
import { privacyRoutes } from '../casework/privacy/routes.ts'
import { getRawReportRoute } from '../casework/reports/get-raw-report.ts'
import { getReportRoute } from '../casework/reports/get-report.ts'
import { listReportsRoute } from '../casework/reports/list-reports.ts'
import { deleteReportAddressRoute } from '../casework/reports/mail/delete-report-address.ts'
import { listReportAddressesRoute } from '../casework/reports/mail/list-report-addresses.ts'
import { putReportAddressRoute } from '../casework/reports/mail/put-report-address.ts'
import { pushReportRoute } from '../casework/reports/push-report.ts'
import { replayReportRoute } from '../casework/reports/replay-report.ts'
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
  const admin = { foundation, cursors }
  const routes: readonly Route[] = putInterfaceFirst([
    // Interface 4.1: case operations.
    getOpsEventRoute(casework),
    listEventsRoute(casework),
    getEventRoute(casework),

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
    pushReportRoute(casework),
    listReportsRoute(casework),
    getReportRoute(casework),
    getRawReportRoute(casework),
    replayReportRoute(casework),
    pushEventsRoute(casework),
    replayEventsRoute(casework),
    reassignEventRoute(casework),
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
    testCaseGroupsRoute(casework),
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
    listReportAddressesRoute(admin),
    putReportAddressRoute(admin),
    deleteReportAddressRoute(admin),

    // Design section 7: the process itself.
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

// Interface sections 4.1 and 4.2: its endpoints come first in the document, in its order.
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
