// POST /beta/casework/reports: one raw report as it came, told by its content. Whatever it holds is
// kept; 4xx is for the transport only.

import { Type } from 'typebox'
import type { Casework } from '../../app/open-casework.ts'
import { filterNotValid } from '../../kernel/errors.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import { isEmailAddress } from '../../values/email.ts'
import { presentTakenReport, presentTriedReport } from './present-report.ts'
import { REPORT_BYTES_MAX, TakenReport } from './report-wire.ts'
import { takeInReport, tryReport } from './submit-report.ts'

// 25 MiB over a line of 4 Mbit/s.
const BODY_TIMEOUT_MS = 60_000
const MEDIA_TYPE_LENGTH_MAX = 200

export function pushReportRoute({ reports }: Casework): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/reports',
    group: 'casework',
    access: { kind: 'scope', scope: 'events:ingest' },
    operationId: 'pushReport',
    summary: 'Hand in a raw report',
    query: Type.Object({
      dry_run: Type.Optional(
        Type.Boolean({
          description:
            'Tells what would become of it and where in the report each value was found, and stores nothing.',
        }),
      ),
      via: Type.Optional(
        Type.Literal('import', {
          description: 'Marks a report out of an archive; without it the report is marked api.',
        }),
      ),
      reporter: Type.Optional(
        Type.String({
          format: 'email',
          maxLength: 254,
          description:
            'Who reports, where the report itself names nobody (a table, a bare text); without it the contact_email of the token.',
        }),
      ),
    }),
    body: Type.Unknown({
      description:
        'The report as it came: a mail, XARF, or an attachment alone; told by its content.',
    }),
    consumes: ['*/*'],
    bodyKind: 'bytes',
    bodyLimit: REPORT_BYTES_MAX,
    bodyTimeoutMs: BODY_TIMEOUT_MS,
    responses: {
      200: { description: 'What would become of it (dry run).', schema: TakenReport },
      201: { description: 'Kept, and read as far as it could be.', schema: TakenReport },
    },
    async handle({ caller, body, query, headers }) {
      const { tenantId, tokenId, name, contactEmail } = requireCaller(caller)
      const { reporter = contactEmail } = query
      if (reporter !== contactEmail && reporter !== null && !isEmailAddress(reporter)) {
        throw filterNotValid({ path: '/reporter', reason: 'must be an e-mail address' })
      }
      const bytes: unknown = body
      if (!Buffer.isBuffer(bytes)) throw new Error('a body of bytes arrived as something else')
      const mediaType = (headers['content-type'] ?? '').slice(0, MEDIA_TYPE_LENGTH_MAX)
      const report = {
        bytes,
        mediaType: typeof mediaType === 'string' ? mediaType : '',
        fallbackReporter: reporter,
        actor: { kind: 'token', id: tokenId, name },
        via: query.via ?? 'api',
      } as const
      if (query.dry_run === true) {
        const tried = await tryReport(reports, { tenantId }, report)
        return { status: 200, json: presentTriedReport(tried) }
      }
      const taken = await takeInReport(reports, { tenantId }, report)
      return {
        status: 201,
        json: presentTakenReport(taken),
        headers: { location: `/beta/casework/reports/${taken.reportId}` },
      }
    },
  })
}
