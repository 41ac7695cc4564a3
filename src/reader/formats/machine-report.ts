// Shared by the readers of machine formats: builds the result from drafts of events.

import { ID_LENGTH_MAX } from '../../vocabulary/event.ts'
import { type DraftFrame, type EventDraft, finishDraft, storableText } from '../event-draft.ts'
import { findHeader } from '../mail/mail.ts'
import type { MailReport, MailReporter } from '../mail-format.ts'
import type { Finding, ReportParty, ReportResult } from '../reading.ts'

/**
 * What one report may hold; a longer one is sent in several. 10,000 events are stored within a
 * second or two.
 */
export const MACHINE_EVENTS_MAX = 10_000
/** More findings than a person reads at once. */
export const PASSED_OVER_MAX = 50

const NOBODY: ReportParty = { org: '', contact: '', domain: '' }

export interface MachineReading {
  readonly format: string
  /** The format's own id; left out, the mail's. */
  readonly reportId?: string | null
  /** Whose complaint it is; left out, the reporter of the mail. */
  readonly reporter?: ReportParty | null
  /** Who sent it; left out, the reporter of the mail. */
  readonly sender?: ReportParty | null
  readonly drafts: readonly EventDraft[]
  readonly passedOver: readonly Finding[]
  /** The public sentence when there is no draft. */
  readonly emptyReason: string
}

export function buildResult(reading: MachineReading, report: MailReport): ReportResult {
  const { format, drafts } = reading
  const passedOver = reading.passedOver.slice(0, PASSED_OVER_MAX)
  if (drafts.length === 0) {
    return { kind: 'no_report', format, reason: reading.emptyReason, passedOver }
  }
  if (drafts.length > MACHINE_EVENTS_MAX) return explainTooMany(drafts.length)
  // Whoever only handed the report over comes last, behind the party that its own data name.
  const sender =
    reading.sender ?? mailReporter(report) ?? reading.reporter ?? report.reporter ?? NOBODY
  const reporter = reading.reporter ?? sender
  // The reader of a format takes its id as it stands there.
  const reportId = storableText(reading.reportId ?? report.reportId, ID_LENGTH_MAX)
  const frame: DraftFrame = {
    senderEmail: sender.contact,
    reportId,
    reportedAtMs: report.mail.dateMs,
    dateText: findHeader(report.mail, 'date'),
    receivedAtMs: report.context.receivedAtMs,
  }
  const senderFinding = findSender(sender, report)
  const events = drafts.map((draft) =>
    finishDraft({ ...draft, findings: [...draft.findings, senderFinding] }, frame),
  )
  return { kind: 'report', format, reportId, reporter, sender, events, passedOver }
}

/**
 * Tells what of a report was not read; `line` is the first line of that. Findings of this kind
 * stand before all others.
 */
export function reportCut(part: string, line: number, reason: string): Finding {
  return {
    field: '',
    value: '',
    part,
    line,
    excerpt: '',
    role: null,
    rank: null,
    reason,
    rule: 'not-read',
  }
}

/**
 * Null when nobody but who handed the report over is known; then the one whom the format names
 * decides.
 */
export function mailReporter({ reporter }: MailReport): MailReporter | null {
  return reporter === null || reporter.isStandIn === true ? null : reporter
}

/** The time of the report itself. */
export function reportedAt({ mail, context }: MailReport): number {
  return mail.dateMs ?? context.receivedAtMs
}

export function explainTooMany(count: number): Extract<ReportResult, { kind: 'unreadable' }> {
  const reason = `The report has ${count} or more rows; at most ${MACHINE_EVENTS_MAX} are read from one report.`
  return { kind: 'unreadable', reason, decidedBy: { rule: 'too-many-events', words: '' } }
}

/** Of an XML document beyond the limits of xml-tree.ts, most of which have too many rows. */
export function explainLargeXml(): Extract<ReportResult, { kind: 'unreadable' }> {
  const reason = `The XML of the report has more elements than are read, or nests too deep; more than ${MACHINE_EVENTS_MAX} rows come in several reports.`
  return { kind: 'unreadable', reason }
}

function findSender(sender: ReportParty, { mail, reporter }: MailReport): Finding {
  const found = {
    field: '/sender_email',
    value: sender.contact,
    line: null,
    role: 'reporter',
    rule: 'reporter',
  }
  if (reporter === null || reporter.contact !== sender.contact) {
    const reason = 'The report names its sender in its own data.'
    return { ...found, part: 'report', excerpt: sender.contact, rank: null, reason }
  }
  const excerpt = mail.from[0]?.address ?? sender.contact
  return { ...found, ...describeReporter(reporter), excerpt, rank: null }
}

/** Where the reporter of a mail was found and why, for a finding. */
export function describeReporter({
  how,
  isStandIn,
}: MailReporter): Pick<Finding, 'part' | 'reason'> {
  return {
    part: isStandIn === true ? 'report' : 'header From',
    reason: how ?? 'The reporter of the mail.',
  }
}
