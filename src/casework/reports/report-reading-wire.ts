// A report as a person reads it, beside what was read out of it and why, on the wire.

import { type Static, Type } from 'typebox'
import type { DecidingRule, Finding, FoundLocation, ShownReport } from '../../reader/reading.ts'
import { omitNulls } from '../../values/omit-nulls.ts'
import { named } from '../../vocabulary/named-schema.ts'
import { Finding as FindingSchema, presentFinding, RULE_MEMBERS } from './report-wire.ts'

const FindingLocation = named(
  'FindingLocation',
  Type.Object(
    {
      of: Type.Union([Type.Literal('header'), Type.Literal('text')], {
        description: 'Which list it is in.',
      }),
      at: Type.Integer({ description: 'Position in `headers` or `texts`, from 0.' }),
      line: Type.Integer({ description: 'Line of the text, from 0; 0 for a header.' }),
      start: Type.Integer({ description: 'First character, in UTF-16 units.' }),
      end: Type.Integer({ description: 'The character behind the last one.' }),
    },
    { description: 'The characters of the shown report by which a value was found.' },
  ),
)

const LocatedFinding = named(
  'LocatedFinding',
  Type.Object({ ...FindingSchema.properties, location: Type.Optional(FindingLocation) }),
)

const ReadingEvent = named(
  'ReadingEvent',
  Type.Object({
    event_id: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'The stored event; left out when there is none.',
      }),
    ),
    event_type: Type.String(),
    event_date: Type.String({ format: 'date-time' }),
    ip: Type.Optional(Type.String()),
    domain: Type.Optional(Type.String()),
    sender_email: Type.String(),
    findings: Type.Array(LocatedFinding, { description: 'Where each value comes from.' }),
  }),
)

export const ReportReading = named(
  'ReportReading',
  Type.Object({
    report_id: Type.String({ format: 'uuid' }),
    verdict: Type.Union(
      [
        Type.Literal('report'),
        Type.Literal('invalid'),
        Type.Literal('no_report'),
        Type.Literal('unreadable'),
      ],
      { description: 'What the reader of today makes of the bytes.' },
    ),
    reason: Type.Optional(Type.String({ description: 'Why no event was made of it.' })),
    format: Type.Optional(Type.String({ description: 'How it was read.' })),
    decided_by: Type.Optional(
      Type.Object(RULE_MEMBERS, { description: 'The rule by which no event was made of it.' }),
    ),
    headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
      description: 'Of the mail, decoded; empty for what is no mail.',
    }),
    texts: Type.Array(
      Type.Object({
        part: Type.String({ description: 'As findings name it.' }),
        lines: Type.Array(Type.String(), { description: 'Without their ends.' }),
        cut: Type.Boolean({ description: 'There is more of it.' }),
      }),
      { description: 'Plain text; of HTML what a person would read. Written by a stranger.' },
    ),
    attachments: Type.Array(
      Type.Object({
        path: Type.String({ description: 'Position in the mail, such as 1.2.' }),
        media_type: Type.String(),
        file_name: Type.Optional(Type.String()),
        byte_length: Type.Integer(),
      }),
      { description: 'Attached files and enclosed mails.' },
    ),
    events: Type.Array(ReadingEvent, { description: 'At most 100.' }),
    passed_over: Type.Array(LocatedFinding, {
      description: 'What did not become part of an event, and why.',
    }),
  }),
)

/** `eventIds`: in the order of the events; null for one that is not stored. */
export function presentReportReading(
  reportId: string,
  shown: ShownReport,
  eventIds: readonly (string | null)[],
): Static<typeof ReportReading> {
  const { result, headers, texts, files, locations, passedOverLocations } = shown
  return omitNulls<Static<typeof ReportReading>>({
    report_id: reportId,
    verdict: result.kind,
    reason: readReason(shown),
    format: 'format' in result ? result.format : null,
    decided_by: 'decidedBy' in result ? presentDecider(result.decidedBy) : null,
    headers: [...headers],
    texts: texts.map(({ part, lines, isCut }) => ({ part, lines: [...lines], cut: isCut })),
    attachments: files.map(({ path, mediaType, fileName, byteLength }) => ({
      path,
      media_type: mediaType,
      ...(fileName === null ? {} : { file_name: fileName }),
      byte_length: byteLength,
    })),
    events:
      result.kind === 'report'
        ? result.events.map(({ event, findings }, index) =>
            omitNulls<Static<typeof ReadingEvent>>({
              event_id: eventIds[index] ?? null,
              event_type: event.eventType,
              event_date: event.eventDate,
              ip: event.ip,
              domain: event.domain,
              sender_email: event.senderEmail,
              findings: locateFindings(findings, locations[index] ?? []),
            }),
          )
        : [],
    passed_over:
      'passedOver' in result ? locateFindings(result.passedOver, passedOverLocations) : [],
  })
}

function readReason({ result }: ShownReport): string | null {
  switch (result.kind) {
    case 'report':
      return null
    case 'invalid':
      return result.problems.map(({ path, reason }) => `${path} ${reason}`).join('; ')
    case 'no_report':
    case 'unreadable':
      return result.reason
  }
}

function presentDecider(rule: DecidingRule | undefined) {
  if (rule === undefined) return null
  return rule.words === '' ? { rule: rule.rule } : { rule: rule.rule, words: rule.words }
}

function locateFindings(
  findings: readonly Finding[],
  locations: readonly (FoundLocation | null)[],
) {
  return findings.map((finding, index) => {
    const location = locations[index] ?? null
    return { ...presentFinding(finding), ...(location === null ? {} : { location }) }
  })
}
