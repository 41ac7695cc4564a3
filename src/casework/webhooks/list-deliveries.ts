// The deliveries of a webhook: GET …/deliveries, GET and POST …/replay of one, POST …/replay of the
// dead ones, and POST …/test.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import { byId, listRoute, showRows } from '../../access/list-route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { parseTimestamp } from '../../values/timestamp.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { named } from '../../vocabulary/named-schema.ts'
import { PAGE_PARAMETERS } from '../../vocabulary/page-wire.ts'
import {
  findDelivery,
  insertDeliveries,
  listAttempts,
  listDeliveries,
  replayDeliveries,
} from './delivery-store.ts'
import {
  deliveryNotFound,
  deliveryWaits,
  webhookDisabled,
  webhookNotFound,
  webhookNotValid,
} from './errors.ts'
import { WEBHOOK_ACCESS, WEBHOOK_PATH, WebhookParams } from './save-webhook.ts'
import { findWebhook, type WebhookRecord } from './webhook-store.ts'
import {
  DeliveryList,
  DeliveryRecordOfWebhook,
  DeliveryState,
  presentDelivery,
  presentDeliveryDetail,
  ReplayAnswer,
  ReplayBody,
} from './webhook-wire.ts'

export interface DeliveryRoutesDeps {
  readonly db: Db
  readonly ids: IdSource
  readonly clock: Clock
  readonly cursors: CursorSealer
}

const DeliveryParams = Type.Object({ webhookId: Type.String(), deliveryId: Type.String() })
const DELIVERY_PATH = `${WEBHOOK_PATH}/deliveries/{deliveryId}`
const NO_WEBHOOK = { description: 'There is no such webhook.' }
const NO_DELIVERY = { description: 'There is no such webhook, or it has no such delivery.' }
const DISABLED = { description: 'The webhook is disabled.' }

async function requireWebhook(db: Db, scope: TenantScope, id: string): Promise<WebhookRecord> {
  const webhook = await findWebhook(db, scope, id)
  if (webhook === null) throw webhookNotFound()
  return webhook
}

async function requireEnabled(db: Db, scope: TenantScope, id: string): Promise<WebhookRecord> {
  const webhook = await requireWebhook(db, scope, id)
  if (!webhook.isEnabled) throw webhookDisabled()
  return webhook
}

export function listDeliveriesRoute({ db, cursors }: DeliveryRoutesDeps): Route {
  return listRoute({
    cursors,
    path: `${WEBHOOK_PATH}/deliveries`,
    group: 'admin',
    access: WEBHOOK_ACCESS,
    operationId: 'listDeliveries',
    summary: 'List the deliveries of a webhook',
    description: 'The newest first. An ended delivery is kept for 30 days.',
    params: WebhookParams,
    query: Type.Object({ state: Type.Optional(DeliveryState), ...PAGE_PARAMETERS }),
    responses: { 200: { description: 'A page.', schema: DeliveryList }, 404: NO_WEBHOOK },
    list: 'deliveries',
    sort: 'id',
    async open({ caller, params, query: { state } }) {
      const { id } = await requireWebhook(db, caller, params.webhookId)
      return {
        filters: { webhook: id, state },
        find: async (request) =>
          showRows(
            await listDeliveries(db, caller, id, state ?? null, request),
            byId,
            presentDelivery,
          ),
      }
    },
  })
}

export function getDeliveryRoute({ db }: DeliveryRoutesDeps): Route {
  return defineRoute({
    method: 'GET',
    path: DELIVERY_PATH,
    group: 'admin',
    access: WEBHOOK_ACCESS,
    operationId: 'getDelivery',
    summary: 'Get a delivery',
    description: 'The message exactly as it is signed and sent, with every attempt.',
    params: DeliveryParams,
    responses: {
      200: { description: 'The delivery.', schema: DeliveryRecordOfWebhook },
      404: NO_DELIVERY,
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const { id } = await requireWebhook(db, scope, params.webhookId)
      const delivery = await findDelivery(db, scope, id, params.deliveryId)
      if (delivery === null) throw deliveryNotFound()
      const attempts = await listAttempts(db, scope, delivery.id)
      return { status: 200, json: presentDeliveryDetail(delivery, attempts) }
    },
  })
}

