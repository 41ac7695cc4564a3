// Stores one mail with its envelope as a report of each tenant among its recipients, and queues it
// for reading. Used by all mail channels.

import { withDeadline } from '../../../kernel/async/deadline.ts'
import type { Log } from '../../../kernel/log.ts'
import { isEmailAddress } from '../../../values/email.ts'
import type { KeptReport } from '../kept-report-store.ts'
import type { ReportDeps } from '../process-report.ts'
import type { Envelope } from '../report-tables.ts'
import { keepReport, type ReportCopy } from '../submit-report.ts'
import type { MailChannel, MailMetrics } from './mail-metrics.ts'
import { notStored } from './mail-refusal.ts'
import type { ReadingQueue } from './reading-queue.ts'

export interface MailIngest {
  readonly reports: ReportDeps
  readonly reading: ReadingQueue
  readonly metrics: MailMetrics
  readonly log: Log
  /** Timeout for the database to store a mail or to look up a recipient. */
  readonly storeMs: number
}

export interface ArrivedMail {
  readonly via: MailChannel
  readonly bytes: Buffer
  readonly envelope: Envelope
  /** The actor of the report: `smtp:192.0.2.1`, `imap:user@host`. */
  readonly receivedBy: string
}

/**
 * Durable for every one of these tenants when it resolves; for none of them when it rejects, with a
 * `MailRefusal`. Null bytes, lone surrogates and the like in an envelope do not occur: SMTP refuses
 * control characters, and text comes decoded.
 */
export async function keepMail(
  intake: MailIngest,
  copies: readonly ReportCopy[],
  mail: ArrivedMail,
): Promise<readonly KeptReport[]> {
  const { reports, reading, metrics, log } = intake
  const { via, bytes, envelope, receivedBy } = mail
  const startedAt = performance.now()
  let kept: readonly KeptReport[]
  try {
    const report = {
      bytes,
      mediaType: 'message/rfc822',
      fallbackReporter: chooseReporter(envelope.from),
      actor: { kind: 'system' as const, id: receivedBy, name: receivedBy },
      via,
      envelope,
    }
    // The deadline does not undo a commit that was already sent. The client then sends its mail
    // a second time (RFC 1047), and the copy's events are duplicates by their fingerprints.
    kept = await withDeadline(intake.storeMs, (signal) =>
      keepReport(reports, copies, { ...report, signal }),
    )
  } catch (error) {
    throw notStored(error)
  }
  const seconds = (performance.now() - startedAt) / 1_000
  metrics.kept.inc({ via })
  metrics.bytes.inc({ via }, bytes.length)
  metrics.storeSeconds.observe({ via }, seconds)
  // Addresses and subjects are personal data: the log names the reports by id only.
  const ids = kept.map(({ id }) => id)
  log.info('A mail was stored', { via, receivedBy, bytes: bytes.length, reports: ids })
  for (const report of kept) {
    const { tenantId, id } = report
    reading.push({ tenantId, id, byteLength: bytes.length, report })
  }
  return kept
}

function chooseReporter(from: string | null): string | null {
  return from !== null && isEmailAddress(from) ? from : null
}
