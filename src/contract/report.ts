// Raw reports and what was read out of them (design section 5.1 and 10).

import { Type } from 'typebox'
import { EVENT_RECORD_MEMBERS } from './event-record.ts'
import { EventOutcome } from './new-event.ts'
import { pageOf } from './page.ts'

export const REPORT_BYTES_MAX = 25 * 1024 * 1024

export const ReportState = Type.Union(
  [Type.Literal('accepted'), Type.Literal('rejected'), Type.Literal('quarantined')],
  {
    description:
      'accepted: its events are stored. rejected: its format is known, but it breaks the rules of it. quarantined: it could not be read. All are kept.',
  },
)

const REPORT_VERDICT_MEMBERS = {
  report_id: Type.String({ format: 'uuid' }),
  state: ReportState,
  rejected: Type.Boolean({ description: 'True when no event was taken from it.' }),
  reason: Type.Optional(Type.String()),
}

export const TakenReport = Type.Object({
  ...REPORT_VERDICT_MEMBERS,
  events: Type.Array(Type.Object({ ...EVENT_RECORD_MEMBERS, outcome: EventOutcome })),
})

const Problem = Type.Object({ path: Type.String(), reason: Type.String() })

const Report = Type.Object({
  ...REPORT_VERDICT_MEMBERS,
  received_at: Type.String({ format: 'date-time' }),
  media_type: Type.String(),
  byte_length: Type.Integer(),
  sha256: Type.String(),
  format: Type.Optional(Type.String({ description: 'How it was read, such as xarf_v4.' })),
  reporter_report_id: Type.Optional(Type.String()),
  event_count: Type.Integer(),
})
export const ReportList = pageOf(Report)

export const ReportDetail = Type.Object({
  ...Report.properties,
  problems: Type.Optional(Type.Array(Problem)),
})
