// GET /beta/casework/retention: how long the tenant keeps what, and what is past its time. With
// numbers of days in the query: what those would remove. It removes nothing.

import { Type } from 'typebox'
import { findTenant } from '../../../access/tenant-store.ts'
import { RetentionSettings } from '../../../access/tenant-wire.ts'
import type { Casework } from '../../../app/open-casework.ts'
import { defineRoute, type Route, requireCaller } from '../../../kernel/http/route.ts'
import { listHeldCases } from '../legal-holds/legal-hold-store.ts'
import { countDueAudit } from './retention-audit-store.ts'
import { boundRetention, readRetentionDays } from './retention-policy.ts'
import { countDue } from './retention-store.ts'
import { RetentionView } from './retention-wire.ts'

// Counting stops there: half a second at 5 million events (measured 2026-11-22).
const COUNT_MAX = 100_000

export function getRetentionRoute({ foundation }: Casework): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/retention',
    group: 'casework',
    access: { kind: 'scope', scope: 'tenant:admin' },
    operationId: 'getRetention',
    summary: 'Show what is kept how long, and what is due to be removed',
    description:
      'With days in the query it tells what those settings would remove, in place of those of the tenant. Nothing is removed by asking.',
    query: Type.Object(RetentionSettings.properties),
    responses: { 200: { description: 'Settings and what is due.', schema: RetentionView } },
    async handle({ caller, query }) {
      const { tenantId } = requireCaller(caller)
      const db = foundation.database.kysely
      const isTried = Object.keys(query).length > 0
      const settings = isTried
        ? { retention: query }
        : ((await findTenant(db, tenantId))?.settings ?? {})
      const days = readRetentionDays(settings)
      const bounds = boundRetention(days, foundation.clock.nowMs())
      const due = await countDue(db, { tenantId }, bounds, COUNT_MAX)
      const audit = await countDueAudit(db, { tenantId }, bounds.auditBefore, COUNT_MAX)
      const held = await listHeldCases(db, { tenantId })
      return {
        status: 200,
        json: {
          settings: {
            ...(days.rawReports === null ? {} : { raw_report_days: days.rawReports }),
            ...(days.events === null ? {} : { event_days: days.events }),
            ...(days.cases === null ? {} : { case_days: days.cases }),
            ...(days.audit === null ? {} : { audit_days: days.audit }),
          },
          due: {
            raw_reports: due.rawReports,
            raw_bytes: due.rawBytes,
            events: due.events,
            reports: due.reports,
            cases: due.cases,
            audit,
          },
          counted_up_to: COUNT_MAX,
          held_cases: held.length,
        },
      }
    },
  })
}
