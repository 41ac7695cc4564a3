// The summaries of SpamCop: a row for each source address with how often it was reported, in
// columns parted by bars or by blanks.

import { reportableIp } from '../../vocabulary/reportable-ip.ts'
import { type EventDraft } from '../event-draft.ts'
import type { ReadableText } from '../mail/mail.ts'
import type { MailReport } from '../mail-format.ts'
import type { Finding } from '../reading.ts'
import { reportCut, reportedAt } from './machine-report.ts'
import { parseReportTime } from './report-time.ts'

// `192.0.2.1 | Mar  2 10h/3 | 12 | 4 | 0 | 0 | host.example`: first seen in UTC, for how many
// hours, then trap, user, mole and simp.
const START = /^([A-Z][a-z]{2})\s{1,3}(\d{1,2})\s{1,3}(\d{1,2})h/
const ROWS_MAX = 5_000
const HEAD_LINES_MAX = 300
// `IP_Address Start/Length Trap User Mole Simp Comments RDNS`.
const HEAD = /^ip[_ ]?address\b.{0,60}\btrap\b.{0,20}\buser\b.{0,20}\bmole\b/i
const BLANK_ROW =
  /^([0-9a-f.:]{3,45})\s+([A-Z][a-z]{2}\s{1,3}\d{1,2}\s{1,3}\d{1,2}h\S{0,12})((?:\s+\d{1,9}){1,4})(?:\s|$)/i

/** Its head stands in the mail, although the banner may be missing in a copy. */
export function hasSummaryHead({ lines }: ReadableText): boolean {
  return lines.slice(0, HEAD_LINES_MAX).some((line) => HEAD.test(unquote(line)))
}

/** A copy that was passed on is quoted. */
export function unquote(line: string): string {
  return line
    .slice(0, 5_000)
    .replace(/^(?:\s{0,3}[>|]){1,8}/, '')
    .trim()
}

/** The address, the start, and then trap, user, mole and simp; null where the line is no row. */
function readRow(fullLine: string): readonly string[] | null {
  const line = unquote(fullLine).slice(0, 1_000)
  const cells = line.split('|').map((cell) => cell.trim())
  if (cells.length >= 4) return cells
  const [, ip, start, counts] = BLANK_ROW.exec(line) ?? []
  if (ip === undefined || start === undefined || counts === undefined) return null
  return [ip, start, ...counts.trim().split(/\s+/)]
}

/** What of a summary was not read; empty when it was read as a whole. */
export function reportSummaryCut({ part, lines }: ReadableText): readonly Finding[] {
  const isWhole = lines.slice(ROWS_MAX).every((line) => line.trim() === '')
  const reason = `Of the ${lines.length} lines of the summary the first ${ROWS_MAX} were read.`
  return isWhole ? [] : [reportCut(part, ROWS_MAX + 1, reason)]
}

export function draftSummaryRows(text: ReadableText, report: MailReport): readonly EventDraft[] {
  const drafts: EventDraft[] = []
  for (const [at, line] of text.lines.slice(0, ROWS_MAX).entries()) {
    const cells = readRow(line)
    const ip = reportableIp(cells?.[0] ?? '')
    if (cells === null || ip === null) continue
    const [trap = 0, user = 0, mole = 0, simp = 0] = cells.slice(2, 6).map(countOf)
    // Hits on traps only are no complaint of a person.
    const eventType = trap > 0 && user + mole + simp === 0 ? 'Trap' : 'Spam'
    const place = { part: text.part, line: at + 1, excerpt: line, rank: null }
    const atMs = startOf(cells[1] ?? '', report)
    drafts.push({
      eventType,
      atMs,
      ip,
      details: { count: trap + user + mole + simp, report_kind: 'spamcop_summary' },
      findings: [
        {
          ...place,
          field: '/ip',
          value: ip,
          role: 'source',
          reason: 'The first column of the summary.',
        },
        {
          ...place,
          field: '/event_type',
          value: eventType,
          role: null,
          reason: 'By who reported it: traps or people.',
        },
        ...(atMs === null
          ? []
          : [
              {
                ...place,
                field: '/event_date',
                value: new Date(atMs).toISOString(),
                role: null,
                reason: 'The start of the reports.',
              },
            ]),
      ],
    })
  }
  return drafts
}

function countOf(cell: string): number {
  return /^\d{1,9}$/.test(cell) ? Number(cell) : 0
}

/** The year is that of the summary, or the one before where that would lie ahead. */
function startOf(cell: string, report: MailReport): number | null {
  const [, month, day = '', hour = ''] = START.exec(cell) ?? []
  if (month === undefined) return null
  const limitMs = reportedAt(report)
  const year = new Date(limitMs).getUTCFullYear()
  const [ms = null] = [year, year - 1]
    .map((each) => parseReportTime(`${day} ${month} ${each} ${hour.padStart(2, '0')}:00:00 +0000`))
    .filter((each) => each !== null && each <= limitMs)
  return ms
}
