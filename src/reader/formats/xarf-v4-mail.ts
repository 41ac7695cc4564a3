// XARF version 4 that came by mail (specification 4.2.0): each JSON object of it is read as if it
// had been pushed.

import type { FieldProblem } from '../../values/field-problem.ts'
import type { MailFormat, MailReport } from '../mail-format.ts'
import type { Finding, ReadReport, ReportResult } from '../reading.ts'
import { PASSED_OVER_MAX } from './machine-report.ts'
import { type CarriedXarf, findCarriedXarf } from './xarf-carrier.ts'
import { readXarfV4 } from './xarf-v4.ts'

export const XARF_V4_MAIL_FORMAT: MailFormat = { name: 'xarf_v4', read: readXarfV4Mail }

const MARKER = /["\u201C-\u201F]xarf_version["\u201C-\u201F]/

function readXarfV4Mail(report: MailReport): ReportResult | null {
  const carried = findCarriedXarf(report, MARKER, (value) => value['xarf_version'] !== undefined)
  if (carried.length === 0) return null
  const sound: ReadReport[] = []
  const problems: FieldProblem[] = []
  const passedOver: Finding[] = []
  for (const [at, object] of carried.entries()) {
    const result = readXarfV4(object.value, report.context.receivedAtMs)
    if (result.kind === 'report') sound.push(placeFindings(result, object))
    if (result.kind !== 'invalid') continue
    const prefix = carried.length === 1 ? '' : `/${at}`
    problems.push(
      ...result.problems.map((problem) => ({ ...problem, path: prefix + problem.path })),
    )
    passedOver.push(...result.problems.map((problem) => findingOf(problem, prefix, object)))
  }
  const [first] = sound
  if (first === undefined) return { kind: 'invalid', format: 'xarf_v4', problems }
  return {
    ...first,
    events: sound.flatMap(({ events }) => events),
    passedOver: passedOver.slice(0, PASSED_OVER_MAX),
  }
}

function placeFindings(result: ReadReport, { part }: CarriedXarf): ReadReport {
  const events = result.events.map(({ event, findings }) => ({
    event,
    findings: findings.map((finding) => ({ ...finding, part })),
  }))
  return { ...result, events }
}

// Of several reports the sound ones count; what was wrong with the others must be seen all the
// same.
function findingOf(problem: FieldProblem, prefix: string, { part, line }: CarriedXarf): Finding {
  const path = prefix + problem.path
  return {
    field: path,
    value: '',
    part,
    line,
    excerpt: '',
    role: null,
    rank: null,
    reason: `This report is not valid XARF: ${path} ${problem.reason}.`,
  }
}
