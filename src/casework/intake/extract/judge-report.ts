// Whether a mail reports anything at all: automatic replies, bounces, advertisements and thanks reach an abuse desk too.

import type { ReadableText } from '../mail/mail.ts'
import { findHeader } from '../mail/mail.ts'
import type { MailReport } from '../mail-format.ts'
import type { Finding } from '../report.ts'

export interface JudgeInput {
  readonly report: MailReport
  readonly texts: readonly ReadableText[]
  /** How many addresses and URLs of the text could be what is complained about. */
  readonly candidateCount: number
}

export interface Judgement {
  readonly isReport: boolean
  /** A public sentence; null when it is a report. */
  readonly reason: string | null
  readonly evidence: readonly Finding[]
}

export function judgeReport({ report }: JudgeInput): Judgement {
  const auto = findHeader(report.mail, 'auto-submitted')
  if (auto?.startsWith('auto-replied') !== true) {
    return { isReport: true, reason: null, evidence: [] }
  }
  const reason =
    'The mail is an automatic reply (Auto-Submitted: auto-replied); it reports nothing.'
  return { isReport: false, reason, evidence: [] }
}
