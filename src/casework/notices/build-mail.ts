// The mail of a notice: sender, thread, and the headers that keep programs from answering it
// (RFC 3834).

import type { SendMailOptions } from 'nodemailer'
import { type MailIdentity, writeBounceAddress, writeReplyAddress } from './mail-identity.ts'
import type { NoticePurpose } from './notice.ts'
import type { ClaimedNotice } from './notice-store.ts'

// Notices that answer a mail by themselves, which their header says (RFC 3834 section 3.1.7).
const AUTOMATIC_ANSWERS: ReadonlySet<NoticePurpose> = new Set(['receipt'])

/** The mail of a notice. */
export function buildMail(identity: MailIdentity, notice: ClaimedNotice): SendMailOptions {
  const { replyKey, messageId, inReplyTo, thread } = notice
  const references = [...new Set([thread, ...(inReplyTo === null ? [] : [inReplyTo])])]
    .filter((one) => one !== messageId)
    .map((one) => `<${one}>`)
  const bounceTo =
    replyKey === null ? identity.from.address : writeBounceAddress(identity, replyKey)
  return {
    from: identity.from,
    // An object is not parsed as a list of addresses.
    to: { name: '', address: notice.recipient },
    ...(replyKey === null
      ? {}
      : { replyTo: { name: identity.from.name, address: writeReplyAddress(identity, replyKey) } }),
    envelope: { from: bounceTo, to: [notice.recipient] },
    subject: notice.subject,
    text: notice.text,
    attachments: (notice.evidence ?? []).map(({ fileName, text }) => ({
      filename: fileName,
      content: text,
      contentType: 'text/plain; charset=utf-8',
    })),
    date: notice.createdAt,
    messageId: `<${messageId}>`,
    ...(inReplyTo === null ? {} : { inReplyTo: `<${inReplyTo}>` }),
    ...(references.length === 0 ? {} : { references }),
    // They keep programs from answering.
    headers: {
      'Auto-Submitted': AUTOMATIC_ANSWERS.has(notice.purpose) ? 'auto-replied' : 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