export function replayDeliveryRoute({ db }: DeliveryRoutesDeps): Route {
  return defineRoute({
    method: 'POST',
    path: `${DELIVERY_PATH}/replay`,
    group: 'admin',
    access: WEBHOOK_ACCESS,
    operationId: 'replayDelivery',
    idempotency: 'kept',
    summary: 'Retry a delivery',
    description: 'With the same id and message, whether it was delivered or is dead.',
    params: DeliveryParams,
    responses: {
      202: { description: 'It is due.' },
      404: NO_DELIVERY,
      409: { description: 'The delivery waits already, or the webhook is disabled.' },
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      await inTransaction(db, async (tx) => {
        const { id } = await requireEnabled(tx, scope, params.webhookId)
        const delivery = await findDelivery(tx, scope, id, params.deliveryId)
        if (delivery === null) throw deliveryNotFound()
        const replayed = await replayDeliveries(tx, scope, id, { id: delivery.id })
        if (replayed === 0) throw deliveryWaits()
      })
      return { status: 202 }
    },
  })
}

export function replayDeadDeliveriesRoute({ db }: DeliveryRoutesDeps): Route {
  return defineRoute({
    method: 'POST',
    path: `${WEBHOOK_PATH}/replay`,
    group: 'admin',
    access: WEBHOOK_ACCESS,
    operationId: 'replayDeadDeliveries',
    idempotency: 'kept',
    summary: 'Retry dead deliveries',
    description: 'Sends again what was given up since a time, oldest first.',
    params: WebhookParams,
    body: ReplayBody,
    responses: {
      200: { description: 'How many are due now.', schema: ReplayAnswer },
      404: NO_WEBHOOK,
      409: DISABLED,
    },
    async handle({ caller, params, body }) {
      const scope = requireCaller(caller)
      const replayed = await inTransaction(db, async (tx) => {
        const { id } = await requireEnabled(tx, scope, params.webhookId)
        const since = parseTimestamp(body.since)
        if (since === null) throw webhookNotValid([{ path: '/since', reason: 'must be a time' }])
        return await replayDeliveries(tx, scope, id, { deadSince: new Date(since) })
      })
      return { status: 200, json: { replayed } }
    },
  })
}

export function testWebhookRoute({ db, ids, clock }: DeliveryRoutesDeps): Route {
  return defineRoute({
    method: 'POST',
    path: `${WEBHOOK_PATH}/test`,
    group: 'admin',
    access: WEBHOOK_ACCESS,
    operationId: 'testWebhook',
    idempotency: 'kept',
    summary: 'Send a test message',
    description: 'Of the type `webhook.test`, as any other delivery.',
    params: WebhookParams,
    responses: {
      202: {
        description: 'The delivery, whose attempts can be read.',
        schema: named(
          'QueuedDelivery',
          Type.Object({ delivery_id: Type.String({ format: 'uuid' }) }),
        ),
      },
      404: NO_WEBHOOK,
      409: DISABLED,
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const { tenantId } = scope
      const { id: webhookId } = await requireEnabled(db, scope, params.webhookId)
      const [id, type] = [ids.nextUuid(), 'webhook.test']
      const timestamp = new Date(clock.nowMs()).toISOString()
      const body = JSON.stringify({ type, timestamp, data: { tenant_id: tenantId } })
      await inTransaction(db, (tx) =>
        insertDeliveries(tx, [{ tenantId, id, webhookId, type, body }]),
      )
      return { status: 202, json: { delivery_id: id } }
    },
  })
}
