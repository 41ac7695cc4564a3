// Metrics of incoming mail. No label carries text of a sender.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

export type MailChannel = 'smtp' | 'lmtp' | 'imap'

export type RefusalReason =
  | 'too_large'
  | 'too_many_connections'
  | 'too_fast'
  | 'too_slow'
  | 'unknown_recipient'
  | 'repeated_recipient'
  | 'not_stored'
  | 'disk_full'
  | 'no_memory'
  | 'broken_off'
  | 'bare_line_feed'
  | 'too_many_refusals'

export interface MailMetrics {
  readonly kept: Counter<'via'>
  readonly refused: Counter<'via' | 'reason'>
  readonly bytes: Counter<'via'>
  readonly storeSeconds: Histogram<'via'>
  readonly connections: Gauge<'via'>
  readonly waiting: Gauge
  /** Mails left to the sweep of unread reports, because the queue was full. */
  readonly leftToSweep: Counter
}

export function createMailMetrics(registry: Registry): MailMetrics {
  const registers = [registry]
  return {
    kept: new Counter({
      name: 'casework_mail_kept_total',
      help: 'Mails that were stored and acknowledged.',
      labelNames: ['via'],
      registers,
    }),
    refused: new Counter({
      name: 'casework_mail_refused_total',
      help: 'Connections, recipients and mails that were refused, by reason.',
      labelNames: ['via', 'reason'],
      registers,
    }),
    bytes: new Counter({
      name: 'casework_mail_bytes_total',
      help: 'Bytes of the mails that were stored.',
      labelNames: ['via'],
      registers,
    }),
    storeSeconds: new Histogram({
      name: 'casework_mail_store_seconds',
      help: 'From the last byte of a mail to its acknowledgement.',
      labelNames: ['via'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
    connections: new Gauge({
      name: 'casework_mail_connections',
      help: 'Mail connections that are open.',
      labelNames: ['via'],
      registers,
    }),
    waiting: new Gauge({
      name: 'casework_mail_waiting',
      help: 'Stored mails that wait on this node to be read.',
      registers,
    }),
    leftToSweep: new Counter({
      name: 'casework_mail_left_to_sweep_total',
      help: 'Stored mails that were left to the sweep of unread reports, because too many waited.',
      registers,
    }),
  }
}
