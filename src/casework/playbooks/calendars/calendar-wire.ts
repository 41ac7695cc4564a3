// A calendar as the API takes and shows it.

import { type Static, Type } from 'typebox'
import { named } from '../../../vocabulary/named-schema.ts'

const HOLIDAYS_MAX = 1_000
const SPANS_MAX = 10

export const CALENDAR_NAME = '^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$'

const Span = named(
  'CalendarSpan',
  Type.Object(
    {
      from: Type.String({ description: 'Such as 09:00.' }),
      to: Type.String({ description: 'Such as 17:30; 24:00 is the end of the day.' }),
    },
    { additionalProperties: false },
  ),
)
const CALENDAR_MEMBERS = {
  time_zone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'A name of the IANA time zone database, such as Europe/Berlin.',
  }),
  hours: Type.Record(Type.String(), Type.Array(Span, { maxItems: SPANS_MAX }), {
    maxProperties: 7,
    description:
      'The hours of opening by the clock on the wall, in their order: {"monday": [{"from": "09:00", "to": "17:00"}], …}. A day that is left out is closed.',
  }),
  holidays: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: HOLIDAYS_MAX,
      description: 'Dates on which all is closed, such as 2027-01-01.',
    }),
  ),
}

export const CalendarBody = named(
  'NewCalendar',
  Type.Object(CALENDAR_MEMBERS, { additionalProperties: false }),
)

export const CalendarRecord = named(
  'Calendar',
  Type.Object({
    name: Type.String({ description: 'How playbooks refer to it.' }),
    ...CALENDAR_MEMBERS,
    updated_at: Type.String({ format: 'date-time' }),
  }),
)

export const CalendarList = named(
  'CalendarList',
  Type.Object({
    items: Type.Array(CalendarRecord),
    next_cursor: Type.Literal('', { description: 'All calendars are on one page.' }),
  }),
)

export type CalendarSettings = Static<typeof CalendarBody>
export type SpanText = Static<typeof Span>

export interface StoredCalendar {
  readonly name: string
  readonly settings: CalendarSettings
  readonly updatedAt: Date
}

export function presentCalendar({
  name,
  settings,
  updatedAt,
}: StoredCalendar): Static<typeof CalendarRecord> {
  return { name, ...settings, updated_at: updatedAt.toISOString() }
}
