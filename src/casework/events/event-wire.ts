// Events on the wire: the record (interface 2.7), the row of the list (2.6), and pushed events
// (design section 9), with their presenters. Members without a value are left out, never null.

import { type Static, Type } from 'typebox'
import { omitNulls } from '../../values/omit-nulls.ts'
import { named } from '../../vocabulary/named-schema.ts'
import { pageOf } from '../../vocabulary/page-wire.ts'
import type { EventOwnerRow, EventRecordRow, EventSummaryRow } from './event-list-store.ts'
import type { EventOutcome, Repeats } from './incoming-event.ts'

/** The members that a sender may set; `event_date` and `event_type` are required. */
const EVENT_CONTENT_MEMBERS = {
  event_date: Type.String({ format: 'date-time', description: 'Time of the event.' }),
  event_type: Type.String({ description: 'Type of event, such as LoginAttack.' }),
  contract_id: Type.Optional(Type.String()),
  customer_id: Type.Optional(Type.String()),
  domain: Type.Optional(Type.String({ description: 'Domain associated with the event.' })),
  event_details: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'Additional details; `url` is the reported URL, `urls` are further ones.',
      },
    ),
  ),
  event_subtypes: Type.Optional(Type.Array(Type.String())),
  ip: Type.Optional(Type.String({ description: 'IP address associated with the event.' })),
  recipient_email: Type.Optional(Type.String({ format: 'email' })),
  tags: Type.Optional(Type.Array(Type.String())),
  tenant_id: Type.Optional(Type.String()),
  xarf_class: Type.Optional(Type.String({ description: 'Category of XARF version 4.' })),
}

export const EVENT_RECORD_MEMBERS = {
  create_date: Type.String({ format: 'date-time', description: 'When the event was created.' }),
  event_id: Type.String({ format: 'uuid', description: 'Unique event identifier.' }),
  sender_email: Type.String({ format: 'email', description: 'E-mail of the report sender.' }),
  case_id: Type.Optional(Type.String({ description: 'Associated case.' })),
  resolved: Type.Optional(Type.Boolean({ description: 'Whether the event has been resolved.' })),
  ...EVENT_CONTENT_MEMBERS,
}

/** Members of an event that arrived again. */
export const SEEN_MEMBERS = {
  seen_count: Type.Optional(
    Type.Integer({ description: 'How often exactly this event has arrived.' }),
  ),
  last_seen: Type.Optional(
    Type.String({ format: 'date-time', description: 'When it last arrived.' }),
  ),
}

const PlainEventRecord = named(
  'ReadEvent',
  Type.Object({ ...EVENT_RECORD_MEMBERS, ...SEEN_MEMBERS }),
)

export const EventRecord = named(
  'Event',
  Type.Object({
    ...PlainEventRecord.properties,
    report_id: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'The report that brought it first; only with `expand=report`.',
      }),
    ),
  }),
)

/** The record of the interface has no such members, so a reader asks for them. */
export const EventRecordQuery = Type.Object({
  repeats: Type.Optional(Type.Boolean({ description: 'True: with `seen_count` and `last_seen`.' })),
  expand: Type.Optional(
    Type.Literal('report', {
      description: 'With `report_id`, if the event was read out of a report.',
    }),
  ),
})

/** `repeats`: null unless the reader asks how often the event arrived. */
export function presentEvent(
  row: EventRecordRow,
  repeats: Repeats | null = null,
): Static<typeof PlainEventRecord> {
  return omitNulls<Static<typeof PlainEventRecord>>({
    create_date: row.create_date.toISOString(),
    event_date: row.event_date.toISOString(),
    event_id: row.event_id,
    event_type: row.event_type,
    sender_email: row.sender_email,
    case_id: row.case_id,
    contract_id: row.contract_id,
    customer_id: row.customer_id,
    domain: row.domain,
    event_details: row.details,
    ip: row.ip,
    recipient_email: row.recipient_email,
    xarf_class: row.xarf_class,
    event_subtypes: row.event_subtypes,
    resolved: row.resolved,
    tags: row.tags,
    tenant_id: row.tenant_id,
    seen_count: repeats?.seenCount ?? null,
    last_seen: repeats?.lastSeen.toISOString() ?? null,
  })
}

