// Reader of SpamCop reports: a short text with a tracking URL, about the source of a mail or about
// a site the mail advertises, with the mail below; and its summaries, a table of sources. The marks
// are those of the text itself, not the name of its sender.

import { parseSocketAddress } from '../../values/address.ts'
import { reportableIp } from '../../vocabulary/reportable-ip.ts'
import { type EventDraft } from '../event-draft.ts'
import { findHeader, type ReadableText } from '../mail/mail.ts'
import type { MailFormat, MailReport } from '../mail-format.ts'
import type { Finding, ReportResult } from '../reading.ts'
import { findMailSource, headerText, parseHeaderLines } from './enclosed-mail.ts'
import { buildResult } from './machine-report.ts'
import { parseReportTime } from './report-time.ts'
import { draftSummaryRows, hasSummaryHead, reportSummaryCut, unquote } from './spamcop-summary.ts'

const FORMAT = 'spamcop'

export const SPAMCOP_FORMAT: MailFormat = { name: FORMAT, read: readSpamcop }

// `[SpamCop (192.0.2.1) id:7123456789]` and `[SpamCop (http://…) id:…]`.
const SUBJECT = /\[SpamCop \(([^()\s]{1,2000})\) id:\s?(\d{1,20})\]/i
const BANNER = /^\[ SpamCop V[\d.]{1,20} (Summary Report )?\]/i
const LINES_MAX = 2_000

/** One line of the text that names what is reported. */
interface Named {
  readonly kind: 'source' | 'url'
  readonly value: string
  readonly text: ReadableText
  readonly line: number
  readonly excerpt: string
  readonly date: string
  readonly reason: string
}

function readSpamcop(report: MailReport): ReportResult | null {
  const subject = SUBJECT.exec(report.mail.subject)
  const body = report.texts.find(
    ({ kind, lines }) =>
      kind === 'body' && lines.slice(0, 100).some((line) => BANNER.test(unquote(line))),
  )
  const table = report.texts.find((each) => each.kind === 'body' && hasSummaryHead(each))
  const header = findHeader(report.mail, 'x-spamcop-sourceip')
  if (subject === null && body === undefined && table === undefined && header === null) return null
  const text = table ?? body ?? report.texts.find(({ kind }) => kind === 'body')
  if (text === undefined) return null
  const isSummary =
    table !== undefined ||
    text.lines.slice(0, 100).some((line) => BANNER.exec(unquote(line))?.[1] !== undefined)
  const drafts = isSummary
    ? draftSummaryRows(text, report)
    : draftReport(report, text, subject, header)
  const reportId =
    subject?.[2] === undefined ? null : `spamcop:${subject[2]}:${subject[1]}`.slice(0, 256)
  const emptyReason =
    'The SpamCop report names neither the source of a mail nor an advertised site.'
  const passedOver = isSummary ? reportSummaryCut(text) : []
  return buildResult({ format: FORMAT, reportId, drafts, passedOver, emptyReason }, report)
}

function draftReport(
  report: MailReport,
  text: ReadableText,
  subject: RegExpExecArray | null,
  header: string | null,
): readonly EventDraft[] {
  const named = listNamed(text)
  const urls = named.filter(({ kind }) => kind === 'url')
  const enclosed = readEnclosed(text)
  const common = {
    external_case_id: subject?.[2],
    tracking_url: findTrackingUrl(text),
    report_kind: 'spamcop',
    feedback: mailDetails(enclosed.headers),
  }
  if (urls.length > 0) return urls.map((url) => draftUrl(url, named, common))
  const source =
    named.find(({ kind }) => kind === 'source') ??
    findOtherSource(report, text, subject, header, enclosed)
  const about = subject?.[1] ?? ''
  if (source === null) {
    return /^https?:\/\//i.test(about)
      ? [draftUrl(subjectUrl(about, report, text), named, common)]
      : []
  }
  const atMs = parseReportTime(source.date)
  const findings = [
    findingOf('/ip', source),
    ...timeFinding(source, atMs),
    typeFinding('Spam', source),
  ]
  return [{ eventType: 'Spam', atMs, ip: source.value, details: common, findings }]
}

function draftUrl(
  url: Named,
  named: readonly Named[],
  common: EventDraft['details'] & object,
): EventDraft {
  // `http://… is 192.0.2.1; Mon, 2 Mar 2026 …`: where the site was when it was reported.
  const address = named.find(
    ({ kind, excerpt }) => kind === 'source' && excerpt.startsWith(`${url.value} is `),
  )
  const atMs = parseReportTime(address?.date || url.date)
  return {
    eventType: 'Spamvertised',
    atMs,
    ip: address?.value ?? null,
    url: url.value,
    details: common,
    findings: [
      findingOf('/event_details/url', url),
      ...(address === undefined ? [] : [findingOf('/ip', address)]),
      ...timeFinding(address ?? url, atMs),
      typeFinding('Spamvertised', url),
    ],
  }
}

const MAIL_FROM = /^Email (?:relayed |received )?from ([0-9a-f.:]{3,45}) {1,5}\/ {1,5}(.{0,100})/i
const SITE = /^Spamvertised web ?site: {0,5}(https?:\/\/\S{1,2000})/i
const RESOLVED = /^(https?:\/\/\S{1,2000}) is ([0-9a-f.:]{3,45})(?:;\s?(.{0,100}))?/i

