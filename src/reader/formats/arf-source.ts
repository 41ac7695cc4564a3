// Finds the source and the time of the mail that a feedback report complains about.

import { reportableIp } from '../../vocabulary/reportable-ip.ts'
import type { Finding } from '../reading.ts'
import type { Feedback } from './arf-type.ts'
import { findMailSource, headerText, stripBrackets } from './enclosed-mail.ts'
import { findField } from './key-value-lines.ts'
import { parseReportTime } from './report-time.ts'

export interface RankedSource {
  readonly ip: string
  readonly isUsed: boolean
  readonly finding: Finding
}

/**
 * The addresses the mail may have come from, the surest first. None is used of a report about links
 * that names no source: who sent the mail is not who holds the page.
 */
export function rankFeedbackSources(
  feedback: Feedback,
  isAboutLink: boolean,
): readonly RankedSource[] {
  const { fields, enclosed, part } = feedback
  const candidates: { ip: string; finding: Omit<Finding, 'field' | 'value' | 'role' | 'rank'> }[] =
    []
  const field = findField(fields, 'source-ip', 'source')
  const named =
    field === null ? null : reportableIp(stripBrackets(field.value.split(/[\s,;]/)[0] ?? ''))
  if (field !== null && named !== null) {
    const reason = 'The report names it as the source.'
    candidates.push({ ip: named, finding: { part, line: field.line, excerpt: field.text, reason } })
  }
  const trace = enclosed === null ? null : findMailSource(enclosed.headers)
  if (trace !== null && enclosed !== null) {
    const { line: excerpt, reason } = trace
    candidates.push({ ip: trace.ip, finding: { part: enclosed.part, line: null, excerpt, reason } })
  }
  candidates.push(...findInWords(feedback))
  const unique = candidates.filter(
    ({ ip }, at) => candidates.findIndex((other) => other.ip === ip) === at,
  )
  const isLinkOnly = isAboutLink && named === null
  const whyNot = 'The report is about its links, not about the mail that held them.'
  return unique.map(({ ip, finding }, at) => {
    const reason = isLinkOnly ? whyNot : finding.reason
    return {
      ip,
      isUsed: at === 0 && !isLinkOnly,
      finding: { field: '/ip', value: ip, ...finding, reason, role: 'source', rank: at + 1 },
    }
  })
}

// "… for an email message received from IP 192.0.2.1 on …" is how RFC 5965 words its examples, and
// many follow. The subject is mostly that of the reported mail (section 2), so its words are those
// of the accused.
const WORDS = /\bfrom (?:the )?IP(?: address)?:? {0,3}\[?([0-9a-f.:]{3,45})/i

function findInWords({ report }: Feedback) {
  for (const { part, kind, lines } of report.texts) {
    if (kind !== 'body') continue
    for (const [at, line] of lines.slice(0, 100).entries()) {
      const word = WORDS.exec(line.slice(0, 1_000))?.[1] ?? ''
      const ip = reportableIp(word.replace(/[.:]$/, ''))
      const reason = 'The words of the report name it.'
      if (ip !== null) return [{ ip, finding: { part, line: at + 1, excerpt: line, reason } }]
    }
  }
  return []
}

/** When the mail arrived, as the report tells, else as its trace does. */
export function findFeedbackTime({ fields, enclosed, part }: Feedback): {
  atMs: number | null
  findings: readonly Finding[]
} {
  const base = { field: '/event_date', role: null, rank: null }
  const field = findField(fields, 'arrival-date', 'received-date', 'date')
  const toldMs = parseReportTime(field?.value ?? '')
  if (field !== null && toldMs !== null) {
    const reason = 'The report names it as the time of arrival.'
    return {
      atMs: toldMs,
      findings: [
        { ...base, value: isoOf(toldMs), part, line: field.line, excerpt: field.text, reason },
      ],
    }
  }
  const trace = headerText(enclosed?.headers ?? [], 'received')
  const traceMs = parseReportTime(trace.slice(trace.lastIndexOf(';') + 1).trim())
  if (traceMs === null || enclosed === null) return { atMs: null, findings: [] }
  const reason = 'The topmost hop of the enclosed mail has it.'
  return {
    atMs: traceMs,
    findings: [
      {
        ...base,
        value: isoOf(traceMs),
        part: enclosed.part,
        line: null,
        excerpt: trace,
        reason,
      },
    ],
  }
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
