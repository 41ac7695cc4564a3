// The interface of a format in which reports come by mail. read-report.ts tries the formats in
// turn; the first that knows the mail reads it.

import type { Mail, ReadableText } from './mail/mail.ts'
import type { ReportContext, ReportParty, ReportResult } from './reading.ts'

export interface MailReporter extends ReportParty {
  /** Where it was found and why, a sentence; left out, in From. */
  readonly how?: string
  /**
   * True when the mail names no reporter and this is the party that handed it over. A reporter
   * named by the format itself then has precedence.
   */
  readonly isStandIn?: boolean
}

export interface MailReport {
  readonly mail: Mail
  readonly context: ReportContext
  /**
   * The author of the report, found behind forwarders and lists; null when the mail names no one
   * and there is no fallback.
   */
  readonly reporter: MailReporter | null
  /** Format's own id is better; this is the Message-ID, or `sha256:…` of the bytes. */
  readonly reportId: string
  /** Subject, bodies, attached and enclosed texts in reading order, armour and HTML undone. */
  readonly texts: readonly ReadableText[]
}

export interface MailFormat {
  readonly name: string
  /** Null when the mail is not in this format; never throws for what a mail holds. */
  readonly read: (report: MailReport) => ReportResult | null
}
