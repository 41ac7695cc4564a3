// A mail as the readers of formats get it, from its text.

import { findReporter } from '../src/reader/mail/find-reporter.ts'
import { parseMail } from '../src/reader/mail/parse-mail.ts'
import { listReadableTexts } from '../src/reader/mail/readable-texts.ts'
import type { MailReport } from '../src/reader/mail-format.ts'

/** Line ends as they are; without a Message-ID the report's id is `sha256:test`. */
export function mailReportOf(text: string, receivedAtMs: number): MailReport {
  const mail = parseMail(Buffer.from(text))
  const context = { receivedAtMs, mediaType: 'message/rfc822', fallbackReporter: null }
  return {
    mail,
    context,
    reporter: findReporter(mail, context),
    reportId: mail.messageId ?? 'sha256:test',
    texts: listReadableTexts(mail),
  }
}
