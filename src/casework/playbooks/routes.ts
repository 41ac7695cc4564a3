// The endpoints of playbooks and their versions, of runs, and of triggers.

import type { AuditLog } from '../../access/audit/audit-log.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import type { Route } from '../../kernel/http/route.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { AllowList } from '../../kernel/outbound/allow-list.ts'
import { activatePlaybookVersionRoute } from './activate-playbook-version.ts'
import { getCalendarRoute, listCalendarsRoute } from './calendars/list-calendars.ts'
import { deleteCalendarRoute, putCalendarRoute } from './calendars/save-calendar.ts'
import { deletePlaybookRoute, renamePlaybookRoute, retirePlaybookRoute } from './change-playbook.ts'
import { createPlaybookRoute } from './create-playbook.ts'
import { createPlaybookVersionRoute } from './create-playbook-version.ts'
import { deletePlaybookVersionRoute } from './delete-playbook-version.ts'
import { exportPlaybookRoute } from './documents/export-playbook.ts'
import { getDocumentSchemaRoute } from './documents/get-document-schema.ts'
import { importPlaybookRoute } from './documents/import-playbook.ts'
import {
  getPlaybookTemplateRoute,
  listPlaybookTemplatesRoute,
} from './documents/playbook-templates.ts'
import { getPlaybookRoute } from './get-playbook.ts'
import { getPlaybookVersionRoute } from './get-playbook-version.ts'
import type { GraphCache } from './graph-cache.ts'
import { listNodeKindsRoute } from './list-node-kinds.ts'
import { listPlaybooksRoute } from './list-playbooks.ts'
import { addDecisionRoute } from './runs/add-decision.ts'
import { cancelRunRoute, pauseRunRoute, resumeRunRoute } from './runs/change-run.ts'
import { createCaseRunRoute } from './runs/create-case-run.ts'
import { getCaseRunRoute, getRunRoute } from './runs/get-case-run.ts'
import { listCaseRunsRoute } from './runs/list-case-runs.ts'
import { listCaseTriggersRoute } from './runs/list-case-triggers.ts'
import { listRunsRoute } from './runs/list-runs.ts'
import { migrateRunRoute, migrateRunsRoute } from './runs/migrate-runs.ts'
import { triggerPlaybookRoute } from './runs/trigger-playbook.ts'
import type { SimulatedEffects } from './simulation/simulate-case.ts'
import {
  type SimulatePlaybookDeps,
  simulatePlaybookRoute,
  simulatePlaybookVersionRoute,
} from './simulation/simulate-playbook.ts'
import { validatePlaybookRoute } from './validate-playbook.ts'

export interface PlaybookRoutesDeps extends Pick<SimulatePlaybookDeps, 'countSimulation'> {
  readonly db: Db
  readonly audit: AuditLog
  readonly ids: IdSource
  readonly clock: Clock
  readonly cursors: CursorSealer
  readonly graphs: GraphCache
  readonly log: Log
  /** The targets that the operator opened (CASEWORK_OUTBOUND_ALLOW). */
  readonly allow: AllowList
  /** What effects of nodes need in a simulation. */
  readonly effects: SimulatedEffects
  /** Call it after a commit that made tokens due. */
  readonly wakeWorkers: () => void
}

export function playbookRoutes(deps: PlaybookRoutesDeps): readonly Route[] {
  return [
    triggerPlaybookRoute(deps),
    addDecisionRoute(deps),
    listCaseTriggersRoute(deps),
    listCaseRunsRoute(deps),
    createCaseRunRoute(deps),
    getCaseRunRoute(deps),
    listRunsRoute(deps),
    getRunRoute(deps),
    cancelRunRoute(deps),
    pauseRunRoute(deps),
    resumeRunRoute(deps),
    migrateRunRoute(deps),
    migrateRunsRoute(deps),
    validatePlaybookRoute(deps),
    listNodeKindsRoute(),
    createPlaybookRoute(deps),
    listPlaybooksRoute(deps),
    getPlaybookRoute(deps),
    renamePlaybookRoute(deps),
    retirePlaybookRoute(deps),
    deletePlaybookRoute(deps),
    createPlaybookVersionRoute(deps),
    getPlaybookVersionRoute(deps),
    deletePlaybookVersionRoute(deps),
    activatePlaybookVersionRoute(deps),
    exportPlaybookRoute(deps),
    importPlaybookRoute(deps),
    getDocumentSchemaRoute(),
    listPlaybookTemplatesRoute(),
    getPlaybookTemplateRoute(),
    listCalendarsRoute(deps),
    getCalendarRoute(deps),
    putCalendarRoute(deps),
    deleteCalendarRoute(deps),
    simulatePlaybookRoute(deps),
    simulatePlaybookVersionRoute(deps),
  ]
}
