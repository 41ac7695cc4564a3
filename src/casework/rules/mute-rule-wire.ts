// Mute rules: what nobody wants to hear of until then (docs/guides/mute-rules.md).

import { Type } from 'typebox'
import { pageOf } from '../../vocabulary/page-wire.ts'
import { Condition } from './case-group-wire.ts'

const value = Type.Optional(Type.String({ minLength: 1, maxLength: 256 }))

const KeyMatch = Type.Object(
  {
    customer_id: value,
    contract_id: value,
    resource: value,
    ip: value,
    ip_prefix: value,
    domain: value,
    registrable_domain: value,
    event_type: value,
    subtype: value,
    xarf_class: value,
    url_host: value,
    sender_email: value,
  },
  {
    additionalProperties: false,
    minProperties: 1,
    description: 'Values that the key fields of an event must have, all of them.',
  },
)

const MEMBERS = {
  condition: Type.Optional(Condition),
  key: Type.Optional(KeyMatch),
  reason: Type.String({ minLength: 1, maxLength: 1_000 }),
  until: Type.String({ format: 'date-time', description: 'At most a year from now.' }),
}

export const NewMuteRule = Type.Object(MEMBERS, {
  additionalProperties: false,
  description: 'Either `condition` or `key`.',
})

export const MuteRule = Type.Object({
  id: Type.String({ format: 'uuid' }),
  ...MEMBERS,
  in_force: Type.Boolean(),
  muted: Type.Integer({ description: 'Events that it muted and that are still kept.' }),
  created_at: Type.String({ format: 'date-time' }),
  created_by: Type.String({ description: 'Id of the token.' }),
  ended_at: Type.Optional(Type.String({ format: 'date-time' })),
  ended_by: Type.Optional(
    Type.String({ description: 'Id of the token; absent when its time ran out.' }),
  ),
})
export const MuteRuleList = pageOf(MuteRule)
