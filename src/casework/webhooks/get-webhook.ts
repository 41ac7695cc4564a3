// GET /beta/webhooks, GET /beta/webhooks/{webhookId}, and POST …/rotate-secret.

import { requireCaller } from '../../access/admit-request.ts'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { createSigningSecret } from '../../kernel/outbound/sign-message.ts'
import type { SecretCipher } from '../../kernel/secrets/secret-cipher.ts'
import { webhookNotFound } from './errors.ts'
import { WEBHOOK_ACCESS, WEBHOOK_PATH, WebhookParams } from './save-webhook.ts'
import { findWebhook, listWebhooks, lockWebhook, replaceSecret } from './webhook-store.ts'
import { presentWebhook, Webhook, WebhookList, WebhookSecret } from './webhook-wire.ts'

export function listWebhooksRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/webhooks',
    group: 'admin',
    access: WEBHOOK_ACCESS,
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: 'Without their secrets. All webhooks are on one page, the oldest first.',
    responses: { 200: { description: 'The webhooks.', schema: WebhookList } },
    async handle({ caller }) {
      const webhooks = await listWebhooks(db, requireCaller(caller))
      return { status: 200, json: { items: webhooks.map(presentWebhook), next_cursor: '' } }
    },
  })
}

export function getWebhookRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: WEBHOOK_PATH,
    group: 'admin',
    access: WEBHOOK_ACCESS,
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    description: 'Where messages go, and which. The secret is shown when it is made only.',
    params: WebhookParams,
    responses: {
      200: { description: 'The webhook.', schema: Webhook },
      404: { description: 'There is no such webhook.' },
    },
    async handle({ caller, params }) {
      const webhook = await findWebhook(db, requireCaller(caller), params.webhookId)
      if (webhook === null) throw webhookNotFound()
      return { status: 200, json: presentWebhook(webhook) }
    },
  })
}

export function rotateWebhookSecretRoute({
  db,
  audit,
  secrets,
}: {
  readonly db: Db
  readonly audit: AuditLog
  readonly secrets: SecretCipher
}): Route {
  return defineRoute({
    method: 'POST',
    path: `${WEBHOOK_PATH}/rotate-secret`,
    group: 'admin',
    access: WEBHOOK_ACCESS,
    operationId: 'rotateWebhookSecret',
    idempotency: 'sealed',
    summary: 'Rotate the secret of a webhook',
    description:
      'For a day messages are signed with both, the new one first; then the former one is no longer used.',
    params: WebhookParams,
    responses: {
      200: { description: 'The webhook, with its new secret.', schema: WebhookSecret },
      404: { description: 'There is no such webhook.' },
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const secret = createSigningSecret()
      const webhook = await inTransaction(db, async (tx) => {
        const found = await lockWebhook(tx, scope, params.webhookId)
        if (found === null) throw webhookNotFound()
        await replaceSecret(tx, secrets, scope, found.id, secret)
        const { tenantId } = scope
        await audit.record(tx, 'webhook.rotate_secret', { tenantId, id: found.id })
        return found
      })
      return { status: 200, json: { ...presentWebhook(webhook), secret } }
    },
  })
}
