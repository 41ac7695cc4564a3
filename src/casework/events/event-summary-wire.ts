// An event as the event list shows it (interface 2.6).

import { Type } from 'typebox'
import { pageOf } from '../../vocabulary/page-wire.ts'

const EventSummary = Type.Object({
  event_date: Type.String({ format: 'date-time' }),
  event_id: Type.String({ format: 'uuid' }),
  event_type: Type.String(),
  sender_email: Type.String({ format: 'email' }),
  domain: Type.Optional(Type.String()),
  ip: Type.Optional(Type.String()),
})
export const EventSummaryList = pageOf(EventSummary)