/** Up to the offending mail, whose words are the spammer's. */
function listNamed(text: ReadableText): readonly Named[] {
  const named: Named[] = []
  for (const [at, raw] of text.lines.slice(0, LINES_MAX).entries()) {
    const line = unquote(raw).slice(0, 4_000)
    if (isOffendingMail(line) || TRACE_START.test(line)) break
    const place = { text, line: at + 1, excerpt: line }
    const mail = MAIL_FROM.exec(line)
    const resolved = RESOLVED.exec(line)
    const ip = reportableIp(mail?.[1] ?? resolved?.[2] ?? '')
    // Of several sites the brief form may name the first only, and where each of them was.
    const site = SITE.exec(line)?.[1] ?? (ip === null ? undefined : resolved?.[1])
    if (ip !== null) {
      const reason =
        mail === null
          ? 'The report says where the site was.'
          : 'The report says where the mail came from.'
      named.push({
        ...place,
        kind: 'source',
        value: ip,
        date: mail?.[2] ?? resolved?.[3] ?? '',
        reason,
      })
    }
    if (site !== undefined && !named.some(({ value }) => value === site)) {
      named.push({
        ...place,
        kind: 'url',
        value: site,
        date: '',
        reason: 'The report names it as advertised.',
      })
    }
  }
  return named
}

function isOffendingMail(line: string): boolean {
  return /^\[ Offending message \]/i.test(line)
}

// The offending mail where the copy lost the mark above it.
const TRACE_START = /^(?:Return-Path|Received):/i

function readEnclosed({ lines }: ReadableText) {
  const at = lines.findIndex((line) => isOffendingMail(unquote(line)))
  const start = at === -1 ? lines.findIndex((line) => TRACE_START.test(line)) : at + 1
  return { headers: start === -1 ? [] : parseHeaderLines(lines.slice(start)), line: start + 1 }
}

/**
 * Where the text has no line for it: the mail's own header, its subject, or the trace of the
 * offending mail.
 */
function findOtherSource(
  report: MailReport,
  text: ReadableText,
  subject: RegExpExecArray | null,
  header: string | null,
  enclosed: ReturnType<typeof readEnclosed>,
): Named | null {
  const base = { kind: 'source', text, line: 1, date: '' } as const
  const told = reportableIp(header ?? '')
  if (told !== null) {
    return {
      ...base,
      value: told,
      excerpt: `X-SpamCop-sourceip: ${header}`,
      reason: 'A header of the report names it.',
    }
  }
  const about = reportableIp(subject?.[1] ?? '')
  if (about !== null) {
    return {
      ...base,
      text: textOfSubject(report, text),
      value: about,
      excerpt: report.mail.subject,
      reason: 'The subject names it.',
    }
  }
  // A report about a site says nothing about the mail.
  if (subject !== null && parseSocketAddress(subject[1] ?? '') === null) return null
  const trace = findMailSource(enclosed.headers)
  if (trace === null) return null
  return {
    ...base,
    value: trace.ip,
    line: enclosed.line,
    excerpt: trace.line,
    reason: trace.reason,
  }
}

function subjectUrl(url: string, report: MailReport, text: ReadableText): Named {
  const place = {
    text: textOfSubject(report, text),
    line: 1,
    excerpt: report.mail.subject,
    date: '',
  }
  return { ...place, kind: 'url', value: url, reason: 'The subject names it.' }
}

function textOfSubject({ texts }: MailReport, text: ReadableText): ReadableText {
  return texts.find(({ kind }) => kind === 'subject') ?? text
}

// The tracking URL tells the one who opens it all that SpamCop knows, and lets an answer be given.
const TRACKING = /https?:\/\/\S{1,200}\/(?:w3m\?i=|sc\?id=|mcgi\?action=)\S{1,300}/i

function findTrackingUrl({ lines }: ReadableText): string | undefined {
  for (const line of lines.slice(0, 100)) {
    const url = TRACKING.exec(line.slice(0, 2_000))?.[0]
    if (url !== undefined) return url
  }
  return undefined
}

function mailDetails(headers: Parameters<typeof headerText>[0]) {
  const messageId = headerText(headers, 'message-id')
  const subject = headerText(headers, 'subject')
  if (messageId === '' && subject === '') return undefined
  return {
    ...(messageId === '' ? {} : { message_id: messageId }),
    ...(subject === '' ? {} : { subject }),
  }
}

function findingOf(field: string, { value, text, line, excerpt, reason }: Named): Finding {
  return { field, value, part: text.part, line, excerpt, role: 'source', rank: 1, reason }
}

function timeFinding(named: Named, atMs: number | null): readonly Finding[] {
  if (atMs === null) return []
  const reason = 'The time beside what is reported.'
  const value = new Date(atMs).toISOString()
  return [{ ...findingOf('/event_date', named), value, role: null, rank: null, reason }]
}

function typeFinding(value: string, named: Named): Finding {
  const reason =
    value === 'Spam'
      ? 'SpamCop reports the source of a mail.'
      : 'SpamCop reports an advertised site.'
  return { ...findingOf('/event_type', named), value, role: null, rank: null, reason }
}