/** The single record, with the addition that its reader asked for. */
export function presentEventRecord(
  row: EventRecordRow,
  repeats: Repeats | null,
  expand: Static<typeof EventRecordQuery>['expand'],
): Static<typeof EventRecord> {
  const record = presentEvent(row, repeats)
  return expand === undefined || row.report_id === null
    ? record
    : { ...record, report_id: row.report_id }
}

/** An event in a list (interface 2.6). */
const EventSummary = named(
  'EventSummary',
  Type.Object({
    event_date: Type.String({ format: 'date-time' }),
    event_id: Type.String({ format: 'uuid' }),
    event_type: Type.String(),
    sender_email: Type.String({ format: 'email' }),
    domain: Type.Optional(Type.String()),
    ip: Type.Optional(Type.String()),
    case_id: Type.Optional(Type.String({ description: 'Only with `expand=case`.' })),
    customer_id: Type.Optional(Type.String({ description: 'Only with `expand=case`.' })),
  }),
)
export const EventSummaryList = pageOf(EventSummary)

/** `owner`: null unless the reader asks for the case and the customer. */
export function presentEventSummary(
  row: EventSummaryRow,
  owner: EventOwnerRow | null,
): Static<typeof EventSummary> {
  return omitNulls<Static<typeof EventSummary>>({
    event_date: row.event_date.toISOString(),
    event_id: row.event_id,
    event_type: row.event_type,
    sender_email: row.sender_email,
    domain: row.domain,
    ip: row.ip,
    case_id: owner?.case_id ?? null,
    customer_id: owner?.customer_id ?? null,
  })
}

export const NEW_EVENTS_MAX = 1_000

/** Our event record without the fields that the service gives. */
export const NewEvent = named(
  'NewEvent',
  Type.Object(
    {
      ...EVENT_CONTENT_MEMBERS,
      sender_email: Type.Optional(
        Type.String({
          format: 'email',
          description: 'The address of your token stands in when it is left out.',
        }),
      ),
      report_id: Type.Optional(
        Type.String({
          description:
            'Your id of the report; an event of the same id and content is the same event.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
)

export const NewEvents = Type.Union([
  NewEvent,
  Type.Array(NewEvent, { minItems: 1, maxItems: NEW_EVENTS_MAX }),
])

export const EventOutcomeWord = named(
  'EventOutcome',
  Type.Union([
    Type.Literal('created'),
    Type.Literal('duplicate'),
    Type.Literal('unassigned'),
    Type.Literal('held'),
    Type.Literal('muted'),
  ]),
)

/** Answer to one event. */
export const PushedEvent = named(
  'PushedEvent',
  Type.Object({
    event_id: Type.String({ format: 'uuid' }),
    case_id: Type.Optional(Type.String()),
    outcome: EventOutcomeWord,
    ...SEEN_MEMBERS,
  }),
)

export function presentPushedEvent(outcome: EventOutcome): Static<typeof PushedEvent> {
  const { eventId, caseId, kind, repeats } = outcome
  const pushed = {
    event_id: eventId,
    ...(caseId === null ? {} : { case_id: caseId }),
    outcome: kind,
  }
  if (repeats === undefined) return pushed
  return { ...pushed, seen_count: repeats.seenCount, last_seen: repeats.lastSeen.toISOString() }
}

const PushedEntry = named(
  'PushedEventEntry',
  Type.Object({
    index: Type.Integer(),
    outcome: Type.Union([...EventOutcomeWord.anyOf, Type.Literal('invalid')]),
    event_id: Type.Optional(Type.String({ format: 'uuid' })),
    case_id: Type.Optional(Type.String()),
    ...SEEN_MEMBERS,
    error: Type.Optional(Type.String({ description: 'What to correct.' })),
  }),
)

/** Answer to an array or NDJSON, one entry for each event in its order. */
export const PushedEvents = named('PushedEvents', Type.Object({ items: Type.Array(PushedEntry) }))

/** The outcome of a pushed event; `invalid`: it is not stored, and why. */
export type PushedOutcome = EventOutcome | { readonly kind: 'invalid'; readonly error: string }

export function presentPushedEntry(
  outcome: PushedOutcome,
  index: number,
): Static<typeof PushedEntry> {
  if (outcome.kind === 'invalid') return { index, outcome: outcome.kind, error: outcome.error }
  return { index, ...presentPushedEvent(outcome) }
}
