// Mitigations on the wire.

import { type Static, Type } from 'typebox'
import { omitNulls } from '../../values/omit-nulls.ts'
import { named } from '../../vocabulary/named-schema.ts'
import { pageOf } from '../../vocabulary/page-wire.ts'
import { AdapterName, MitigationKindMember } from './adapter-wire.ts'
import type { AttemptRecord } from './mitigation-attempt-store.ts'
import type { MitigationRecord } from './mitigation-store.ts'

const NOTE_LENGTH_MAX = 2_000

export const MitigationStateMember = named(
  'MitigationState',
  Type.Union(
    [
      Type.Literal('pending'),
      Type.Literal('active'),
      Type.Literal('failed'),
      Type.Literal('removing'),
      Type.Literal('removed'),
    ],
    {
      description:
        'pending: not in force yet. active: in force. failed: refused, or all attempts failed. removing: in force until it is undone. removed: no longer in force.',
    },
  ),
)

export const TargetTypeMember = named(
  'MitigationTargetType',
  Type.Union(
    [
      Type.Literal('ip'),
      Type.Literal('domain'),
      Type.Literal('url'),
      Type.Literal('customer'),
      Type.Literal('contract'),
      Type.Literal('other'),
    ],
    {
      description:
        'suspend: customer, contract, domain or ip. null_route and block_port: ip. dns_hold: domain. takedown: url or domain. custom: any of them, or other.',
    },
  ),
)

const Target = Type.String({ minLength: 1, description: 'At most 2,000 characters.' })

const Duration = Type.Union([Type.Integer(), Type.String()], {
  description:
    'How long it is in force, from the moment in which it begins: seconds, or an ISO 8601 duration such as P7D.',
})

const Parameters = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: 50,
  description: 'Sent to the adapter as they are.',
})

