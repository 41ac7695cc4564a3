// What a raw report says: its format is told by its content, and the reader of that format reads it.

import type { Log } from '../kernel/log.ts'
import type { FieldProblem } from '../kernel/operating-error.ts'
import { detectFormat } from './intake/detect-format.ts'
import type { ReadReport, ReportResult } from './intake/report.ts'
import { readXarfV4 } from './intake/xarf-v4.ts'
import type { ReportVerdict } from './store/report-store.ts'

export type Reading =
  | { readonly kind: 'read'; readonly format: string; readonly report: ReadReport }
  | ({ readonly kind: 'refused' } & Pick<ReportVerdict, 'state' | 'problems' | 'format'> & {
        readonly reason: string
      })

export interface ReadReportDeps {
  readonly log: Log
  /** `readXarfV4` when left out. */
  readonly readXarf?: (value: Record<string, unknown>, nowMs: number) => ReportResult
}

/**
 * A format nobody here reads is quarantined: a later version may. So is one whose reader fails on it, since the fault is ours. A known
 * format with its rules broken is rejected: only its sender can mend it. Never throws.
 */
export function readReport(deps: ReadReportDeps, bytes: Buffer, arrivedAt: Date): Reading {
  try {
    return read(deps, bytes, arrivedAt)
  } catch (error) {
    deps.log.error('The reader of a report failed', { error: String(error) })
    const reason =
      'The report could not be read: its reader failed on it; the log holds the reason.'
    return { kind: 'refused', state: 'quarantined', reason, problems: [], format: null }
  }
}

function read({ readXarf = readXarfV4 }: ReadReportDeps, bytes: Buffer, arrivedAt: Date): Reading {
  const detected = detectFormat(bytes)
  if (detected.kind === 'unknown') {
    const { reason } = detected
    return { kind: 'refused', state: 'quarantined', reason, problems: [], format: null }
  }
  const result = readXarf(detected.value, arrivedAt.getTime())
  if (result.kind === 'report') return { kind: 'read', format: detected.kind, report: result }
  const { problems } = result
  const reason = `The report is not valid XARF: ${describeFirst(problems)}`
  return { kind: 'refused', state: 'rejected', reason, problems, format: detected.kind }
}

function describeFirst(problems: readonly FieldProblem[]): string {
  const first = problems[0]
  if (first === undefined) return 'it breaks a rule of its format.'
  const more = problems.length === 1 ? '' : ` (and ${problems.length - 1} more)`
  return `${first.path} ${first.reason}${more}.`
}
