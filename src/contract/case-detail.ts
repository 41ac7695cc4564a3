// One case in full, what can be changed of it, its comments and its history (design section 9 and 10).

import { Type } from 'typebox'
import { CASE_SUMMARY_MEMBERS, CaseState } from './case.ts'
import { pageOf } from './page.ts'
import { WaitingTriggerList } from './trigger.ts'

const Severity = Type.Union([
  Type.Literal('low'),
  Type.Literal('medium'),
  Type.Literal('high'),
  Type.Literal('critical'),
])
const Resolution = Type.Union([
  Type.Literal('handled'),
  Type.Literal('fixed'),
  Type.Literal('mitigated'),
  Type.Literal('suspended'),
  Type.Literal('notified'),
  Type.Literal('quiet'),
])
/** What a caller may give; a case that was merged shows `merged`. */
const CloseReason = Type.Union([
  Type.Literal('not_ours'),
  Type.Literal('insufficient_evidence'),
  Type.Literal('false_positive'),
  Type.Literal('duplicate'),
  Type.Literal('ignored_by_policy'),
  Type.Literal('no_customer'),
  Type.Literal('expired'),
])

const Metadata = Type.Object({}, { additionalProperties: true })

export const CaseDetail = Type.Object({
  ...CASE_SUMMARY_MEMBERS,
  version: Type.Integer({ description: 'Raised by every decided change; send it with PATCH.' }),
  case_group: Type.String(),
  event_count: Type.Integer(),
  event_types: Type.Array(Type.String()),
  event_ips: Type.Array(Type.String(), { description: 'The first hundred.' }),
  event_reporters: Type.Array(Type.String(), { description: 'The first hundred.' }),
  event_tags: Type.Array(Type.String(), { description: 'The first hundred.' }),
  updated_at: Type.String({ format: 'date-time' }),
  reopen_count: Type.Integer(),
  resolution: Type.Optional(Resolution),
  close_reason: Type.Optional(Type.Union([...CloseReason.anyOf, Type.Literal('merged')])),
  resolved_at: Type.Optional(Type.String({ format: 'date-time' })),
  ended_at: Type.Optional(Type.String({ format: 'date-time' })),
  linked_case_id: Type.Optional(
    Type.String({ description: 'The ended case for the same customer that this one follows.' }),
  ),
  severity: Type.Optional(Severity),
  assignee_user_id: Type.Optional(Type.String()),
  metadata: Metadata,
  playbook_id: Type.Optional(Type.String()),
  playbook_version: Type.Optional(Type.Integer()),
  playbook_step: Type.Optional(
    Type.String({ description: 'The node at which the playbook stands.' }),
  ),
  /** The nodes at which the playbook waits to be triggered. */
  waiting: WaitingTriggerList.properties.items,
})

export const CasePatch = Type.Object(
  {
    version: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The version you decided on, or send If-Match.' }),
    ),
    state: Type.Optional(CaseState),
    resolution: Type.Optional(Resolution),
    close_reason: Type.Optional(CloseReason),
    reason: Type.Optional(
      Type.String({ maxLength: 2_000, description: 'Why, in words; kept in the history.' }),
    ),
    severity: Type.Optional(Type.Union([...Severity.anyOf, Type.Null()])),
    assignee_user_id: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 256 }), Type.Null()]),
    ),
    metadata: Type.Optional(Metadata),
  },
  { additionalProperties: false },
)

export const CommentBody = Type.Object(
  { text: Type.String({ minLength: 1, maxLength: 20_000 }) },
  { additionalProperties: false },
)
export const Comment = Type.Object({
  id: Type.String({ format: 'uuid' }),
  text: Type.String(),
  author: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
})
export const CommentList = pageOf(Comment)

const HistoryEntry = Type.Object({
  id: Type.String({ format: 'uuid' }),
  at: Type.String({ format: 'date-time' }),
  kind: Type.String({
    description: 'open, move, change, comment, late_event, trigger, run_failed or run_ended.',
  }),
  actor_kind: Type.Union([Type.Literal('token'), Type.Literal('run'), Type.Literal('system')]),
  actor: Type.String({ description: 'Id of the token, or `<run id>:<node id>`.' }),
  from_state: Type.Optional(CaseState),
  to_state: Type.Optional(CaseState),
  reason: Type.Optional(Type.String()),
  cause_id: Type.Optional(Type.String()),
  changes: Type.Optional(Metadata),
})
export const HistoryList = pageOf(HistoryEntry)
