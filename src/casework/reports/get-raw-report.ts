// GET /beta/casework/reports/{reportId}/raw: the bytes as they came, as a download and nothing
// else: reports are written by strangers and may hold pages, scripts and malware.

import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { parseRecordId } from '../../values/uuid.ts'
import { rawReportNotKept, reportNotFound } from '../cases/errors.ts'
import { findRawReport, findReport } from './report-store.ts'

export interface GetRawReportDeps {
  readonly db: Db
  readonly audit: AuditLog
}

export function getRawReportRoute({ db, audit }: GetRawReportDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/reports/{reportId}/raw',
    group: 'casework',
    access: { kind: 'scope', scope: 'events:raw' },
    operationId: 'getRawReport',
    summary: 'Download a raw report',
    description:
      'The bytes as they arrived, until retention removes them. The audit log has each download.',
    params: Type.Object({ reportId: Type.String() }),
    responses: {
      200: { description: 'The bytes.', contentType: 'application/octet-stream' },
      404: { description: 'There is no such report.' },
      410: { description: 'Its bytes have been removed.' },
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const reportId = parseRecordId(params.reportId)
      if (reportId === null) throw reportNotFound()
      const raw = await findRawReport(db, scope, reportId)
      if (raw === null) {
        throw (await findReport(db, scope, reportId)) === null
          ? reportNotFound()
          : rawReportNotKept()
      }
      // Committed before the first byte leaves.
      await inTransaction(db, (tx) =>
        audit.record(tx, 'report.download', {
          tenantId: scope.tenantId,
          id: reportId,
          after: { bytes: raw.bytes.length },
        }),
      )
      return {
        status: 200,
        stream: Readable.from([raw.bytes], { objectMode: false }),
        // Never the type the sender claimed: a browser must not render it.
        contentType: 'application/octet-stream',
        headers: {
          'content-length': String(raw.bytes.length),
          'content-disposition': `attachment; filename="report-${reportId}.bin"`,
          'content-security-policy': "default-src 'none'; sandbox",
        },
      }
    },
  })
}
