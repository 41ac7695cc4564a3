// What a raw report says, as the use cases take it: read, or refused with the state it is kept in.

import type { Log } from '../../kernel/log.ts'
import { OperatingError } from '../../kernel/operating-error.ts'
import { readReportBytes } from '../../reader/read-report.ts'
import type { Finding, ReadReport, ReportContext, ReportResult } from '../../reader/reading.ts'
import { type FieldProblem } from '../../values/field-problem.ts'
import type { ReportVerdict } from './report-store.ts'

export type Reading = { readonly kind: 'read'; readonly report: ReadReport } | RefusedReading

interface RefusedReading extends Pick<ReportVerdict, 'problems' | 'format'> {
  readonly kind: 'refused'
  readonly state: 'rejected' | 'quarantined'
  readonly reason: string
  readonly passedOver: readonly Finding[]
}

/**
 * Reads the bytes of one report. May throw: an operating error when nobody can read it now, all
 * else is a fault of the reader.
 */
export type ReadBytes = (
  bytes: Uint8Array,
  context: ReportContext,
) => ReportResult | Promise<ReportResult>

export interface ReadReportDeps {
  readonly log: Log
  /** `readReportBytes` when left out. */
  readonly readBytes?: ReadBytes
}

/**
 * A report nobody here can read is quarantined: a later version may. So is one whose reader fails
 * on it, since the fault is ours. A known format with its rules broken is rejected, only its sender
 * can mend it; so is what holds no report. Throws the operating error of a reader that has no time;
 * then the report stays unread for the sweep.
 */
export async function readReport(
  { log, readBytes = readReportBytes }: ReadReportDeps,
  bytes: Buffer,
  context: ReportContext,
): Promise<Reading> {
  try {
    return judge(await readBytes(bytes, context))
  } catch (error) {
    if (error instanceof OperatingError) throw error
    log.error('The reader of a report failed', { error: String(error) })
    const reason =
      'The report could not be read: its reader failed on it; the log holds the reason.'
    return refuse('quarantined', reason)
  }
}

function judge(result: ReportResult): Reading {
  switch (result.kind) {
    case 'report':
      return { kind: 'read', report: result }
    case 'invalid': {
      const { format, problems } = result
      const reason = `The report is not valid ${nameFormat(format)}: ${describeFirst(problems)}`
      return refuse('rejected', reason, { format, problems })
    }
    case 'no_report':
      return refuse('rejected', result.reason, result)
    case 'unreadable':
      return refuse('quarantined', result.reason)
  }
}

function refuse(
  state: RefusedReading['state'],
  reason: string,
  told: Partial<Pick<RefusedReading, 'format' | 'problems' | 'passedOver'>> = {},
): RefusedReading {
  const { format = null, problems = [], passedOver = [] } = told
  return { kind: 'refused', state, reason, format, problems, passedOver }
}

// The names of people for what the wire calls `xarf_v4`.
function nameFormat(format: string): string {
  return format.startsWith('xarf') ? 'XARF' : format.toUpperCase().replace('_', '-')
}

function describeFirst(problems: readonly FieldProblem[]): string {
  const first = problems[0]
  if (first === undefined) return 'it breaks a rule of its format.'
  const more = problems.length === 1 ? '' : ` (and ${problems.length - 1} more)`
  return `${first.path} ${first.reason}${more}.`
}
