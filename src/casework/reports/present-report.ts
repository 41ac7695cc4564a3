// Reports as the wire shows them (design section 10).

import type { Finding } from '../../reader/reading.ts'
import { presentEvent, presentRepeats } from '../events/present-event.ts'
import type { TakenReport } from './record-verdict.ts'
import type { ReportRecord } from './report-store.ts'
import type { Envelope } from './report-tables.ts'

export function presentTakenReport(report: TakenReport): Record<string, unknown> {
  return {
    report_id: report.reportId,
    state: report.state,
    // Whether the sender has to mend something, or we have: nothing was taken from it.
    rejected: report.state !== 'accepted',
    ...(report.reason === null ? {} : { reason: report.reason }),
    ...(report.problems.length === 0 ? {} : { problems: report.problems }),
    events: report.events.map(({ record, outcome, repeats }) => ({
      ...presentEvent(record),
      outcome,
      ...(repeats === null ? {} : presentRepeats(repeats)),
    })),
  }
}

/** With where each value was found: a dry run is asked by somebody who wants to understand. */
export function presentTriedReport(report: TakenReport): unknown {
  return {
    ...presentTakenReport(report),
    ...(report.format === null ? {} : { format: report.format }),
    events: report.events.map(({ record, outcome, findings }) => ({
      ...presentEvent(record),
      outcome,
      findings: findings.map(presentFinding),
    })),
    passed_over: report.passedOver.map(presentFinding),
  }
}

function presentFinding({ line, role, rank, ...finding }: Finding): unknown {
  return {
    ...finding,
    ...(line === null ? {} : { line }),
    ...(role === null ? {} : { role }),
    ...(rank === null ? {} : { rank }),
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
    ...(report.isRawRemoved ? { raw_removed: true } : {}),
    byte_length: report.byteLength,
    sha256: report.sha256,
    ...(report.format === null ? {} : { format: report.format }),
    ...(report.reporterReportId === null ? {} : { reporter_report_id: report.reporterReportId }),
    event_count: report.eventCount,
    via: report.via,
  }
}

export function presentReportDetail(report: ReportRecord): unknown {
  return {
    ...presentReport(report),
    ...(report.problems.length === 0 ? {} : { problems: report.problems }),
    ...(report.messageId === null ? {} : { message_id: report.messageId }),
    ...(report.via === 'api' || report.via === 'import'
      ? {}
      : { envelope: presentEnvelope(report.envelope) }),
    ...(report.authentication === null ? {} : { authentication: report.authentication }),
  }
}

function presentEnvelope({ from, to, remoteAddress, helo }: Envelope): unknown {
  return {
    ...(from === null ? {} : { from }),
    to,
    ...(remoteAddress === null ? {} : { remote_address: remoteAddress }),
    ...(helo === null ? {} : { helo }),
  }
}
