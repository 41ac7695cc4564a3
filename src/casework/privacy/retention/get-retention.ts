// GET /beta/casework/retention: how long the tenant keeps its data, and the number of rows that are
// due for removal. Days in the query replace the settings, for a preview. Nothing is removed.

import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import { findTenant } from '../../../access/tenant-store.ts'
import { RetentionSettings } from '../../../access/tenant-wire.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { listCasesOnLegalHold } from '../legal-holds/legal-hold-store.ts'
import { countDueAudit } from './retention-audit-store.ts'
import { boundRetention, readRetentionDays } from './retention-policy.ts'
import { countDue } from './retention-store.ts'
import { presentRetention, RetentionView } from './retention-wire.ts'

// Counting stops there, so that the answer takes half a second at 5 million events.
const COUNT_MAX = 100_000

export function getRetentionRoute({
  db,
  clock,
}: {
  readonly db: Db
  readonly clock: Clock
}): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/retention',
    group: 'casework',
    access: { kind: 'scope', scope: 'tenant:admin' },
    operationId: 'getRetention',
    summary: 'Get retention settings and what is due',
    description:
      'Days in the query are used in place of the settings of the tenant, as a preview. The request removes nothing.',
    query: Type.Object(RetentionSettings.properties),
    responses: {
      200: { description: 'The settings and the counts of due rows.', schema: RetentionView },
    },
    async handle({ caller, query }) {
      const { tenantId } = requireCaller(caller)
      const isPreview = Object.keys(query).length > 0
      const settings = isPreview
        ? { retention: query }
        : ((await findTenant(db, tenantId))?.settings ?? {})
      const days = readRetentionDays(settings)
      const bounds = boundRetention(days, clock.nowMs())
      const due = await countDue(db, { tenantId }, bounds, COUNT_MAX)
      const dueAudit = await countDueAudit(db, { tenantId }, bounds.auditBefore, COUNT_MAX)
      const casesOnLegalHold = (await listCasesOnLegalHold(db, { tenantId })).length
      const report = { days, due, dueAudit, countMax: COUNT_MAX, casesOnLegalHold }
      return { status: 200, json: presentRetention(report) }
    },
  })
}
