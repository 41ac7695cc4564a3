// The table of contents: the route lists of all features, with the values and functions that each
// of them uses.

import { createProviderClient } from '../access/oidc/provider-client.ts'
import { accessRoutes } from '../access/routes.ts'
import { CASE_LIST } from '../casework/cases/lists/list-cases.ts'
import { caseRoutes } from '../casework/cases/routes.ts'
import { deskRoutes } from '../casework/desk/routes.ts'
import { eventMoves, markEventsResolved } from '../casework/events/event-moves-store.ts'
import { EVENT_LIST } from '../casework/events/list-events.ts'
import { deletePendingEventsOfGroup } from '../casework/events/pending-event-store.ts'
import { eventRoutes } from '../casework/events/routes.ts'
import { mitigationRoutes } from '../casework/mitigations/routes.ts'
import { readMailIdentity } from '../casework/notices/mail-identity.ts'
import { noticeRoutes } from '../casework/notices/routes.ts'
import { ownerRoutes } from '../casework/owners/routes.ts'
import { hasPlaybook } from '../casework/playbooks/playbook-store.ts'
import { playbookRoutes } from '../casework/playbooks/routes.ts'
import { createEndRuns } from '../casework/playbooks/runs/end-runs.ts'
import {
  legalHoldsOfCases,
  requireNoLegalHold,
} from '../casework/privacy/legal-holds/legal-holds-of-cases.ts'
import { privacyRoutes } from '../casework/privacy/routes.ts'
import { findRepeatedEvents } from '../casework/reports/report-event-store.ts'
import { reportRoutes } from '../casework/reports/routes.ts'
import { ruleRoutes } from '../casework/rules/routes.ts'
import { secretRoutes } from '../casework/secrets/routes.ts'
import { sightingRoutes } from '../casework/sightings/routes.ts'
import { noteItemsOfCases } from '../casework/sightings/sighting-change-store.ts'
import { webhookRoutes } from '../casework/webhooks/routes.ts'
import { createContactEntries } from '../intel/contacts/contact-entry-store.ts'
import { contactRoutes } from '../intel/contacts/routes.ts'
import { createBriefItem } from '../intel/lookup/item-brief.ts'
import { lookupRoutes } from '../intel/lookup/routes.ts'
import { networkRoutes } from '../intel/networks/routes.ts'
import { sightingRuleRoutes } from '../intel/sighting-rules/routes.ts'
import { sourceRoutes } from '../intel/sources/routes.ts'
import { tagRoutes } from '../intel/tags/routes.ts'
import type { Route } from '../kernel/http/route.ts'
import { parseAllowList } from '../kernel/outbound/allow-list.ts'
import type { Services } from './compose.ts'
import { createCaseProgress } from './find-case-progress.ts'
import { createSourceFetcher } from './open-intel.ts'
import { isIntelClosed } from './share-sightings.ts'
import { getDocsRoute, getDocsScriptRoute, getDocsStartRoute } from './system/get-docs.ts'
import { getOpenapiRoute } from './system/get-openapi.ts'
import { briefOpsRoutes, opsRoutes } from './system/routes.ts'

/** Every route of the program. */
export function buildRoutes(services: Services): readonly Route[] {
  return listRoutes(services, buildOpsRoutes(services))
}

/** The routes of the main listener, which tells less where monitoring has a listener of its own. */
export function buildMainRoutes(services: Services): readonly Route[] {
  const { config, readiness } = services.foundation
  if (config.opsPort === null) return buildRoutes(services)
  return listRoutes(services, briefOpsRoutes({ readiness }))
}

/** The routes of the listener for monitoring. */
export function buildOpsRoutes({
  foundation,
  collectMetrics,
}: Pick<Services, 'foundation' | 'collectMetrics'>): readonly Route[] {
  return opsRoutes({ readiness: foundation.readiness, collectMetrics })
}

