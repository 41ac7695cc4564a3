// One mail with its envelope, kept as a report for each tenant it is for, and handed on to be read.
// Shared by all doors of mail.

import { withDeadline } from '../../../kernel/async/deadline.ts'
import type { Log } from '../../../kernel/log.ts'
import { isEmailAddress } from '../../../values/email.ts'
import type { KeptReport } from '../kept-report-store.ts'
import type { ReportDeps } from '../process-report.ts'
import type { Envelope } from '../report-tables.ts'
import { keepReport, type ReportCopy } from '../submit-report.ts'
import type { MailDoor, MailMetrics } from './mail-metrics.ts'
import { notStored } from './mail-refusal.ts'
import type { ReadingQueue } from './reading-queue.ts'

export interface MailIntake {
  readonly reports: ReportDeps
  readonly reading: ReadingQueue
  readonly metrics: MailMetrics
  readonly log: Log
  /** How long the database may take to keep a mail, or to tell whose a recipient is. */
  readonly storeMs: number
}

export interface ArrivedMail {
  readonly via: MailDoor
  readonly bytes: Buffer
  readonly envelope: Envelope
  /** Who brought it: `smtp:192.0.2.1`, `imap:user@host`. */
  readonly bringer: string
}

/**
 * Durable for every one of these tenants when it resolves; for none of them when it rejects, with a
 * `MailRefusal`. Null bytes, lone surrogates and the like in an envelope do not occur: SMTP refuses
 * control characters, and text comes decoded.
 */
export async function keepMail(
  intake: MailIntake,
  copies: readonly ReportCopy[],
  mail: ArrivedMail,
): Promise<readonly KeptReport[]> {
  const { reports, reading, metrics, log } = intake
  const { via, bytes, envelope, bringer } = mail
  const startedAt = performance.now()
  let kept: readonly KeptReport[]
  try {
    const report = {
      bytes,
      mediaType: 'message/rfc822',
      fallbackReporter: chooseReporter(envelope.from),
      actor: { kind: 'system' as const, id: bringer, name: bringer },
      via,
      envelope,
    }
    // A commit that was on its way is not undone by the deadline. The client then sends its mail
    // a second time (RFC 1047), and the events of the copy are known by their fingerprints.
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
  // Addresses and subjects are personal data: the reports hold them, the log their ids.
  const ids = kept.map(({ id }) => id)
  log.info('A mail was kept', { via, bringer, bytes: bytes.length, reports: ids })
  for (const report of kept) {
    const { tenantId, id } = report
    reading.push({ tenantId, id, byteLength: bytes.length, report })
  }
  return kept
}

function chooseReporter(from: string | null): string | null {
  return from !== null && isEmailAddress(from) ? from : null
}
