// What retention has removed on this node.

import { Counter, type Registry } from 'prom-client'

export function createRetentionMetrics(registry: Registry): Counter<'kind'> {
  return new Counter({
    name: 'casework_retention_removed_total',
    help: 'What was removed because it was past its time: bytes of reports (raw_report), reports, events, cases and records of decisions (audit).',
    labelNames: ['kind'],
    registers: [registry],
  })
}