export const NewMitigationBody = named(
  'NewMitigation',
  Type.Object(
    {
      kind: MitigationKindMember,
      target_type: TargetTypeMember,
      target: Target,
      port: Type.Optional(Type.Integer({ description: 'Of block_port only.' })),
      adapter: AdapterName,
      expires_in: Type.Optional(Duration),
      expires_at: Type.Optional(Type.String({ format: 'date-time' })),
      parameters: Type.Optional(Parameters),
      note: Type.Optional(Type.String({ maxLength: NOTE_LENGTH_MAX, description: 'For people.' })),
      allow_other: Type.Optional(
        Type.Boolean({
          description:
            'True: the target need not be that of an event of the case, or its customer or contract.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
)

export const MitigationResultBody = named(
  'MitigationResult',
  Type.Object(
    {
      result: Type.Union([Type.Literal('done'), Type.Literal('refused')], {
        description: 'What became of what was asked for: its execution, or its removal.',
      }),
      detail: Type.Optional(Type.String({ maxLength: 500, description: 'For people.' })),
      reference: Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'The id of the other side; sent at the removal.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
)

const MEMBERS = {
  id: Type.String({ format: 'uuid' }),
  case_id: Type.String(),
  customer_id: Type.String({ description: 'Of the case, when it was asked for.' }),
  run_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'Of the playbook that asked for it.' }),
  ),
  kind: MitigationKindMember,
  target_type: TargetTypeMember,
  target: Type.String({ description: 'In canonical form.' }),
  port: Type.Optional(Type.Integer()),
  adapter: Type.String(),
  parameters: Parameters,
  note: Type.String(),
  key: Type.String({
    description: 'The adapter gets it as Idempotency-Key, with `:undo` at the removal.',
  }),
  state: MitigationStateMember,
  reason: Type.Optional(
    Type.String({
      description:
        'failed, and removing that does not get on: refused, all_attempts_failed, no_result. removed: never_executed, or held_by_other, when another mitigation of the adapter holds the target.',
    }),
  ),
  is_stuck: Type.Boolean({
    description: 'True: its removal does not get on by itself, and it may be in force.',
  }),
  detail: Type.Optional(
    Type.String({ description: 'In the words of the adapter or of a person; foreign text.' }),
  ),
  reference: Type.Optional(Type.String({ description: 'The id of the other side.' })),
  removal_cause: Type.Optional(
    Type.Union([
      Type.Literal('expired'),
      Type.Literal('request'),
      Type.Literal('playbook'),
      Type.Literal('timeout'),
    ]),
  ),
  effective_from: Type.Optional(Type.String({ format: 'date-time' })),
  expires_at: Type.Optional(Type.String({ format: 'date-time' })),
  removed_at: Type.Optional(Type.String({ format: 'date-time' })),
  attempts: Type.Integer({ description: 'Requests to the adapter, in all.' }),
  next_at: Type.Optional(
    Type.String({ format: 'date-time', description: 'When the next request is due.' }),
  ),
  created_at: Type.String({ format: 'date-time' }),
  created_by: Type.String({ description: 'Id of the token, or `<run id>:<node id>`.' }),
  changed_at: Type.String({ format: 'date-time' }),
}

const Mitigation = named('Mitigation', Type.Object(MEMBERS))
export const MitigationList = pageOf(Mitigation)

export function presentMitigation(one: MitigationRecord): Static<typeof Mitigation> {
  return omitNulls<Static<typeof Mitigation>>({
    id: one.id,
    case_id: one.caseId,
    customer_id: one.customerId,
    run_id: one.runId,
    kind: one.kind,
    target_type: one.targetType,
    target: one.target,
    port: one.port === 0 ? null : one.port,
    adapter: one.adapter,
    parameters: { ...one.parameters },
    note: one.note,
    key: one.effectKey,
    state: one.state,
    reason: one.reason,
    is_stuck: one.state === 'removing' && one.reason !== null,
    detail: one.detail,
    reference: one.reference,
    removal_cause: one.removalCause,
    effective_from: one.effectiveFrom?.toISOString() ?? null,
    expires_at: one.expiresAt?.toISOString() ?? null,
    removed_at: one.removedAt?.toISOString() ?? null,
    attempts: one.tries,
    next_at: one.nextAt?.toISOString() ?? null,
    created_at: one.createdAt.toISOString(),
    created_by: one.createdBy,
    changed_at: one.changedAt.toISOString(),
  })
}

const Attempt = named(
  'MitigationAttempt',
  Type.Object({
    attempt: Type.Integer(),
    action: Type.Union([Type.Literal('execute'), Type.Literal('undo')]),
    started_at: Type.String({ format: 'date-time' }),
    duration_ms: Type.Optional(Type.Integer()),
    outcome: Type.Optional(
      Type.Union(
        [
          Type.Literal('done'),
          Type.Literal('accepted'),
          Type.Literal('refused'),
          Type.Literal('postponed'),
          Type.Literal('interrupted'),
        ],
        { description: 'Absent while it is under way.' },
      ),
    ),
    status: Type.Optional(Type.Integer({ description: 'Of the answer of the adapter.' })),
    failure: Type.Optional(Type.String()),
  }),
)

export const MitigationWithAttempts = named(
  'MitigationDetail',
  Type.Object({
    ...MEMBERS,
    attempt_list: Type.Array(Attempt, {
      description: 'Requests to the adapter in their order, the last 1,000.',
    }),
  }),
)

export function presentMitigationDetail(
  one: MitigationRecord,
  attempts: readonly AttemptRecord[],
): Static<typeof MitigationWithAttempts> {
  return {
    ...presentMitigation(one),
    attempt_list: attempts.map((attempt) =>
      omitNulls<Static<typeof Attempt>>({
        attempt: attempt.attempt,
        action: attempt.action,
        started_at: attempt.startedAt.toISOString(),
        duration_ms: attempt.durationMs,
        outcome: attempt.outcome,
        status: attempt.status,
        failure: attempt.failure,
      }),
    ),
  }
}
