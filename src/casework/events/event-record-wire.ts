// One event in full (interface 2.7).

import { Type } from 'typebox'

/**
 * What whoever brings an event may say of it; `event_date` and `event_type` are required of them.
 */
export const EVENT_CONTENT_MEMBERS = {
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

/** Of an event that arrived again. */
export const SEEN_MEMBERS = {
  seen_count: Type.Optional(
    Type.Integer({ description: 'How often exactly this event has arrived.' }),
  ),
  last_seen: Type.Optional(Type.String({ format: 'date-time', description: 'When it last did.' })),
}

export const EventRecord = Type.Object({ ...EVENT_RECORD_MEMBERS, ...SEEN_MEMBERS })

/** The record of the interface has no such members, so they are asked for. */
export const EventRecordQuery = Type.Object({
  repeats: Type.Optional(Type.Boolean({ description: 'True: with `seen_count` and `last_seen`.' })),
})
