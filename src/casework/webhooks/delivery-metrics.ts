// Counts the attempts of webhooks on this node.

import { Counter, type Registry } from 'prom-client'

export function createDeliveryMetrics(registry: Registry): Pick<Counter<'outcome'>, 'inc'> {
  return new Counter({
    name: 'casework_webhook_attempts_total',
    help: 'Attempts to deliver a message to a webhook, by what became of them: delivered, postponed, dead.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })
}
