// Mails as the readers of formats get them: made of parts, or parsed from a text.

import { findReporter } from '../src/reader/mail/find-reporter.ts'
import type { MailPart, ReadableText } from '../src/reader/mail/mail.ts'
import { parseMail } from '../src/reader/mail/parse-mail.ts'
import { listReadableTexts } from '../src/reader/mail/readable-texts.ts'
import type { MailReport } from '../src/reader/mail-format.ts'

/** A whole mail. Without a Message-ID the id of the report is `sha256:test`. */
export function parseMailReport(text: string, receivedAtMs: number): MailReport {
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

export interface HandmadePart {
  readonly fileName?: string
  readonly mediaType?: string
  readonly text?: string
  readonly bytes?: Uint8Array
}

const SENT_MS = Date.UTC(2026, 2, 2, 6, 30)

/**
 * From reporter@desk.example.org, sent 2026-03-02T06:30Z, arrived an hour later. A bare one has no
 * header, as a report that was not mailed.
 */
export function buildMailReport(
  parts: readonly HandmadePart[],
  options: { readonly subject?: string; readonly isBare?: boolean } = {},
): MailReport {
  const { subject = 'Report', isBare = false } = options
  const address = 'reporter@desk.example.org'
  const mailParts = parts.map(toPart)
  return {
    mail: {
      headers: isBare ? [] : [{ name: 'date', value: 'Mon, 02 Mar 2026 07:30:00 +0100' }],
      subject,
      messageId: isBare ? null : '<1@desk.example.org>',
      dateMs: isBare ? null : SENT_MS,
      from: isBare ? [] : [{ displayName: '', address }],
      replyTo: [],
      to: [],
      parts: mailParts,
      defects: [],
    },
    context: { receivedAtMs: SENT_MS + 3_600_000, mediaType: '', fallbackReporter: null },
    reporter: { org: '', contact: address, domain: 'desk.example.org' },
    reportId: '<1@desk.example.org>',
    texts: [{ part: 'subject', kind: 'subject', lines: [subject] }, ...mailParts.flatMap(toText)],
  }
}

function toPart(part: HandmadePart, index: number): MailPart {
  const { fileName = null, mediaType = 'text/plain', text = null } = part
  return {
    path: String(index + 1),
    mediaType,
    parentType: null,
    fileName,
    isAttachment: fileName !== null,
    text,
    bytes: part.bytes ?? Buffer.from(text ?? ''),
  }
}

function toText(part: MailPart): readonly ReadableText[] {
  if (part.text === null) return []
  const lines = part.text.split('\n')
  if (part.fileName === null) return [{ part: 'text', kind: 'body', lines }]
  return [{ part: `attachment ${part.fileName}`, kind: 'attachment', lines }]
}
