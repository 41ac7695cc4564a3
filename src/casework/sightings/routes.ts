// The endpoints where the two halves meet: trusted reporters, and what intel knows of a case.

import type { AuditLog } from '../../access/audit/audit-log.ts'
import type { IntelIndex } from '../../intel/index/intel-index.ts'
import type { BriefItem } from '../../intel/lookup/item-brief.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import type { Route } from '../../kernel/http/route.ts'
import { deleteTrustedReporterRoute, putTrustedReporterRoute } from './change-trusted-reporters.ts'
import { getCaseIntelRoute } from './get-case-intel.ts'
import { listTrustedReportersRoute } from './list-trusted-reporters.ts'

export interface SightingRoutesDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly clock: Clock
  readonly cursors: CursorSealer
  readonly index: IntelIndex
  readonly briefItem: BriefItem
  readonly lookBackDays: number
}

export function sightingRoutes(deps: SightingRoutesDeps): readonly Route[] {
  return [
    listTrustedReportersRoute(deps),
    putTrustedReporterRoute(deps),
    deleteTrustedReporterRoute(deps),
    getCaseIntelRoute(deps),
  ]
}
