// How long a tenant keeps what (docs/guides/retention-and-erasure.md).

import { Type } from 'typebox'

const DAYS = { minimum: 1, maximum: 36_500 }

export const RetentionSettings = Type.Object(
  {
    raw_report_days: Type.Optional(
      Type.Integer({ ...DAYS, description: 'Bytes of reports, from their arrival.' }),
    ),
    event_days: Type.Optional(
      Type.Integer({
        ...DAYS,
        description:
          'Events that are in no open case, and the records of reports, from their arrival.',
      }),
    ),
    case_days: Type.Optional(
      Type.Integer({
        ...DAYS,
        description: 'Ended cases with everything on them, from their end.',
      }),
    ),
    audit_days: Type.Optional(
      Type.Integer({
        ...DAYS,
        description:
          'The history of case groups and mute rules, and legal holds that were lifted, from then on.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'What is left out is kept for ever.',
  },
)

export const RetentionView = Type.Object({
  settings: RetentionSettings,
  due: Type.Object(
    {
      raw_reports: Type.Integer(),
      raw_bytes: Type.Integer({ description: 'Of these reports; equal bytes are kept once.' }),
      events: Type.Integer(),
      reports: Type.Integer(),
      audit: Type.Integer(),
      cases: Type.Integer({ description: 'Their events are counted with the events only by age.' }),
    },
    { description: 'What would be removed now; each counted up to counted_up_to.' },
  ),
  counted_up_to: Type.Integer(),
  held_cases: Type.Integer({
    description:
      'Cases that a legal hold keeps, with those they are merged with. None of it is due.',
  }),
})