function listRoutes(services: Services, monitoring: readonly Route[]): readonly Route[] {
  const { casework, foundation, intel } = services
  const { ids, clock, database, log, secrets, audit } = foundation
  const { cursors } = casework
  const db = database.kysely
  const intelDeps = { db, audit, clock, index: intel.index }
  const allow = parseAllowList(foundation.config.outboundAllow)
  const routes: readonly Route[] = putInterfaceFirst([
    // Threat intelligence.
    ...lookupRoutes({ ...intelDeps, log, enrichment: intel.enrichment }),
    ...tagRoutes(intelDeps),
    ...sightingRuleRoutes({ ...intelDeps, ids }),
    ...sourceRoutes({
      ...intelDeps,
      database,
      readPush: intel.readPush,
      fetcher: createSourceFetcher(foundation, intel),
      replaceList: intel.replaceList,
      refreshNetworks: intel.networks.refresh,
      otherEntries: [
        createContactEntries({ db, refreshContacts: intel.enrichment.refreshContacts }),
      ],
    }),
    ...networkRoutes({ ...intelDeps, networks: intel.networks }),
    ...contactRoutes({
      db,
      readPush: intel.readPush,
      refreshContacts: intel.enrichment.refreshContacts,
    }),

    // Case operations.
    ...reportRoutes({
      audit,
      ...casework.reports,
      cursors,
      owners: casework.owners,
      requireNoLegalHold,
      markEventsResolved,
      noteWithdrawals: noteItemsOfCases,
      writeCase: casework.caseWriter.write,
      takeMailAsAnswer: casework.takeMailAsAnswer,
    }),
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
      ...casework.conditions,
      dryRunWork: casework.dryRunWork,
      findRepeatedEvents,
    }),
    ...caseRoutes({
      db,
      ids,
      clock,
      cursors,
      findProgress: createCaseProgress(db, casework.graphs),
      markEventsResolved,
      noteWithdrawals: noteItemsOfCases,
      eventMoves,
      endRuns: createEndRuns({ ids, clock }),
      legalHolds: legalHoldsOfCases,
    }),
    ...sightingRoutes({
      ...intelDeps,
      cursors,
      briefItem: createBriefItem(intelDeps),
      lookBackDays: foundation.config.lookBackDays,
    }),
    ...ruleRoutes({
      db,
      audit,
      ids,
      clock,
      cursors,
      hasPlaybook,
      deletePendingEvents: deletePendingEventsOfGroup,
    }),
    ...secretRoutes({ db, audit, secrets }),
    ...ownerRoutes({
      db,
      audit,
      secrets,
      ids,
      clock,
      cursors,
      allow,
      forgetResolver: casework.owners.forget,
    }),
    ...noticeRoutes({
      db,
      audit,
      ids,
      clock,
      cursors,
      mail: readMailIdentity(foundation.config),
      relay: foundation.config,
      buildEvidence: casework.buildEvidence,
    }),
    ...mitigationRoutes({
      db,
      audit,
      ids,
      clock,
      cursors,
      secrets,
      allow,
    }),
    ...webhookRoutes({
      db,
      audit,
      ids,
      clock,
      cursors,
      secrets,
      allow,
    }),
    ...deskRoutes({
      db,
      audit,
      ids,
      clock,
      cursors,
      lists: { cases: CASE_LIST, events: EVENT_LIST },
      streams: casework.streams,
      tokens: services.tokens,
    }),
    ...privacyRoutes({
      db,
      log,
      audit,
      ids,
      clock,
      cursors,
      erasureLog: casework.erasureLog,
      rawSearcher: casework.rawSearcher,
    }),
    ...playbookRoutes({
      db,
      audit,
      ids,
      clock,
      cursors,
      graphs: casework.graphs,
      wakeWorkers: casework.wakeWorkers,
      log: foundation.log,
      allow,
      countSimulation: casework.countSimulation,
      effects: {
        ids,
        markEventsResolved,
        noteWithdrawals: noteItemsOfCases,
        briefItem: casework.conditions.briefItem,
        mail: readMailIdentity(foundation.config),
      },
    }),

    // Administration.
    ...accessRoutes({
      db,
      audit,
      secrets,
      clock,
      ids,
      cursors,
      refreshTokens: services.tokens.refresh,
      scopesOfRoles: services.tokens.scopesOfRoles,
      sharing: { isAllowed: isIntelClosed(foundation.config) },
      signIn: services.signIn,
      providers: openProviders(services),
    }),

    // The process itself.
    ...monitoring,
    getOpenapiRoute(() => routes),
    getDocsRoute(),
    getDocsScriptRoute(),
    getDocsStartRoute(),
  ])
  return routes
}

function openProviders({ foundation, signIn, casework }: Services) {
  const { outbound, allowsPlainHttp } = casework
  const deps = { clock: foundation.clock, outbound, allowsPlainHttp }
  return new Map(signIn.providerSettings.map((one) => [one.id, createProviderClient(one, deps)]))
}

// The endpoints of the interface (sections 4.1 and 4.2) come first in the document, in its order.
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
