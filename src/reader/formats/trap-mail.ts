// Reads a mail that came to a mailbox declared a trap. Nobody complains to a trap, so whatever the
// mail says, it is spam, and is itself the complaint.

import { emailDomain } from '../../values/email.ts'
import { reportableIp } from '../../vocabulary/reportable-ip.ts'
import { finishDraft } from '../event-draft.ts'
import type { FoundRecipient } from '../mail/find-recipient.ts'
import { findHeader } from '../mail/mail.ts'
import type { MailReport } from '../mail-format.ts'
import type { Finding, ReportResult } from '../reading.ts'
import { TenantNetworks } from '../tenant-networks.ts'
import { findMailSource, headerText } from './enclosed-mail.ts'
import { parseReportTime } from './report-time.ts'

const FORMAT = 'trap'

interface TrapSource {
  readonly ip: string
  readonly finding: Pick<Finding, 'part' | 'excerpt' | 'reason'>
  /** When it handed the mail over; null when that is now. */
  readonly atMs: number | null
}

export function readTrapMail(report: MailReport, recipient: FoundRecipient): ReportResult {
  const source = findSource(report)
  if (source === null) {
    const reason = 'The mail came to a trap, and its trace names no address that it came from.'
    return { kind: 'unreadable', reason }
  }
  const { mail, context, reportId } = report
  const event = finishDraft(
    {
      eventType: 'Spam',
      atMs: source.atMs,
      ip: source.ip,
      tags: ['trap'],
      details: {
        report_kind: 'trap',
        subject: mail.subject || undefined,
        original_mail_from: mail.from[0]?.address,
        message_id: mail.messageId ?? undefined,
      },
      findings: explain(report, source, recipient),
    },
    // The Date of spam may be anything.
    {
      senderEmail: recipient.address,
      reportId,
      reportedAtMs: null,
      receivedAtMs: context.receivedAtMs,
    },
  )
  const domain = emailDomain(recipient.address)
  const trap = { org: '', contact: recipient.address, domain }
  return {
    kind: 'report',
    format: FORMAT,
    reportId,
    reporter: trap,
    sender: trap,
    events: [event],
    passedOver: [],
  }
}

function explain(
  { mail }: MailReport,
  { ip, finding, atMs }: TrapSource,
  { address, part }: FoundRecipient,
): readonly Finding[] {
  const base = { line: null, role: null, rank: null }
  const trapped = { part, excerpt: address, reason: 'The mail came to a mailbox declared a trap.' }
  const time = {
    field: '/event_date',
    value: new Date(atMs ?? 0).toISOString(),
    part: 'header Received',
    excerpt: findHeader(mail, 'received') ?? '',
    reason: 'When the mail was received.',
  }
  return [
    { ...base, ...finding, field: '/ip', value: ip, role: 'source', rank: 1 },
    { ...base, ...trapped, field: '/event_type', value: 'Spam' },
    { ...base, ...trapped, field: '/sender_email', value: address, role: 'reporter' },
    ...(atMs === null ? [] : [{ ...base, ...time }]),
  ]
}

/**
 * Who handed the mail over: the client of our own listener, unless that is one of the own relays;
 * then the last hop from outside of its trace.
 */
function findSource({ mail, context }: MailReport): TrapSource | null {
  const { clientAddress = null, ownNetworks = [] } = context
  const own = new TenantNetworks(ownNetworks)
  const client = clientAddress === null ? null : reportableIp(clientAddress)
  const direct: TrapSource | null =
    client === null
      ? null
      : {
          ip: client,
          finding: {
            part: 'envelope',
            excerpt: client,
            reason: 'The client that handed the mail to the trap.',
          },
          atMs: null,
        }
  if (direct !== null && !own.hasAddress(direct.ip)) return direct
  const hop = findMailSource(mail.headers)
  if (hop === null) return direct
  const { ip, line: excerpt, reason } = hop
  return { ip, finding: { part: 'header', excerpt, reason }, atMs: readStamp(mail.headers) }
}

function readStamp(headers: MailReport['mail']['headers']): number | null {
  const trace = headerText(headers, 'received')
  return parseReportTime(trace.slice(trace.lastIndexOf(';') + 1).trim())
}
