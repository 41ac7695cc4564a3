// Retention on the wire: how long a tenant keeps its data, and the data that is due for removal
// (docs/guides/retention-and-erasure.md).

import { type Static, Type } from 'typebox'
import { RetentionSettings } from '../../../access/tenant-wire.ts'
import { named } from '../../../vocabulary/named-schema.ts'
import type { RetentionDays } from './retention-policy.ts'
import type { DueCounts } from './retention-store.ts'

export const RetentionView = named(
  'Retention',
  Type.Object({
    settings: RetentionSettings,
    due: Type.Object(
      {
        raw_reports: Type.Integer(),
        raw_bytes: Type.Integer({
          description: 'The size of these reports; equal bytes are stored once.',
        }),
        events: Type.Integer(),
        reports: Type.Integer(),
        audit: Type.Integer(),
        cases: Type.Integer({
          description: 'Their events are counted under `events` only if they are due by age.',
        }),
      },
      { description: 'The rows that would be removed now, each count up to counted_up_to.' },
    ),
    counted_up_to: Type.Integer(),
    held_cases: Type.Integer({
      description:
        'Cases on legal hold, with the cases that they are merged with. None of their data is due.',
    }),
  }),
)

/** The settings, the counts of due rows, and the number of cases on legal hold. */
export interface RetentionReport {
  readonly days: RetentionDays
  readonly due: DueCounts
  readonly dueAudit: number
  readonly countMax: number
  readonly casesOnLegalHold: number
}

export function presentRetention(report: RetentionReport): Static<typeof RetentionView> {
  const { days, due } = report
  return {
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
      audit: report.dueAudit,
    },
    counted_up_to: report.countMax,
    held_cases: report.casesOnLegalHold,
  }
}
