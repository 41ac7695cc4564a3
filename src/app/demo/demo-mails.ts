// Mails of the story as they arrive: reports of people and programs, answers to notices, and one
// that comes back. The real reader reads them.

import { submitReport } from '../../casework/reports/submit-report.ts'
import { inTenant } from '../../kernel/db/row-scope.ts'
import type { DemoDesk } from './demo-desk.ts'
import { DAY_MS, HOUR_MS } from './demo-events.ts'

interface DemoMail {
  /** Days before the end. */
  readonly days: number
  readonly from: string
  readonly subject: string
  readonly body: string
  readonly to?: string
  readonly headers?: readonly string[]
  readonly envelopeFrom?: string
}

const line = (host: string, ip: string): string =>
  `${host} sshd[31337]: Failed password for root from ${ip} port 40188 ssh2`

export const MAILS: readonly DemoMail[] = [
  {
    days: 33.2,
    from: 'Night Desk <noc@college.example>',
    subject: 'SSH brute force from 203.0.113.17 against our hosts',
    body: `Hello abuse team,\n\none of our login servers is the target of password guessing from\n203.0.113.17, an address that your company is responsible for.\n\nAll times are UTC.\n\n${line('login2', '203.0.113.17')}\n${line('login2', '203.0.113.17')}\n\nRegards,\nNight Desk\n`,
  },
  {
    days: 12.6,
    from: 'Rosa Ferreira <r.ferreira@example.net>',
    subject: 'Spam from your network',
    body: 'Hi,\n\nI never gave these people my address and still get their advertisement.\nThe mail came from 198.51.100.84. Please make it stop.\n\nRosa Ferreira\n',
  },
  {
    days: 9.4,
    from: 'Fraud Desk <phish@example-bank.example>',
    subject: 'Phishing site https://parcel-fee.example/pay',
    body: 'Dear Sir or Madam,\n\nthis page imitates our brand and asks for card data:\n\n  https://parcel-fee.example/pay\n  IP address: 203.0.113.12\n\nPlease take it down.\n\nFraud Desk\nExample Bank\n',
  },
  {
    days: 6.1,
    from: 'Martin Keller <m.keller@example.org>',
    subject: 'Question about an invoice',
    body: 'Hello,\n\nmy invoice of October shows two servers, but I have only one. Who can help?\n\nMartin Keller\n',
  },
  {
    days: 4.3,
    from: 'hostmaster@smallsite.example',
    subject: 'your server is attacking me!!!',
    body: 'my website is slow since monday and my log is full.\nfix this or I go to the police.\n',
  },
  {
    days: 2.2,
    from: 'Prize Office <office@lucky-draw.example>',
    subject: 'You have been selected',
    body: 'Congratulations! Your mailbox was selected for our grand prize.\nReply with your full name to receive it.\n',
  },
  {
    days: 1.4,
    from: 'SOC <soc@university-north.example>',
    subject: 'Port scan from 203.0.113.80',
    body: 'Hello,\n\nwe see a port scan from 203.0.113.80 against 192.0.2.61 (our address),\nports 8080 and 8443, since yesterday evening (UTC).\n\nUniversity North, SOC\n',
  },
  {
    days: 0.3,
    from: 'Kim Larsen <kim@smallshop.example>',
    subject: 'Fwd: Login attempts',
    body: 'Hi, our provider 192.0.2.25 forwarded this, can you look?\n\n> Oct 02 login attempts from 203.0.113.240\n',
  },
]

/** Submits a mail as the SMTP listener does. */
export async function receiveMail(
  { services, time }: DemoDesk,
  tenantId: string,
  mail: Omit<DemoMail, 'days'>,
): Promise<void> {
  const { from, to = 'abuse@nordhafen.example' } = mail
  const sender = mail.envelopeFrom ?? /<([^<>]+)>/.exec(from)?.[1] ?? from
  const date = new Date(time.clock.nowMs() - MINUTE_MS)
  const id = `${date.getTime()}@${sender.split('@')[1] ?? 'mail.example'}`
  const bytes = Buffer.from(
    [
      `From: ${from}`,
      `To: ${to}`,
      `Subject: ${mail.subject}`,
      `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
      `Message-ID: <${id}>`,
      'MIME-Version: 1.0',
      ...(mail.headers ?? ['Content-Type: text/plain; charset=utf-8']),
      '',
      ...mail.body.split('\n'),
    ].join('\r\n'),
  )
  const receivedBy = 'smtp:192.0.2.25'
  await inTenant({ tenantId }, () =>
    submitReport(
      services.casework.reports,
      { tenantId },
      {
        bytes,
        mediaType: 'message/rfc822',
        fallbackReporter: sender,
        actor: { kind: 'system', id: receivedBy, name: receivedBy },
        via: 'smtp',
        envelope: { from: sender, to: [to], remoteAddress: '192.0.2.25', helo: 'mx.mail.example' },
      },
    ),
  )
}

const MINUTE_MS = 60_000

/** When a mail of the list arrives. */
export function findMailTimeMs({ days }: DemoMail, endMs: number): number {
  return endMs - days * DAY_MS - HOUR_MS / 4
}

export const ANSWERS: readonly string[] = [
  'Hello,\n\nthank you for the hint. The server was rebuilt this morning and password\nlogins are off now.\n\nBest regards\n',
  'Hi,\n\nthat was a test of our marketing agency. We have stopped the campaign and\nremoved the bought addresses.\n',
  'Hello,\n\nwe do not see anything unusual on this machine. Can you send us more of the\nlog, with the time zone?\n',
]

/** The parts of a bounce (RFC 3464) for a recipient who does not exist. */
export function writeBounce(recipient: string): Pick<DemoMail, 'headers' | 'body'> {
  return {
    headers: ['Content-Type: multipart/report; report-type=delivery-status; boundary="b"'],
    body: `--b\nContent-Type: text/plain\n\nThis mailbox does not exist.\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.mail.example\n\nFinal-Recipient: rfc822; ${recipient}\nAction: failed\nStatus: 5.1.1\n\n--b--\n`,
  }
}
