// Counts the attempts to send notices on this node.

import { Counter, type Registry } from 'prom-client'

export function createNoticeMetrics(registry: Registry): Pick<Counter<'outcome'>, 'inc'> {
  return new Counter({
    name: 'casework_notice_attempts_total',
    help: 'Attempts to send a notice by mail, by what became of them: sent, postponed, failed.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })
}
