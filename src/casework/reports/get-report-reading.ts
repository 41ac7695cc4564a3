// GET /beta/casework/reports/{reportId}/reading: the report as text beside what the reader makes of
// it, for a person who checks it. It shows what the bytes say, so it takes the scope of the bytes.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import { inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { ReportContext, ShownReport } from '../../reader/reading.ts'
import { parseRecordId } from '../../values/uuid.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { rawReportNotKept, reportNotFound } from '../cases/errors.ts'
import { findEventsOfFingerprints } from '../events/fingerprint-store.ts'
import { findKeptReport } from './kept-report-store.ts'
import { fingerprintReading, loadContext, type ReportDeps } from './process-report.ts'
import { presentReportReading, ReportReading } from './report-reading-wire.ts'
import { findReport } from './report-store.ts'

export interface GetReportReadingDeps extends ReportDeps {
  readonly audit: AuditLog
  readonly showBytes: (
    bytes: Uint8Array,
    context: ReportContext,
    tenantId: string,
  ) => Promise<ShownReport>
}

export function getReportReadingRoute(deps: GetReportReadingDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/reports/{reportId}/reading',
    group: 'casework',
    access: { kind: 'scope', scope: 'events:raw' },
    operationId: 'getReportReading',
    summary: 'Show how a report is read',
    description:
      'The report as plain text beside what the program of today reads out of it: each value with its location in the text, the rule and the words that decided. Nothing is stored but a line of the audit log.',
    params: Type.Object({ reportId: Type.String() }),
    responses: {
      200: { description: 'The text and its reading.', schema: ReportReading },
      404: { description: 'There is no such report.' },
      410: { description: 'Its bytes have been removed.' },
    },
    async handle({ caller, params }) {
      const { tenantId } = requireCaller(caller)
      const scope = { tenantId }
      const reportId = parseRecordId(params.reportId)
      if (reportId === null || (await findReport(deps.db, scope, reportId)) === null) {
        throw reportNotFound()
      }
      const kept = await findKeptReport(deps.db, scope, reportId)
      if (kept === null) throw rawReportNotKept()
      const context = await loadContext(deps, scope, kept)
      const shown = await deps.showBytes(kept.bytes, context, tenantId)
      const eventIds = await findStoredEvents(deps, scope, shown)
      await inTransaction(deps.db, (tx) =>
        deps.audit.record(tx, 'report.read', { tenantId, id: reportId }),
      )
      return { status: 200, json: presentReportReading(reportId, shown, eventIds) }
    },
  })
}

async function findStoredEvents(
  { db }: GetReportReadingDeps,
  scope: TenantScope,
  { result }: ShownReport,
): Promise<readonly (string | null)[]> {
  if (result.kind !== 'report') return []
  const fingerprints = fingerprintReading(scope, result)
  const found = await findEventsOfFingerprints(db, scope, fingerprints)
  return fingerprints.map((fingerprint) => found.get(fingerprint) ?? null)
}
