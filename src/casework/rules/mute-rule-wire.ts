// Mute rules: events that match one join no case until the rule ends (docs/guides/mute-rules.md).

import { type Static, Type } from 'typebox'
import { omitNulls } from '../../values/omit-nulls.ts'
import { named, ONE_MEMBER_OF } from '../../vocabulary/named-schema.ts'
import { pageOf } from '../../vocabulary/page-wire.ts'
import { Condition } from './case-group-wire.ts'
import type { MuteRuleRow } from './mute-rule-store.ts'

const value = Type.Optional(Type.String({ minLength: 1, maxLength: 256 }))

const KeyMatch = named(
  'KeyMatch',
  Type.Object(
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
      description: 'Values of key fields. An event matches when it has all of them.',
    },
  ),
)

const MEMBERS = {
  condition: Type.Optional(Condition),
  key: Type.Optional(KeyMatch),
  reason: Type.String({ minLength: 1, maxLength: 1_000 }),
  until: Type.String({ format: 'date-time', description: 'At most a year from now.' }),
}

export const NewMuteRule = named(
  'NewMuteRule',
  Type.Object(MEMBERS, {
    additionalProperties: false,
    description: 'Either `condition` or `key`.',
    [ONE_MEMBER_OF]: ['condition', 'key'],
  }),
)
export type NewMuteRule = Static<typeof NewMuteRule>

/** A rule that is tried before it is stored. */
export const DraftMuteRule = named(
  'DraftMuteRule',
  Type.Object(
    {
      condition: MEMBERS.condition,
      key: MEMBERS.key,
      reason: Type.Optional(MEMBERS.reason),
      until: Type.Optional(MEMBERS.until),
    },
    {
      additionalProperties: false,
      description: 'Either `condition` or `key`.',
      [ONE_MEMBER_OF]: ['condition', 'key'],
    },
  ),
)
export type DraftMuteRule = Static<typeof DraftMuteRule>

export const MuteRule = named(
  'MuteRule',
  Type.Object({
    id: Type.String({ format: 'uuid' }),
    ...MEMBERS,
    in_force: Type.Boolean(),
    muted: Type.Integer({ description: 'Number of muted events that are still stored.' }),
    created_at: Type.String({ format: 'date-time' }),
    created_by: Type.String({ description: 'Id of the token.' }),
    ended_at: Type.Optional(Type.String({ format: 'date-time' })),
    ended_by: Type.Optional(
      Type.String({ description: 'Id of the token; absent when the rule ended by its `until`.' }),
    ),
  }),
)
export const MuteRuleList = pageOf(MuteRule)

/** `at` is the current time: it decides whether the rule is in force. */
export function presentMuteRule(row: MuteRuleRow, at: Date): Static<typeof MuteRule> {
  return omitNulls<Static<typeof MuteRule>>({
    id: row.id,
    reason: row.reason,
    condition: row.condition,
    key: row.key_match,
    in_force: row.ended_at === null && row.until > at,
    muted: row.muted,
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
    until: row.until.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    ended_by: row.ended_by,
  })
}
