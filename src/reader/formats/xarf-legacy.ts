// Reader of XARF versions 1 to 3: `{Version, ReporterInfo, Disclosure, Report}`. Its schemas were
// never kept to, so members are found in any spelling, and what a report needs is checked here: an
// address, a URL or a domain.

import { emailDomain, isEmailAddress } from '../../values/email.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import { addProblem } from '../../values/json-value.ts'
import type { EventDraft } from '../event-draft.ts'
import type { MailFormat, MailReport } from '../mail-format.ts'
import type { ReportParty, ReportResult } from '../reading.ts'
import { type LooseMembers, memberText, readMembers } from './loose-members.ts'
import { buildResult, explainTooMany, MACHINE_EVENTS_MAX, mailReporter } from './machine-report.ts'
import { type CarriedXarf, findCarriedXarf } from './xarf-carrier.ts'
import { draftLegacyReport } from './xarf-legacy-report.ts'

const FORMAT = 'xarf_legacy'

export const XARF_LEGACY_FORMAT: MailFormat = { name: FORMAT, read: readXarfLegacyMail }

const MARKER = /["\u201C-\u201F](?:reporter_?info|report_?class)["\u201C-\u201F]/i

function readXarfLegacyMail(report: MailReport): ReportResult | null {
  const carried = findCarriedXarf(report, MARKER, isXarfLegacy)
  return carried.length === 0 ? null : readObjects(carried, report)
}

/** True for an object of the shape of versions 1 to 3, sound or not. */
export function isXarfLegacy(value: unknown): boolean {
  const members = readMembers(value)
  return members.has('report') && (members.has('reporterinfo') || members.has('version'))
}

/**
 * Reads parsed JSON; `report` is what it came in. Problems are complete, each with the JSON pointer
 * of its place.
 */
export function readXarfLegacy(value: unknown, report: MailReport): ReportResult {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  const objects = values.flatMap((object) =>
    isXarfLegacy(object) ? [{ value: Object(object), part: 'json', line: 1 }] : [],
  )
  if (objects.length > 0) return readObjects(objects, report)
  const reason = 'must be an object with the members ReporterInfo and Report'
  return { kind: 'invalid', format: FORMAT, problems: [{ path: '/', reason }] }
}

function readObjects(objects: readonly CarriedXarf[], report: MailReport): ReportResult {
  const problems: FieldProblem[] = []
  const drafts: EventDraft[] = []
  let reporter: ReportParty | null = null
  let reportId: string | null = null
  for (const [at, object] of objects.entries()) {
    const members = readMembers(object.value)
    reporter ??= findParty(members)
    reportId ??= memberText(members, 'reportid', 'id').slice(0, 256) || null
    const prefix = objects.length === 1 ? '' : `/${at}`
    drafts.push(...draftObject(members, { prefix, object, problems }))
    if (drafts.length > MACHINE_EVENTS_MAX) return explainTooMany(drafts.length)
  }
  if (drafts.length === 0) return { kind: 'invalid', format: FORMAT, problems }
  const isMail = report.mail.from.length > 0 && mailReporter(report) !== null
  const reading = { format: FORMAT, reportId, reporter, drafts, passedOver: problems.map(passOver) }
  const emptyReason = 'The XARF report names nothing that is reported.'
  return buildResult({ ...reading, sender: isMail ? null : reporter, emptyReason }, report)

  function passOver({ path, reason }: FieldProblem) {
    return {
      field: path,
      value: '',
      part: objects[0]?.part ?? 'json',
      line: null,
      excerpt: '',
      role: null,
      rank: null,
      reason: `This report is left out: ${path} ${reason}.`,
    }
  }
}

interface ObjectPlace {
  readonly prefix: string
  readonly object: CarriedXarf
  readonly problems: FieldProblem[]
}

function draftObject(members: LooseMembers, place: ObjectPlace): readonly EventDraft[] {
  const { prefix, object, problems } = place
  const report = members.get('report')
  const name = report?.name ?? 'Report'
  const isList = Array.isArray(report?.value)
  const reports: readonly unknown[] = Array.isArray(report?.value) ? report.value : [report?.value]
  if (reports.length === 0) addProblem(problems, `${prefix}/${name}`, 'is an empty list')
  const version = memberText(members, 'version') || '3'
  return reports.slice(0, MACHINE_EVENTS_MAX + 1).flatMap((entry, at) => {
    const pointer = `${prefix}/${name}${isList ? `/${at}` : ''}`
    return draftLegacyReport(readMembers(entry), { pointer, version, part: object.part }, problems)
  })
}

/** Null when the report names no one with an address to answer to. */
function findParty(members: LooseMembers): ReportParty | null {
  const info = readMembers(members.get('reporterinfo')?.value)
  const addresses = ['reporterorgemail', 'reportercontactemail', 'reporteremail', 'email'].map(
    (key) => memberText(info, key),
  )
  const contact = addresses.find(isEmailAddress)
  if (contact === undefined) return null
  const domain = memberText(info, 'reporterorgdomain', 'domain')
  return {
    org: memberText(info, 'reporterorg', 'org', 'organisation', 'reportercontactname'),
    contact,
    domain: domain || emailDomain(contact),
  }
}
