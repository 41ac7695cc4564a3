// What an event that a person adds to a report takes from that report: its reporter, its recipient
// and its time.

import type { TenantScope } from '../../../vocabulary/caller.ts'
import { reportNotFound } from '../../cases/errors.ts'
import { findEvents } from '../../events/event-list-store.ts'
import { findKeptReport } from '../kept-report-store.ts'
import { loadContext, type ReportDeps, readReport } from '../process-report.ts'
import { findReport } from '../report-store.ts'
import { listOwnEventIds } from './correction-store.ts'

export interface AddedOrigin {
  readonly eventDate: string
  /** Null when nobody is known. */
  readonly senderEmail: string | null
  readonly recipientEmail: string | null
  /** The id under which the reporter knows the report. */
  readonly reporterReportId: string | null
}

/**
 * As another event of the report has it; without one, as its mail says. The mail is read in a
 * thread, as always. Throws `reportNotFound`.
 */
export async function findAddedOrigin(
  deps: ReportDeps,
  scope: TenantScope,
  { reportId }: { readonly reportId: string },
): Promise<AddedOrigin> {
  const report = await findReport(deps.db, scope, reportId)
  if (report === null) throw reportNotFound()
  const { reporterReportId, receivedAt } = report
  const [other] = await findEvents(
    deps.db,
    scope,
    await listOwnEventIds(deps.db, scope, reportId, 1),
  )
  if (other !== undefined) {
    const { event_date: date, sender_email: senderEmail, recipient_email: recipientEmail } = other
    return { eventDate: date.toISOString(), senderEmail, recipientEmail, reporterReportId }
  }
  const kept = await findKeptReport(deps.db, scope, reportId)
  const arrival = { eventDate: receivedAt.toISOString(), reporterReportId }
  if (kept === null) return { ...arrival, senderEmail: null, recipientEmail: null }
  const context = await loadContext(deps, scope, kept)
  const reading = await readReport(deps, kept.bytes, context, scope.tenantId)
  const standIn = kept.fallbackReporter
  if (reading.kind === 'refused') {
    const { senderEmail = null, recipientEmail = null, atMs = null } = reading.letter ?? {}
    return {
      eventDate: atMs === null ? arrival.eventDate : new Date(atMs).toISOString(),
      senderEmail: senderEmail ?? standIn,
      recipientEmail,
      reporterReportId,
    }
  }
  const [first] = reading.report.events
  const {
    senderEmail = standIn,
    recipientEmail = null,
    eventDate = arrival.eventDate,
  } = first?.event ?? {}
  return { eventDate, senderEmail, recipientEmail, reporterReportId }
}
