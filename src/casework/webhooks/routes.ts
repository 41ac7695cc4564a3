// The endpoints of webhooks and their deliveries.

import type { Route } from '../../kernel/http/route.ts'
import { getWebhookRoute, listWebhooksRoute, rotateWebhookSecretRoute } from './get-webhook.ts'
import {
  type DeliveryRoutesDeps,
  getDeliveryRoute,
  listDeliveriesRoute,
  replayDeadDeliveriesRoute,
  replayDeliveryRoute,
  testWebhookRoute,
} from './list-deliveries.ts'
import {
  changeWebhookRoute,
  createWebhookRoute,
  deleteWebhookRoute,
  type SaveWebhookDeps,
} from './save-webhook.ts'

export interface WebhookRoutesDeps extends SaveWebhookDeps, DeliveryRoutesDeps {}

export function webhookRoutes(deps: WebhookRoutesDeps): readonly Route[] {
  return [
    listWebhooksRoute(deps),
    createWebhookRoute(deps),
    getWebhookRoute(deps),
    changeWebhookRoute(deps),
    deleteWebhookRoute(deps),
    rotateWebhookSecretRoute(deps),
    testWebhookRoute(deps),
    listDeliveriesRoute(deps),
    getDeliveryRoute(deps),
    replayDeliveryRoute(deps),
    replayDeadDeliveriesRoute(deps),
  ]
}
