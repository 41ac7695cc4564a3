// The routes of privacy, in the order in which they are documented.

import type { AuditLog } from '../../access/audit/audit-log.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import type { Route } from '../../kernel/http/route.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { eraseAddressRoute } from './erasure/erase-address.ts'
import type { ErasureLog } from './erasure/erasure-log.ts'
import { exportAddressRoute } from './erasure/export-address.ts'
import { listErasuresRoute } from './erasure/list-erasures.ts'
import type { RawSearcher } from './erasure/raw-searcher.ts'
import { addLegalHoldRoute } from './legal-holds/add-legal-hold.ts'
import { liftLegalHoldRoute } from './legal-holds/lift-legal-hold.ts'
import { listLegalHoldsRoute } from './legal-holds/list-legal-holds.ts'
import { getRetentionRoute } from './retention/get-retention.ts'

export interface PrivacyRoutesDeps {
  readonly db: Db
  readonly log: Log
  readonly audit: AuditLog
  readonly ids: IdSource
  readonly clock: Clock
  readonly cursors: CursorSealer
  readonly erasureLog: ErasureLog
  readonly rawSearcher: RawSearcher
}

export function privacyRoutes(deps: PrivacyRoutesDeps): readonly Route[] {
  return [
    getRetentionRoute(deps),
    addLegalHoldRoute(deps),
    liftLegalHoldRoute(deps),
    listLegalHoldsRoute(deps),
    eraseAddressRoute(deps),
    listErasuresRoute(deps),
    exportAddressRoute(deps),
  ]
}
