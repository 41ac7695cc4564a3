// Reader of the notice that a mail server (Exim and kin) writes for one mail which failed DMARC:
// lines of `Name: value` in a text for people. Servers mark it as an automatic reply.

import { parseDomain } from '../../values/domain.ts'
import { reportableIp } from '../../vocabulary/reportable-ip.ts'
import type { ReadableText } from '../mail/mail.ts'
import type { MailFormat, MailReport } from '../mail-format.ts'
import type { Finding, ReportResult } from '../reading.ts'
import { buildResult } from './machine-report.ts'
import { parseReportTime } from './report-time.ts'

const FORMAT = 'dmarc'

export const DMARC_NOTICE_FORMAT: MailFormat = { name: FORMAT, read: readNotice }

const LINES_MAX = 100
const FIELD = /^\s{0,8}([A-Za-z][A-Za-z ]{2,30}?)\s?:\s{0,8}(\S.{0,200})$/

// What the server did with a mail that passed.
const PASSED = /^(?:pass(?:ed)?|accept(?:ed)?)\b/i

interface NoticeLine {
  readonly value: string
  readonly place: Pick<Finding, 'part' | 'line' | 'excerpt' | 'role' | 'rank'>
}

/** The fields of the first body that tells both an address and the result; null when none does. */
function readNotice(report: MailReport): ReportResult | null {
  for (const text of report.texts.filter(({ kind }) => kind === 'body')) {
    const fields = listFields(text)
    const source = fields.get('sender ip address') ?? fields.get('sender ip')
    const verdict = fields.get('dmarc results') ?? fields.get('dmarc result')
    if (source !== undefined && verdict !== undefined) {
      return draftNotice(report, fields, source, verdict)
    }
  }
  return null
}

function listFields({ part, lines }: ReadableText): ReadonlyMap<string, NoticeLine> {
  const fields = new Map<string, NoticeLine>()
  for (const [at, excerpt] of lines.slice(0, LINES_MAX).entries()) {
    const [, name, value] = FIELD.exec(excerpt.slice(0, 300)) ?? []
    if (name === undefined || value === undefined || fields.has(name.toLowerCase())) continue
    const place = { part, line: at + 1, excerpt, role: null, rank: null }
    fields.set(name.toLowerCase(), { value: value.trim(), place })
  }
  return fields
}

function draftNotice(
  report: MailReport,
  fields: ReadonlyMap<string, NoticeLine>,
  source: NoticeLine,
  verdict: NoticeLine,
): ReportResult {
  if (PASSED.test(verdict.value)) {
    const why = 'The notice says that the mail passed DMARC, so nothing is wrong with it.'
    return { kind: 'no_report', format: FORMAT, reason: why, passedOver: [] }
  }
  const emptyReason = 'The DMARC notice names no source that somebody can have on the Internet.'
  const ip = reportableIp(source.value.replace(/^\[|\]$/g, ''))
  if (ip === null) {
    return buildResult({ format: FORMAT, drafts: [], passedOver: [], emptyReason }, report)
  }
  const date = fields.get('received date') ?? fields.get('date')
  const atMs = parseReportTime(date?.value ?? '')
  const from = parseDomain(fields.get('sender domain')?.value ?? '')
  const reason = 'The notice names it.'
  const findings: Finding[] = [
    { ...source.place, field: '/ip', value: ip, role: 'source', reason },
    {
      ...verdict.place,
      field: '/event_type',
      value: 'AuthFailure',
      reason: 'A mail failed DMARC.',
    },
  ]
  if (date !== undefined && atMs !== null) {
    const value = new Date(atMs).toISOString()
    findings.push({ ...date.place, field: '/event_date', value, reason })
  }
  const details = { report_kind: 'dmarc_notice', header_from: from ?? undefined }
  const draft = {
    eventType: 'AuthFailure',
    eventSubtypes: ['dmarc-failure'],
    atMs,
    ip,
    details: { ...details, dmarc_result: verdict.value },
    findings,
  }
  return buildResult({ format: FORMAT, drafts: [draft], passedOver: [], emptyReason }, report)
}
