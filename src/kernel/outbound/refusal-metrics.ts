// The metric of outgoing requests that the rules of the guarded client refused.

import { Counter, type Registry } from 'prom-client'
import { REFUSAL_REASONS, type RefusalReason } from './outbound-outcome.ts'

export type CountRefusal = (reason: RefusalReason) => void

/** One for all clients of a thread. */
export function createRefusalMetrics(registry: Registry): CountRefusal {
  const refused = new Counter({
    name: 'casework_outbound_refused_total',
    help: 'Outgoing requests that were refused before anything was sent, by reason: a URL, port or address that requests may not go to.',
    labelNames: ['reason'],
    registers: [registry],
  })
  for (const reason of REFUSAL_REASONS) refused.inc({ reason }, 0)
  return (reason) => refused.inc({ reason })
}
