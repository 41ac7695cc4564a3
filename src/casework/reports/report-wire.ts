// Raw reports and what was read out of them (design section 5.1 and 10).

import { Type } from 'typebox'
import { pageOf } from '../../vocabulary/page-wire.ts'
import { EVENT_RECORD_MEMBERS, SEEN_MEMBERS } from '../events/event-record-wire.ts'
import { EventOutcome } from '../events/new-event-wire.ts'

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

export const ReportDoor = Type.Union(
  [
    Type.Literal('api'),
    Type.Literal('smtp'),
    Type.Literal('lmtp'),
    Type.Literal('imap'),
    Type.Literal('import'),
  ],
  { description: 'How it came.' },
)

const Finding = Type.Object(
  {
    field: Type.String({ description: 'The member of the event, as a JSON pointer.' }),
    value: Type.String(),
    part: Type.String({ description: 'The part of the report it stands in.' }),
    line: Type.Optional(Type.Integer({ description: 'Line or row of that part, from 1.' })),
    excerpt: Type.String({ description: 'What stands there.' }),
    role: Type.Optional(Type.String({ description: 'What the value is in the report.' })),
    rank: Type.Optional(Type.Integer({ description: '1 is the best candidate.' })),
    reason: Type.String({ description: 'Why it won, or why it was passed over.' }),
  },
  { description: 'Where in the report a value was found.' },
)

const Problem = Type.Object({ path: Type.String(), reason: Type.String() })
const Problems = Type.Array(Problem, {
  description:
    'Every rule of its format that the report breaks, with the JSON pointer of the place.',
})

export const TakenReport = Type.Object({
  ...REPORT_VERDICT_MEMBERS,
  problems: Type.Optional(Problems),
  format: Type.Optional(Type.String({ description: 'How it was read; dry runs only.' })),
  events: Type.Array(
    Type.Object({
      ...EVENT_RECORD_MEMBERS,
      outcome: EventOutcome,
      ...SEEN_MEMBERS,
      findings: Type.Optional(Type.Array(Finding, { description: 'Dry runs only.' })),
    }),
  ),
  passed_over: Type.Optional(
    Type.Array(Finding, {
      description: 'What did not become part of an event, and why; dry runs only.',
    }),
  ),
})

const Report = Type.Object({
  ...REPORT_VERDICT_MEMBERS,
  received_at: Type.String({ format: 'date-time' }),
  media_type: Type.String(),
  raw_removed: Type.Optional(
    Type.Boolean({ description: 'Its bytes are not kept any more; left out while they are.' }),
  ),
  byte_length: Type.Integer(),
  sha256: Type.String(),
  format: Type.Optional(Type.String({ description: 'How it was read, such as xarf_v4.' })),
  reporter_report_id: Type.Optional(Type.String()),
  event_count: Type.Integer(),
  via: ReportDoor,
})
export const ReportList = pageOf(Report)

const MailCheck = Type.Object({
  result: Type.String({ description: 'A word of RFC 8601, or skipped.' }),
  domain: Type.Optional(Type.String()),
})

export const ReportDetail = Type.Object({
  ...Report.properties,
  problems: Type.Optional(Problems),
  message_id: Type.Optional(Type.String()),
  envelope: Type.Optional(
    Type.Object(
      {
        from: Type.Optional(Type.String({ description: 'Empty for a bounce.' })),
        to: Type.Array(Type.String()),
        remote_address: Type.Optional(Type.String()),
        helo: Type.Optional(Type.String()),
      },
      { description: 'What the transport of a mail said.' },
    ),
  ),
  authentication: Type.Optional(
    Type.Object(
      {
        spf: MailCheck,
        dkim: MailCheck,
        dmarc: Type.Object({ ...MailCheck.properties, policy: Type.Optional(Type.String()) }),
        arc: MailCheck,
      },
      { description: 'What the transport of a mail proved of its sender, on the day it came.' },
    ),
  ),
})
