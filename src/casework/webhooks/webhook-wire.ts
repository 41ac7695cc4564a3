// Webhooks and their deliveries on the wire.

import { type Static, Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'
import { pageOf } from '../../vocabulary/page-wire.ts'
import type { AttemptRecord, DeliveryDetail, DeliveryRecord } from './delivery-store.ts'
import type { WebhookRecord } from './webhook-store.ts'

const MESSAGE_TYPES = {
  'case.opened': 'A case was opened.',
  'case.moved': 'The state of a case changed.',
  'case.changed': 'Another member of a case changed, or it was merged, split or reassigned.',
  'case.commented': 'A case got a comment.',
  'case.mitigated': 'A mitigation of a case was asked for, or its state changed.',
  'case.run_ended': 'A playbook run of a case failed, or ended before the end of its graph.',
  'run.started': 'A run of a playbook began on a case.',
  'run.waiting': 'A run came to wait at a node.',
  'run.ended': 'A run came to its end.',
  'run.failed': 'A run failed and needs a person.',
  'run.cancelled': 'A run was cancelled.',
  'run.paused': 'A run was paused.',
  'run.resumed': 'A run that was paused or had failed goes on.',
  'run.migrated': 'A run was put on another version of its playbook.',
  'event.stored': 'An event was stored.',
  'report.accepted': 'A report was read as events.',
  'report.rejected': 'A report was rejected.',
  'report.quarantined': 'A report waits for a person.',
  'webhook.test': 'Sent when somebody asks for a test.',
} as const

export type MessageType = keyof typeof MESSAGE_TYPES

/** Those that a webhook may ask for; a test is sent whatever it asks for. */
const TYPES_OF_WEBHOOKS = [
  'case.opened',
  'case.moved',
  'case.changed',
  'case.commented',
  'case.mitigated',
  'case.run_ended',
  'run.started',
  'run.waiting',
  'run.ended',
  'run.failed',
  'run.cancelled',
  'run.paused',
  'run.resumed',
  'run.migrated',
  'event.stored',
  'report.accepted',
  'report.rejected',
  'report.quarantined',
] as const satisfies readonly MessageType[]

const URL_LENGTH_MAX = 2_048
const FILTER_VALUES_MAX = 100

const Types = Type.Array(Type.String({ enum: [...TYPES_OF_WEBHOOKS] }), {
  minItems: 1,
  uniqueItems: true,
  description: `The types of messages: ${TYPES_OF_WEBHOOKS.map((type) => `\`${type}\` ${MESSAGE_TYPES[type]}`).join(' ')}`,
})

const filterBy = (what: string) =>
  Type.Union(
    [
      Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
        minItems: 1,
        maxItems: FILTER_VALUES_MAX,
        uniqueItems: true,
      }),
      Type.Null(),
    ],
    { description: `Only changes of these ${what}; null for all. A report has none of them.` },
  )

const SETTINGS = {
  url: Type.String({
    maxLength: URL_LENGTH_MAX,
    description: 'Where messages are sent by POST. No redirect is followed.',
  }),
  types: Types,
  description: Type.String({ maxLength: 500, description: 'For people.' }),
  case_groups: filterBy('case groups'),
  customers: filterBy('customers'),
  event_types: filterBy('event types'),
  enabled: Type.Boolean({ description: 'False: changes are not told, and nothing is sent later.' }),
}

export const NewWebhook = named(
  'NewWebhook',
  Type.Object(
    {
      url: SETTINGS.url,
      types: SETTINGS.types,
      description: Type.Optional(SETTINGS.description),
      case_groups: Type.Optional(SETTINGS.case_groups),
      customers: Type.Optional(SETTINGS.customers),
      event_types: Type.Optional(SETTINGS.event_types),
      enabled: Type.Optional(SETTINGS.enabled),
    },
    { additionalProperties: false },
  ),
)

export const WebhookChange = named(
  'WebhookPatch',
  Type.Object(
    {
      ...NewWebhook.properties,
      url: Type.Optional(SETTINGS.url),
      types: Type.Optional(SETTINGS.types),
    },
    { additionalProperties: false, minProperties: 1 },
  ),
)

const MEMBERS = {
  id: Type.String({ format: 'uuid' }),
  ...SETTINGS,
  disabled_reason: Type.Optional(
    Type.String({ description: 'Why the service switched it off by itself.' }),
  ),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
}

export const Webhook = named('Webhook', Type.Object(MEMBERS))
export const WebhookList = pageOf(Webhook)
export const WebhookSecret = named(
  'WebhookSecret',
  Type.Object({
    ...MEMBERS,
    secret: Type.String({
      description: 'The key of the signatures, shown this once (`whsec_…`, Standard Webhooks).',
    }),
  }),
)

export function presentWebhook(webhook: WebhookRecord): Static<typeof Webhook> {
  const { disabledReason } = webhook
  return {
    id: webhook.id,
    url: webhook.url,
    types: [...webhook.types],
    description: webhook.description,
    case_groups: copy(webhook.caseGroups),
    customers: copy(webhook.customers),
    event_types: copy(webhook.eventTypes),
    enabled: webhook.isEnabled,
    ...(disabledReason === null ? {} : { disabled_reason: disabledReason }),
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
  }
}

function copy(values: readonly string[] | null): string[] | null {
  return values === null ? null : [...values]
}

export const DeliveryState = named(
  'DeliveryState',
  Type.Union([Type.Literal('waiting'), Type.Literal('delivered'), Type.Literal('dead')], {
    description:
      'waiting: for its first or next attempt. delivered: the receiver answered with 2xx. dead: given up after the last attempt.',
  }),
)

const DELIVERY_MEMBERS = {
  id: Type.String({ format: 'uuid', description: 'Sent as `webhook-id`, behind `msg_`.' }),
  type: Type.String(),
  state: DeliveryState,
  attempts: Type.Integer(),
  created_at: Type.String({ format: 'date-time' }),
  next_at: Type.Optional(
    Type.String({ format: 'date-time', description: 'When its next attempt is due.' }),
  ),
  ended_at: Type.Optional(Type.String({ format: 'date-time' })),
  last_status: Type.Optional(Type.Integer({ description: 'Of the last answer.' })),
  last_failure: Type.Optional(Type.String({ description: 'Why the last attempt failed.' })),
}

const Delivery = named('Delivery', Type.Object(DELIVERY_MEMBERS))
export const DeliveryList = pageOf(Delivery)

export function presentDelivery(delivery: DeliveryRecord): Static<typeof Delivery> {
  const { nextAt, endedAt, lastStatus, lastFailure } = delivery
  return {
    id: delivery.id,
    type: delivery.type,
    state: delivery.state,
    attempts: delivery.attempts,
    created_at: delivery.createdAt.toISOString(),
    ...(nextAt === null ? {} : { next_at: nextAt.toISOString() }),
    ...(endedAt === null ? {} : { ended_at: endedAt.toISOString() }),
    ...(lastStatus === null ? {} : { last_status: lastStatus }),
    ...(lastFailure === null ? {} : { last_failure: lastFailure }),
  }
}

const Attempt = named(
  'DeliveryAttempt',
  Type.Object({
    attempt: Type.Integer(),
    started_at: Type.String({ format: 'date-time' }),
    duration_ms: Type.Integer(),
    status: Type.Optional(Type.Integer()),
    failure: Type.Optional(Type.String()),
  }),
)

export const DeliveryRecordOfWebhook = named(
  'DeliveryDetail',
  Type.Object({
    ...DELIVERY_MEMBERS,
    body: Type.String({ description: 'Exactly what is signed and sent.' }),
    attempt_list: Type.Array(Attempt, { description: 'Attempts that have ended, in their order.' }),
  }),
)

export function presentDeliveryDetail(
  delivery: DeliveryDetail,
  attempts: readonly AttemptRecord[],
): Static<typeof DeliveryRecordOfWebhook> {
  return {
    ...presentDelivery(delivery),
    body: delivery.body,
    attempt_list: attempts.map(({ attempt, startedAt, durationMs, status, failure }) => ({
      attempt,
      started_at: startedAt.toISOString(),
      duration_ms: durationMs,
      ...(status === null ? {} : { status }),
      ...(failure === null ? {} : { failure }),
    })),
  }
}

export const ReplayBody = named(
  'DeliveryReplayRequest',
  Type.Object(
    {
      since: Type.String({
        format: 'date-time',
        description: 'Dead deliveries that were made since then are sent again.',
      }),
    },
    { additionalProperties: false },
  ),
)

export const ReplayAnswer = named('DeliveryReplay', Type.Object({ replayed: Type.Integer() }))
