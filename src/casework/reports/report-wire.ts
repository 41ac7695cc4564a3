// Raw reports on the wire, and the events that were read out of them (design sections 5.1 and 10),
// with their presenters.

import { type Static, Type } from 'typebox'
import type { DecidingRule, Finding as FoundValue } from '../../reader/reading.ts'
import { omitNulls } from '../../values/omit-nulls.ts'
import { named } from '../../vocabulary/named-schema.ts'
import { pageOf } from '../../vocabulary/page-wire.ts'
import {
  EVENT_RECORD_MEMBERS,
  EventOutcomeWord,
  presentEvent,
  SEEN_MEMBERS,
} from '../events/event-wire.ts'
import type { StoredCorrection } from './corrections/correction-store.ts'
import { Correction, presentCorrection } from './corrections/correction-wire.ts'
import type { ProcessedReport } from './process-report.ts'
import type { FirstEvent, ReportRecord } from './report-store.ts'
import type { Envelope } from './report-tables.ts'

export const REPORT_BYTES_MAX = 25 * 1024 * 1024

export const ReportState = named(
  'ReportState',
  Type.Union([Type.Literal('accepted'), Type.Literal('rejected'), Type.Literal('quarantined')], {
    description:
      'accepted: its events are stored. rejected: its format is known, but the report breaks its rules. quarantined: it could not be read. All are kept.',
  }),
)

const REPORT_VERDICT_MEMBERS = {
  report_id: Type.String({ format: 'uuid' }),
  state: ReportState,
  rejected: Type.Boolean({ description: 'True when no event of it was stored.' }),
  reason: Type.Optional(Type.String()),
}

export const ReportChannel = named(
  'ReportChannel',
  Type.Union(
    [
      Type.Literal('api'),
      Type.Literal('smtp'),
      Type.Literal('lmtp'),
      Type.Literal('imap'),
      Type.Literal('import'),
    ],
    { description: 'How it came.' },
  ),
)

export const RULE_MEMBERS = {
  rule: Type.Optional(
    Type.String({
      description: 'The name of the rule that decided, as the reference of reading rules lists it.',
    }),
  ),
  words: Type.Optional(
    Type.String({
      description:
        'The words of the report by which the rule decided; untrusted text of a stranger, perhaps in lower case.',
    }),
  ),
}

export const Finding = named(
  'ReportFinding',
  Type.Object(
    {
      field: Type.String({ description: 'The member of the event, as a JSON pointer.' }),
      value: Type.String(),
      part: Type.String({ description: 'The part of the report that holds it.' }),
      line: Type.Optional(Type.Integer({ description: 'Line or row of that part, from 1.' })),
      excerpt: Type.String({ description: 'The text at that place.' }),
      role: Type.Optional(Type.String({ description: 'What the value is in the report.' })),
      rank: Type.Optional(Type.Integer({ description: '1 is the best candidate.' })),
      reason: Type.String({ description: 'Why it was chosen, or why it was rejected.' }),
      ...RULE_MEMBERS,
    },
    { description: 'Where in the report a value was found.' },
  ),
)

const Problem = Type.Object({ path: Type.String(), reason: Type.String() })
const Problems = Type.Array(Problem, {
  description:
    'Every rule of its format that the report breaks, with the JSON pointer of the place.',
})

const ReportedEvent = named(
  'ReportedEvent',
  Type.Object({
    ...EVENT_RECORD_MEMBERS,
    outcome: EventOutcomeWord,
    ...SEEN_MEMBERS,
    findings: Type.Optional(Type.Array(Finding, { description: 'Dry runs only.' })),
  }),
)

export const ReportAnswer = named(
  'ReadReport',
  Type.Object({
    ...REPORT_VERDICT_MEMBERS,
    problems: Type.Optional(Problems),
    format: Type.Optional(Type.String({ description: 'How it was read; dry runs only.' })),
    decided_by: Type.Optional(
      Type.Object(RULE_MEMBERS, {
        description: 'The rule by which no event was made of it; dry runs only.',
      }),
    ),
    events: Type.Array(ReportedEvent),
    passed_over: Type.Optional(
      Type.Array(Finding, {
        description: 'What did not become part of an event, and why; dry runs only.',
      }),
    ),
  }),
)

export function presentReportAnswer(report: ProcessedReport): Static<typeof ReportAnswer> {
  return omitNulls<Static<typeof ReportAnswer>>({
    report_id: report.reportId,
    state: report.state,
    // No event of it is stored: its sender has to correct the report, or we have to correct the
    // reader.
    rejected: report.state !== 'accepted',
    reason: report.reason,
    problems: orNull(report.problems),
    events: report.events.map(({ record, outcome, repeats }) => ({
      ...presentEvent(record, repeats),
      outcome,
    })),
    format: null,
    decided_by: null,
    passed_over: null,
  })
}

/** With where each value was found. */
export function presentDryRun(report: ProcessedReport): Static<typeof ReportAnswer> {
  return {
    ...presentReportAnswer(report),
    ...(report.format === null ? {} : { format: report.format }),
    ...(report.decidedBy === null ? {} : { decided_by: presentRule(report.decidedBy) }),
    events: report.events.map(({ record, outcome, findings }) => ({
      ...presentEvent(record),
      outcome,
      findings: findings.map(presentFinding),
    })),
    passed_over: report.passedOver.map(presentFinding),
  }
}

