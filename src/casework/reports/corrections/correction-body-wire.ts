// The request that corrects a report, and its answer, on the wire.

import { type Static, Type } from 'typebox'
import { named } from '../../../vocabulary/named-schema.ts'
import { ReportDetail } from '../report-wire.ts'

/** Events that one correction may name, and events that it may add. */
export const CORRECTED_EVENTS_MAX = 1_000
const ADDED_EVENTS_MAX = 100
const URLS_MAX = 100
const REASON_LENGTH_MAX = 2_000
const URL_LENGTH_MAX = 8_192

const SUBJECT_MEMBERS = {
  ip: Type.Optional(Type.String({ description: 'IPv4 or IPv6 address.' })),
  domain: Type.Optional(Type.String({ description: 'The host of `url` when left out.' })),
  url: Type.Optional(Type.String({ maxLength: URL_LENGTH_MAX })),
}

const Subject = named(
  'CorrectedSubject',
  Type.Object(
    {
      ...SUBJECT_MEMBERS,
      urls: Type.Optional(
        Type.Array(Type.String({ maxLength: URL_LENGTH_MAX }), {
          maxItems: URLS_MAX,
          description: 'Further links.',
        }),
      ),
    },
    {
      additionalProperties: false,
      description: 'What the event is about, as a whole: what is left out is no part of it.',
    },
  ),
)

const Target = named(
  'EventTarget',
  Type.Object(SUBJECT_MEMBERS, {
    additionalProperties: false,
    description: 'What was attacked; it takes the place of event_details.target.',
  }),
)

const ChangedEvent = Type.Object(
  {
    event_id: Type.String({ format: 'uuid', description: 'An event that this report brought.' }),
    withdraw: Type.Optional(
      Type.Boolean({
        description: 'True: the report says nothing of the kind; the event is removed.',
      }),
    ),
    event_type: Type.Optional(
      Type.String({ description: 'The right type; subtypes are dropped.' }),
    ),
    subject: Type.Optional(Subject),
    target: Type.Optional(
      Type.Union([Target, Type.Null()], { description: 'Null: nothing was attacked.' }),
    ),
  },
  { additionalProperties: false },
)

const AddedEvent = Type.Object(
  {
    event_type: Type.String(),
    subject: Subject,
    target: Type.Optional(Target),
    event_date: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Of another event of the report when left out, else of the report.',
      }),
    ),
    sender_email: Type.Optional(
      Type.String({ format: 'email', description: 'The reporter of the report when left out.' }),
    ),
  },
  { additionalProperties: false },
)

export const CorrectionBody = named(
  'NewCorrection',
  Type.Object(
    {
      version: Type.Optional(
        Type.Integer({ minimum: 1, description: 'Of the report; or send If-Match.' }),
      ),
      reason: Type.Optional(
        Type.String({ minLength: 1, maxLength: REASON_LENGTH_MAX, description: 'Why; kept.' }),
      ),
      events: Type.Optional(
        Type.Array(ChangedEvent, {
          maxItems: CORRECTED_EVENTS_MAX,
          description: 'Events that were read wrongly.',
        }),
      ),
      withdraw_all: Type.Optional(
        Type.Boolean({ description: 'True: the report reports nothing; instead of `events`.' }),
      ),
      add: Type.Optional(
        Type.Array(AddedEvent, {
          maxItems: ADDED_EVENTS_MAX,
          description: 'Events that the reader missed, also of a report that became none.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
)

export type CorrectionRequest = Static<typeof CorrectionBody>

const CorrectedOutcome = Type.Object({
  event_id: Type.String({ format: 'uuid' }),
  outcome: Type.Union([Type.Literal('changed'), Type.Literal('withdrawn'), Type.Literal('added')]),
  case_id: Type.Optional(Type.String({ description: 'The case that it is in now.' })),
})

export const CorrectedReport = named(
  'CorrectedReport',
  Type.Object({
    ...ReportDetail.properties,
    events: Type.Array(CorrectedOutcome, { description: 'What became of the events.' }),
  }),
)
