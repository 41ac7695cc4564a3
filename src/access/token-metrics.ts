// The metric of the copy of the tokens that each thread holds: how old it is.

import { Gauge, type Registry } from 'prom-client'

export function createTokenMetrics(registry: Registry, ageMs: () => number): void {
  const gauge = new Gauge({
    name: 'casework_tokens_age_seconds',
    help: 'Time since the copy of tokens, sessions and roles was last compared with the database.',
    aggregator: 'max',
    registers: [registry],
    collect() {
      gauge.set(Math.max(0, ageMs()) / 1_000)
    },
  })
}