function presentRule({ rule, words }: DecidingRule) {
  return words === '' ? { rule } : { rule, words }
}

export function presentFinding(finding: FoundValue): Static<typeof Finding> {
  const { rule = null, words = null } = finding
  return omitNulls<Static<typeof Finding>>({ ...finding, rule, words })
}

function orNull<Item>(list: readonly Item[]): readonly Item[] | null {
  return list.length === 0 ? null : list
}

const Report = named(
  'Report',
  Type.Object({
    ...REPORT_VERDICT_MEMBERS,
    received_at: Type.String({ format: 'date-time' }),
    media_type: Type.String(),
    raw_removed: Type.Optional(
      Type.Boolean({ description: 'Its bytes have been removed; left out while they are kept.' }),
    ),
    byte_length: Type.Integer(),
    sha256: Type.String(),
    format: Type.Optional(Type.String({ description: 'How it was read, such as xarf_v4.' })),
    reporter_report_id: Type.Optional(Type.String()),
    event_count: Type.Integer(),
    reporter: Type.Optional(
      Type.String({
        description:
          'E-mail address of who reports: of its first event, else of the envelope, else of who handed it in.',
      }),
    ),
    first_event: Type.Optional(
      Type.Object(
        {
          event_type: Type.String(),
          ip: Type.Optional(Type.String()),
          domain: Type.Optional(Type.String()),
        },
        { description: 'What it reports first; only with `expand=first_event` of the list.' },
      ),
    ),
    unread: Type.Optional(
      Type.Boolean({ description: 'True until it was read for the first time.' }),
    ),
    version: Type.Integer({ description: '1 as it was read; one more with each correction.' }),
    via: ReportChannel,
  }),
)
export const ReportList = pageOf(Report)

/** `first`: null unless the reader asks for it, or when it has none. */
export function presentReport(
  report: ReportRecord,
  first: FirstEvent | null = null,
): Static<typeof Report> {
  return omitNulls<Static<typeof Report>>({
    report_id: report.id,
    state: report.state,
    rejected: report.state !== 'accepted',
    reason: report.reason,
    received_at: report.receivedAt.toISOString(),
    media_type: report.mediaType,
    raw_removed: report.isRawRemoved ? true : null,
    byte_length: report.byteLength,
    sha256: report.sha256,
    format: report.format,
    reporter_report_id: report.reporterReportId,
    event_count: report.eventCount,
    reporter: first?.senderEmail ?? report.sender,
    first_event: first === null ? null : presentFirstEvent(first),
    unread: report.isUnread ? true : null,
    version: report.version,
    via: report.via,
  })
}

function presentFirstEvent({ eventType, ip, domain }: FirstEvent) {
  return {
    event_type: eventType,
    ...(ip === null ? {} : { ip }),
    ...(domain === null ? {} : { domain }),
  }
}

const MailCheck = named(
  'MailCheck',
  Type.Object({
    result: Type.String({ description: 'A word of RFC 8601, or skipped.' }),
    domain: Type.Optional(Type.String()),
  }),
)

const MailEnvelope = named(
  'MailEnvelope',
  Type.Object(
    {
      from: Type.Optional(Type.String({ description: 'Empty for a bounce.' })),
      to: Type.Array(Type.String()),
      remote_address: Type.Optional(Type.String()),
      helo: Type.Optional(Type.String()),
    },
    { description: 'The envelope of a mail.' },
  ),
)

export const ReportDetail = named(
  'ReportDetail',
  Type.Object({
    ...Report.properties,
    problems: Type.Optional(Problems),
    message_id: Type.Optional(Type.String()),
    corrections: Type.Optional(
      Type.Array(Correction, { description: 'What people corrected, in their order.' }),
    ),
    envelope: Type.Optional(MailEnvelope),
    authentication: Type.Optional(
      named(
        'MailAuthentication',
        Type.Object(
          {
            spf: MailCheck,
            dkim: MailCheck,
            dmarc: Type.Object({ ...MailCheck.properties, policy: Type.Optional(Type.String()) }),
            arc: MailCheck,
          },
          { description: 'SPF, DKIM, DMARC and ARC of a mail, on the day it came.' },
        ),
      ),
    ),
  }),
)

export function presentReportDetail(
  report: ReportRecord,
  corrections: readonly StoredCorrection[],
): Static<typeof ReportDetail> {
  const isMail = report.via !== 'api' && report.via !== 'import'
  return {
    ...presentReport(report),
    ...(report.problems.length === 0 ? {} : { problems: [...report.problems] }),
    ...(report.messageId === null ? {} : { message_id: report.messageId }),
    ...(corrections.length === 0 ? {} : { corrections: corrections.map(presentCorrection) }),
    ...(isMail ? { envelope: presentEnvelope(report.envelope) } : {}),
    ...(report.authentication === null ? {} : { authentication: report.authentication }),
  }
}

function presentEnvelope({ from, to, remoteAddress, helo }: Envelope): Static<typeof MailEnvelope> {
  return omitNulls<Static<typeof MailEnvelope>>({ from, to, remote_address: remoteAddress, helo })
}
