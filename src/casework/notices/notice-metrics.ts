// Counts the attempts to send notices on this node, and what came back for them.

import { Counter, type Registry } from 'prom-client'

export function createNoticeMetrics(registry: Registry): Pick<Counter<'outcome'>, 'inc'> {
  return new Counter({
    name: 'casework_notice_attempts_total',
    help: 'Attempts to send a notice by mail, by what became of them: sent, postponed, failed.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })
}

export type CountReply = (labels: { readonly kind: string }) => void

export function createReplyMetrics(registry: Registry): CountReply {
  const counter = new Counter({
    name: 'casework_notice_replies_total',
    help: 'Mails that came back for notices: answer, automatic, bounce, delay, delivery, complaint, repeated, gone, by_hand for an answer that a person took over, or why an answer was not taken.',
    labelNames: ['kind'] as const,
    registers: [registry],
  })
  return (labels) => counter.inc(labels)
}
