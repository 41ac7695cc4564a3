// The metric of retention: rows that this node has removed.

import { Counter, type Registry } from 'prom-client'

export function createRetentionMetrics(registry: Registry): Counter<'kind'> {
  return new Counter({
    name: 'casework_retention_removed_total',
    help: 'Rows that retention removed: bytes of reports (raw_report), reports, events, cases and audit records (audit); and partitions of whole months (month).',
    labelNames: ['kind'],
    registers: [registry],
  })
}
