// GET /beta/casework/reports/{reportId}/regression-case: the mail with what it reports after its
// corrections, as a case for the tests of the reader.

import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import { inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { ReportMailbox } from '../../reader/reading.ts'
import { parseRecordId } from '../../values/uuid.ts'
import { noRegressionCase, rawReportNotKept, reportNotFound } from '../cases/errors.ts'
import { findEvents } from '../events/event-list-store.ts'
import { buildExpectation } from './corrections/build-expectation.ts'
import type { WriteCase } from './corrections/case-writer.ts'
import { listCorrections } from './corrections/correction-store.ts'
import { findKeptReport, type KeptReport } from './kept-report-store.ts'
import { normalizeRecipient } from './mail/find-recipient-tenant.ts'
import { loadContext, type ReportDeps } from './process-report.ts'
import { listEventIdsOfReport } from './report-event-store.ts'
import { findReport } from './report-store.ts'

export function getRegressionCaseRoute(
  deps: ReportDeps & { readonly writeCase: WriteCase; readonly audit: AuditLog },
): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/reports/{reportId}/regression-case',
    group: 'casework',
    access: { kind: 'scope', scope: 'events:raw' },
    operationId: 'getRegressionCase',
    summary: 'Get a report as a test case of the reader',
    description:
      'The mail, decoded, below what it reports after its corrections, in the form of test/testdata/mails. Anonymised, names, mail addresses, domains and IP addresses are replaced, each always by the same; parts that are no text are left out. Read it before you hand it on.',
    params: Type.Object({ reportId: Type.String() }),
    query: Type.Object({
      anonymise: Type.Optional(
        Type.Boolean({ description: 'True: replaces everything that names somebody.' }),
      ),
    }),
    responses: {
      200: { description: 'The case, as text.', contentType: 'text/plain; charset=utf-8' },
      404: { description: 'There is no such report.' },
      409: { description: 'No case can be made of it: it is no mail, or too large.' },
      410: { description: 'Its bytes have been removed.' },
    },
    async handle({ caller, params, query }) {
      const { tenantId } = requireCaller(caller)
      const scope = { tenantId }
      const reportId = parseRecordId(params.reportId)
      if (reportId === null || (await findReport(deps.db, scope, reportId)) === null) {
        throw reportNotFound()
      }
      const kept = await findKeptReport(deps.db, scope, reportId)
      if (kept === null) throw rawReportNotKept()
      const eventIds = await listEventIdsOfReport(deps.db, scope, reportId)
      const events = await findEvents(deps.db, scope, eventIds)
      const corrections = await listCorrections(deps.db, scope, reportId)
      const written = await deps.writeCase(kept.bytes, {
        name: `report ${reportId}`,
        isAnonymised: query.anonymise === true,
        expectation: buildExpectation(events, corrections),
        ...(await describeArrival(deps, kept)),
      })
      if (written.kind === 'refused') throw noRegressionCase(written.reason)
      await inTransaction(deps.db, (tx) =>
        deps.audit.record(tx, 'report.download', {
          tenantId,
          id: reportId,
          after: { form: 'regression case', anonymised: query.anonymise === true },
        }),
      )
      return {
        status: 200,
        stream: Readable.from([Buffer.from(written.text)], { objectMode: false }),
        contentType: 'text/plain; charset=utf-8',
        headers: {
          'content-disposition': `attachment; filename="report-${reportId}.txt"`,
          'content-security-policy': "default-src 'none'; sandbox",
        },
      }
    },
  })
}

/** An entry of the address itself wins over an entry of its domain. */
function isTrap(recipient: string, mailboxes: readonly ReportMailbox[]): boolean {
  const address = normalizeRecipient(recipient)
  const domainEntry = `*${address.slice(address.lastIndexOf('@'))}`
  const find = (wanted: string) => mailboxes.find((mailbox) => mailbox.address === wanted)
  return (find(address) ?? find(domainEntry))?.isTrap === true
}

async function describeArrival(deps: ReportDeps, kept: KeptReport) {
  const { tenantId, receivedAt } = kept
  const context = await loadContext(deps, { tenantId }, kept)
  const { envelopeTo = [], mailboxes = [], ownNetworks = [] } = context
  const [envelopeRecipient = null] = envelopeTo
  const isTrapped = envelopeRecipient !== null && isTrap(envelopeRecipient, mailboxes)
  return { receivedAtMs: receivedAt.getTime(), ownNetworks, envelopeRecipient, isTrapped }
}
