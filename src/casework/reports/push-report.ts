// POST /beta/casework/reports: one raw report as it came; its content decides how it is read. It is
// kept whatever it holds, unless it holds nothing; 4xx is for the transport only.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { AnswerKey } from '../../kernel/db/idempotency-store.ts'
import { filterNotValid, requestNotValid } from '../../kernel/errors.ts'
import { readIdempotencyKey } from '../../kernel/http/read-idempotency-key.ts'
import { defineRoute, type Reply, type Route } from '../../kernel/http/route.ts'
import { isEmptyReport } from '../../reader/read-report.ts'
import { isEmailAddress } from '../../values/email.ts'
import { digestBytes } from './digest-bytes.ts'
import { loadSubmittedReport } from './load-submitted-report.ts'
import type { ProcessedReport, ReportDeps } from './process-report.ts'
import {
  presentDryRun,
  presentReportAnswer,
  REPORT_BYTES_MAX,
  ReportAnswer,
} from './report-wire.ts'
import {
  dryRunReport,
  type SubmittedReport,
  submitReport,
  submitReportOnce,
} from './submit-report.ts'

// 25 MiB over a line of 4 Mbit/s.
const BODY_TIMEOUT_MS = 60_000
const MEDIA_TYPE_LENGTH_MAX = 200

export function pushReportRoute(deps: ReportDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/reports',
    group: 'casework',
    access: { kind: 'scope', scope: 'events:ingest' },
    operationId: 'pushReport',
    idempotency: 'own',
    summary: 'Submit a raw report',
    description:
      'A repeat with the same Idempotency-Key and body within 24 hours gives the same report. A dry run ignores the key.',
    query: Type.Object({
      dry_run: Type.Optional(
        Type.Boolean({
          description:
            'Shows the events that would be stored and where in the report each value was found; stores nothing.',
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
            'The reporter of a report that names none (a table, a bare text); the contact_email of the token when left out.',
        }),
      ),
    }),
    body: Type.Unknown({
      description:
        'The report as it came: a mail, XARF, or an attachment alone; recognised by its content.',
    }),
    consumes: ['*/*'],
    bodyKind: 'bytes',
    bodyLimit: REPORT_BYTES_MAX,
    bodyTimeoutMs: BODY_TIMEOUT_MS,
    responses: {
      200: {
        description:
          'The events that would be stored (dry run). Or the report that an earlier request with this Idempotency-Key has brought; its events have the outcome duplicate.',
        schema: ReportAnswer,
      },
      201: { description: 'Kept, and read as far as it could be.', schema: ReportAnswer },
      422: { description: 'The Idempotency-Key was used for another request.' },
    },
    async handle({ caller, body, query, headers }) {
      const { tenantId, tokenId, name, contactEmail } = requireCaller(caller)
      const { reporter = contactEmail } = query
      if (reporter !== contactEmail && reporter !== null && !isEmailAddress(reporter)) {
        throw filterNotValid({ path: '/reporter', reason: 'must be an e-mail address' })
      }
      const bytes: unknown = body
      if (!Buffer.isBuffer(bytes)) throw new Error('a body of bytes arrived as something else')
      // What curl sends for a file that is not there. Kept, it would stay for ever.
      if (isEmptyReport(bytes)) throw requestNotValid('The body is empty; send the report in it.')
      const mediaType = (headers['content-type'] ?? '').slice(0, MEDIA_TYPE_LENGTH_MAX)
      const report = {
        bytes,
        mediaType: typeof mediaType === 'string' ? mediaType : '',
        fallbackReporter: reporter,
        actor: { kind: 'token', id: tokenId, name },
        via: query.via ?? 'api',
      } as const
      if (query.dry_run === true) {
        const tried = await dryRunReport(deps, { tenantId }, report)
        return { status: 200, json: presentDryRun(tried) }
      }
      const key = readIdempotencyKey(headers)
      if (key === null) return answer(201, await submitReport(deps, { tenantId }, report))
      const requestKey = await buildRequestKey(tokenId, key, report)
      const result = await submitReportOnce(deps, { tenantId }, report, requestKey)
      if (result.kind === 'submitted') return answer(201, result.report)
      return answer(200, await loadSubmittedReport(deps.db, { tenantId }, result.reportId))
    },
  })
}

function answer(status: 200 | 201, report: ProcessedReport): Reply {
  return {
    status,
    json: presentReportAnswer(report),
    headers: { location: `/beta/casework/reports/${report.reportId}` },
  }
}

async function buildRequestKey(
  tokenId: string,
  key: string,
  { bytes, mediaType, fallbackReporter, via }: SubmittedReport,
): Promise<AnswerKey> {
  const requestHash = await digestBytes(bytes, JSON.stringify([mediaType, fallbackReporter, via]))
  return { tokenId, operation: 'pushReport', key, requestHash: requestHash.toString('hex') }
}
