// Reports as the wire shows them (design section 10).

import type { ReportRecord } from '../store/report-store.ts'
import type { TakenReport } from '../take-in-report.ts'
import { presentEvent } from './present-event.ts'

export function presentTakenReport(report: TakenReport): unknown {
  return {
    report_id: report.reportId,
    state: report.state,
    // Whether the sender has to mend something, or we have: nothing was taken from it.
    rejected: report.state !== 'accepted',
    ...(report.reason === null ? {} : { reason: report.reason }),
    events: report.events.map(({ record, outcome }) => ({ ...presentEvent(record), outcome })),
  }
}

export function presentReport(report: ReportRecord): Record<string, unknown> {
  return {
    report_id: report.id,
    state: report.state,
    rejected: report.state !== 'accepted',
    ...(report.reason === null ? {} : { reason: report.reason }),
    received_at: report.receivedAt.toISOString(),
    media_type: report.mediaType,
    byte_length: report.byteLength,
    sha256: report.sha256,
    ...(report.format === null ? {} : { format: report.format }),
    ...(report.reporterReportId === null ? {} : { reporter_report_id: report.reporterReportId }),
    event_count: report.eventCount,
  }
}

export function presentReportDetail(report: ReportRecord): unknown {
  return {
    ...presentReport(report),
    ...(report.problems.length === 0 ? {} : { problems: report.problems }),
  }
}
