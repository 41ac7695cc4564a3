// POST /beta/webhooks, and PATCH and DELETE of one: who is told of which changes.

import { type Static, Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { AllowList } from '../../kernel/outbound/allow-list.ts'
import { findTargetTrouble } from '../../kernel/outbound/check-target.ts'
import { createSigningSecret } from '../../kernel/outbound/sign-message.ts'
import type { SecretCipher } from '../../kernel/secrets/secret-cipher.ts'
import { tooManyWebhooks, webhookNotFound, webhookNotValid } from './errors.ts'
import {
  deleteWebhook,
  findWebhook,
  listWebhooks,
  lockWebhook,
  putWebhook,
  replaceSecret,
  type WebhookSettings,
} from './webhook-store.ts'
import {
  NewWebhook,
  presentWebhook,
  Webhook,
  WebhookChange,
  WebhookSecret,
} from './webhook-wire.ts'

export const WEBHOOK_ACCESS = { kind: 'scope', scope: 'webhooks:manage' } as const
export const WEBHOOK_PATH = '/beta/webhooks/{webhookId}'
export const WebhookParams = Type.Object({ webhookId: Type.String() })
const WEBHOOKS_MAX = 50

export interface SaveWebhookDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly ids: IdSource
  readonly secrets: SecretCipher
  /** Private targets that the operator has opened (`CASEWORK_OUTBOUND_ALLOW`). */
  readonly allow: AllowList
}

export function createWebhookRoute({ db, audit, ids, secrets, allow }: SaveWebhookDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/webhooks',
    group: 'admin',
    access: WEBHOOK_ACCESS,
    operationId: 'createWebhook',
    idempotency: 'sealed',
    summary: 'Create a webhook',
    description:
      'Messages are signed as Standard Webhooks has it, and hold ids and facts, no addresses of people: a receiver reads the record with a token of its own. A message that is not taken is sent again for three days.',
    body: NewWebhook,
    responses: {
      201: { description: 'The webhook, with its secret.', schema: WebhookSecret },
      400: { description: 'It cannot be used; every fault is named.' },
      409: { description: `There are ${WEBHOOKS_MAX} webhooks.` },
    },
    async handle({ caller, body }) {
      const scope = requireCaller(caller)
      const settings = readSettings(body, NO_SETTINGS)
      checkUrl(settings.url, allow)
      const id = ids.nextUuid()
      const secret = createSigningSecret()
      const stored = await inTransaction(db, async (tx) => {
        await putWebhook(tx, scope, id, settings)
        await replaceSecret(tx, secrets, scope, id, secret)
        const all = await listWebhooks(tx, scope)
        if (all.length > WEBHOOKS_MAX) throw tooManyWebhooks(WEBHOOKS_MAX)
        const made = all.find((webhook) => webhook.id === id)
        if (made === undefined) throw webhookNotFound()
        const { tenantId } = scope
        await audit.record(tx, 'webhook.create', { tenantId, id, after: presentWebhook(made) })
        return made
      })
      return { status: 201, json: { ...presentWebhook(stored), secret } }
    },
  })
}

export function changeWebhookRoute({ db, audit, allow }: SaveWebhookDeps): Route {
  return defineRoute({
    method: 'PATCH',
    path: WEBHOOK_PATH,
    group: 'admin',
    access: WEBHOOK_ACCESS,
    operationId: 'changeWebhook',
    summary: 'Change a webhook',
    description: 'What waits for its next attempt goes to the new URL.',
    params: WebhookParams,
    body: WebhookChange,
    responses: {
      200: { description: 'The webhook.', schema: Webhook },
      400: { description: 'It cannot be used; every fault is named.' },
      404: { description: 'There is no such webhook.' },
    },
    async handle({ caller, params: { webhookId }, body }) {
      const scope = requireCaller(caller)
      const stored = await inTransaction(db, async (tx) => {
        const present = await lockWebhook(tx, scope, webhookId)
        if (present === null) throw webhookNotFound()
        const settings = readSettings(body, present)
        checkUrl(settings.url, allow)
        await putWebhook(tx, scope, present.id, settings)
        const changed = await findWebhook(tx, scope, webhookId)
        if (changed === null) throw webhookNotFound()
        await audit.record(tx, 'webhook.change', {
          tenantId: scope.tenantId,
          id: present.id,
          before: presentWebhook(present),
          after: presentWebhook(changed),
        })
        return changed
      })
      return { status: 200, json: presentWebhook(stored) }
    },
  })
}

export function deleteWebhookRoute({ db, audit }: Pick<SaveWebhookDeps, 'db' | 'audit'>): Route {
  return defineRoute({
    method: 'DELETE',
    path: WEBHOOK_PATH,
    group: 'admin',
    access: WEBHOOK_ACCESS,
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'What waits to be sent is not sent any more.',
    params: WebhookParams,
    responses: {
      204: { description: 'Deleted, with its secret and its deliveries.' },
      404: { description: 'There is no such webhook.' },
    },
    async handle({ caller, params: { webhookId } }) {
      const scope = requireCaller(caller)
      await inTransaction(db, async (tx) => {
        const present = await lockWebhook(tx, scope, webhookId)
        if (present === null) throw webhookNotFound()
        await deleteWebhook(tx, scope, present.id)
        await audit.record(tx, 'webhook.delete', {
          tenantId: scope.tenantId,
          id: present.id,
          before: presentWebhook(present),
        })
      })
      return { status: 204 }
    },
  })
}

const NO_SETTINGS: WebhookSettings = {
  url: '',
  types: [],
  description: '',
  caseGroups: null,
  customers: null,
  eventTypes: null,
  isEnabled: true,
}

/** Members that were left out stay as they are. */
function readSettings(
  body: Static<typeof WebhookChange>,
  present: WebhookSettings,
): WebhookSettings {
  const { case_groups: groups, customers, event_types: eventTypes } = body
  return {
    url: body.url ?? present.url,
    types: body.types ?? present.types,
    description: body.description ?? present.description,
    caseGroups: groups === undefined ? present.caseGroups : groups,
    customers: customers === undefined ? present.customers : customers,
    eventTypes: eventTypes === undefined ? present.eventTypes : eventTypes,
    isEnabled: body.enabled ?? present.isEnabled,
  }
}

function checkUrl(url: string, allow: AllowList): void {
  const trouble = findTargetTrouble(url, allow)
  if (trouble !== null) throw webhookNotValid([{ path: '/url', reason: trouble }])
}
