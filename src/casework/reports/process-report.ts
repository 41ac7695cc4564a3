// A kept report becomes events: its transport is checked, its bytes are read, and its events and
// its verdict are stored in one transaction.

import type { Clock } from '../../kernel/clock.ts'
import { inTransaction, type Tx } from '../../kernel/db/database.ts'
import type { Log } from '../../kernel/log.ts'
import { OperatingError } from '../../kernel/operating-error.ts'
import { readReportBytes } from '../../reader/read-report.ts'
import type {
  DecidingRule,
  Finding,
  Letter,
  ReadReport,
  ReportContext,
  ReportResult,
} from '../../reader/reading.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import { checkJsonObject } from '../../values/json-value.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { DETAILS_LIMITS, type NewEvent } from '../../vocabulary/event.ts'
import {
  type MailAuthentication,
  summariseAuthentication,
} from '../../vocabulary/mail-authentication.ts'
import type { Actor } from '../cases/case-tables.ts'
import { findCommentOfReport } from '../cases/comments/comment-store.ts'
import { reportIsCorrected } from '../cases/errors.ts'
import { type EventRecordRow, findEvents } from '../events/event-list-store.ts'
import { fingerprintEvent } from '../events/fingerprint.ts'
import type { EventOutcomeKind, IncomingEvent, Repeats } from '../events/incoming-event.ts'
import { type Ingested, ingest } from '../events/ingest.ts'
import type { CountIngest } from '../events/ingest-metrics.ts'
import type { KeyingDeps } from '../events/key-events.ts'
import { isReply } from '../notices/notice-reply-store.ts'
import type { PrepareOwners } from '../owners/prepare-owners.ts'
import {
  claimReport,
  claimUncorrected,
  findKeptReport,
  type KeptReport,
} from './kept-report-store.ts'
import { loadReportContext, type ReportContextDeps } from './report-context-store.ts'
import { writeVerdict } from './report-store.ts'
import type { Envelope, ReportChannel, ReportState, ReportVerdict } from './report-tables.ts'

/**
 * Reads the bytes of one report. May throw: an operating error when the report cannot be read now,
 * any other error is a fault of the reader.
 */
type ReadBytes = (
  bytes: Uint8Array,
  context: ReportContext,
  tenantId: string,
) => ReportResult | Promise<ReportResult>

/** Never rejects, and takes a bounded time; null when nothing can be asked. */
export type AuthenticateMail = (
  bytes: Buffer,
  envelope: Envelope,
) => Promise<MailAuthentication | null>

/** What became of a mail that came back for a notice. */
export type ReplyEnd =
  | { readonly kind: 'no_reply' }
  /** `as`: one word, for the metric. `isClaimed` is false when another process took it. */
  | {
      readonly kind: 'taken'
      readonly as: string
      readonly isClaimed: boolean
      readonly hasSignal: boolean
    }
  | {
      readonly kind: 'refused'
      readonly word: string
      readonly state: 'rejected' | 'quarantined'
      readonly reason: string
    }

interface ReplyFacts {
  readonly authentication: MailAuthentication | null
  /** It holds a report that a program wrote. */
  readonly isMachineReport: boolean
}

export interface NoticeReplies {
  /** The tenant of a notice by the key in a recipient address; null when there is none. */
  readonly findTenant: (address: string) => Promise<string | null>
  /** `claim` is asked in the transaction that takes the mail. */
  readonly take: (
    kept: KeptReport,
    facts: ReplyFacts,
    claim: (tx: Tx) => Promise<boolean>,
  ) => Promise<ReplyEnd>
}

export interface ReadReportDeps {
  readonly log: Log
  /** `readReportBytes` when left out. */
  readonly readBytes?: ReadBytes
}

export interface ReportDeps extends ReadReportDeps, KeyingDeps, ReportContextDeps {
  readonly clock: Clock
  /** Runs may be due. */
  readonly wakeWorkers: () => void
  /** No mail is authenticated when left out. */
  readonly authenticate?: AuthenticateMail
  /** Answers and bounces of our notices are reports like others when left out. */
  readonly replies?: NoticeReplies
  /** No resolver is asked when left out. */
  readonly prepareOwners?: PrepareOwners
  /** Nothing is counted when left out. */
  readonly countIngest?: CountIngest
}

/** The content of a report, or the state and the reason with which it is refused. */
export type Reading = { readonly kind: 'read'; readonly report: ReadReport } | RefusedReading

interface RefusedReading extends Pick<ReportVerdict, 'problems' | 'format'> {
  readonly kind: 'refused'
  readonly state: 'rejected' | 'quarantined'
  readonly reason: string
  readonly decidedBy: DecidingRule
  readonly passedOver: readonly Finding[]
  /** Of a mail. */
  readonly letter?: Letter
}

const NOT_READABLE: DecidingRule = { rule: 'not-readable', words: '' }

/** A report with its verdict and the events that were read out of it. */
export interface ProcessedReport {
  readonly reportId: string
  readonly state: ReportState
  readonly reason: string | null
  /** The rule by which it was refused, where it was just read; else null. */
  readonly decidedBy: DecidingRule | null
  /** Every rule of its format that it breaks; empty unless it was rejected for that. */
  readonly problems: readonly FieldProblem[]
  /** How it was read; null when no reader could. */
  readonly format: string | null
  readonly events: readonly ProcessedEvent[]
  /** Candidates that did not become part of an event. */
  readonly passedOver: readonly Finding[]
}

export interface ProcessedEvent {
  readonly outcome: EventOutcomeKind
  /** Only a duplicate has it. */
  readonly repeats: Repeats | null
  readonly record: EventRecordRow
  readonly findings: readonly Finding[]
}

/** What the events of a report share. */
export interface ReportOrigin {
  readonly id: string
  readonly actor: Actor
  /** What its transport proved; left out for a report without one. */
  readonly authentication?: MailAuthentication | null
}

/**
 * Reads the report again, as after a new release that reads more: known events are counted as
 * repeats, new ones are stored. Null when there is no such report. Throws `reportIsCorrected`: what
 * a person said of it stands. A report that was accepted stays accepted when nothing can be read
 * out of it any more: its events are there, and only the answer shows the refusal.
 */
export async function replayReport(
  deps: ReportDeps,
  scope: TenantScope,
  reportId: string,
  actor: Actor,
): Promise<ProcessedReport | null> {
  const kept = await findKeptReport(deps.db, scope, reportId)
  if (kept === null) return null
  if (kept.version > 1) throw reportIsCorrected()
  if (await isTakenReply(deps, scope, reportId)) return presentReply(kept)
  const context = await loadContext(deps, scope, kept)
  const reading = await readReport(deps, kept.bytes, context, scope.tenantId)
  if (reading.kind === 'refused' && kept.state === 'accepted') {
    return buildRefusedReport(reportId, reading)
  }
  const { authentication } = kept
  // Somebody may correct it while it is read.
  const claim = (tx: Tx) => claimUncorrected(tx, scope, reportId)
  const origin = { id: reportId, actor, authentication }
  const replayed = await storeReading(deps, scope, origin, reading, claim)
  if (replayed === null) throw reportIsCorrected()
  return replayed
}

/** A reply without a notice was taken over by a person, and has a comment only. */
async function isTakenReply({ db }: ReportDeps, scope: TenantScope, id: string): Promise<boolean> {
  return (await isReply(db, scope, id)) || (await findCommentOfReport(db, scope, id)) !== null
}

/** It was taken as an answer or a bounce, and that stands. */
function presentReply({ id, state }: KeptReport): ProcessedReport {
  const nothing = { reason: null, decidedBy: null, problems: [], format: null } as const
  return { reportId: id, state, ...nothing, events: [], passedOver: [] }
}

/** False when the report is gone, or another process has read it. */
export async function processReport(
  deps: ReportDeps,
  kept: KeptReport,
  authentication: MailAuthentication | null,
): Promise<boolean> {
  const { tenantId, id } = kept
  const context = await loadContext(deps, { tenantId }, kept)
  const read = await readReport(deps, kept.bytes, context, tenantId)
  const origin = { id, actor: actorOf(kept), authentication }
  const claim = (tx: Tx) => claimReport(tx, { tenantId }, id)
  const facts = { authentication, isMachineReport: isOfProgram(read) }
  const reply = await deps.replies?.take(kept, facts, claim)
  if (reply?.kind === 'taken') return reply.isClaimed
  const reading = reply?.kind === 'refused' ? refuse(reply.state, reply.reason, {}) : read
  return (await storeReading(deps, { tenantId }, origin, reading, claim)) !== null
}

// A person's answer quotes our notice, so the reader of free text finds events in it. Only the
// other formats are of programs.
function isOfProgram(reading: Reading): boolean {
  return reading.kind === 'read' && reading.report.format !== FREE_TEXT
}

const FREE_TEXT = 'text'

export async function loadContext(
  deps: ReportDeps,
  scope: TenantScope,
  { bytes, receivedAt, mediaType, fallbackReporter, to, remoteAddress }: KeptReport,
): Promise<ReportContext> {
  const envelope = { envelopeTo: to, clientAddress: remoteAddress }
  const arrived = { bytes, receivedAt, mediaType, fallbackReporter, ...envelope }
  return await loadReportContext(deps, scope, arrived)
}

function actorOf({ receivedBy, via }: KeptReport): Actor {
  const kind = CHANNELS_WITH_TRANSPORT.has(via) ? 'system' : 'token'
  return { kind, id: receivedBy, name: receivedBy }
}

const CHANNELS_WITH_TRANSPORT: ReadonlySet<ReportChannel> = new Set(['smtp', 'lmtp', 'imap'])

/**
 * Asks DNS, which may take seconds. Null for a report that came without a mail transport. Keys and
 * policies are those of the day of arrival, so an earlier result stands.
 */
export async function authenticateReport(
  deps: ReportDeps,
  kept: KeptReport,
): Promise<MailAuthentication | null> {
  if (kept.authentication !== null) return kept.authentication
  if (!CHANNELS_WITH_TRANSPORT.has(kept.via)) return null
  return (await deps.authenticate?.(kept.bytes, kept)) ?? null
}

/**
 * A report that no reader understands is quarantined: a later version may read it. So is a report
 * whose reader fails on it, since the fault is ours. A report that breaks the rules of its format
 * is rejected, only its sender can correct it; so is a message that holds no report. Throws the
 * operating error of a reader that has no time; the report then stays unread for the sweep.
 */
export async function readReport(
  { log, readBytes = readReportBytes }: ReadReportDeps,
  bytes: Buffer,
  context: ReportContext,
  tenantId: string,
): Promise<Reading> {
  try {
    return classify(await readBytes(bytes, context, tenantId))
  } catch (error) {
    if (error instanceof OperatingError) throw error
    log.error('The reader of a report failed', { error: String(error) })
    const reason =
      'The report could not be read: its reader failed on it; the log holds the reason.'
    return refuse('quarantined', reason, { decidedBy: { rule: 'reader-failed', words: '' } })
  }
}

function classify(result: ReportResult): Reading {
  switch (result.kind) {
    case 'report':
      return { kind: 'read', report: result }
    case 'invalid': {
      const { format, problems } = result
      const reason = `The report is not valid ${nameFormat(format)}: ${describeFirst(problems)}`
      const decidedBy = { rule: format, words: problems[0]?.path ?? '' }
      return refuse('rejected', reason, { format, problems, decidedBy })
    }
    case 'no_report':
      return refuse('rejected', result.reason, result)
    case 'unreadable':
      return refuse('quarantined', result.reason, result)
  }
}

function refuse(
  state: RefusedReading['state'],
  reason: string,
  details: Partial<Omit<RefusedReading, 'kind' | 'state' | 'reason'>>,
): RefusedReading {
  const { format = null, problems = [], passedOver = [], decidedBy = NOT_READABLE } = details
  const refused = {
    kind: 'refused',
    state,
    reason,
    format,
    problems,
    decidedBy,
    passedOver,
  } as const
  return details.letter === undefined ? refused : { ...refused, letter: details.letter }
}

// The names that people use for the formats of the wire, such as XARF for `xarf_v4`.
function nameFormat(format: string): string {
  return format.startsWith('xarf') ? 'XARF' : format.toUpperCase().replace('_', '-')
}

function describeFirst(problems: readonly FieldProblem[]): string {
  const first = problems[0]
  if (first === undefined) return 'it breaks a rule of its format.'
  const more = problems.length === 1 ? '' : ` (and ${problems.length - 1} more)`
  return `${first.path} ${first.reason}${more}.`
}

/** The answer for a reading that is refused, of which no event is stored. */
export function buildRefusedReport(reportId: string, reading: RefusedReading): ProcessedReport {
  const { state, reason, problems, format, decidedBy, passedOver } = reading
  return { reportId, state, reason, problems, format, decidedBy, events: [], passedOver }
}

/**
 * Stores the events of a kept report and its verdict in one transaction, which begins with `claim`.
 * When `claim` gives false, nothing is stored and the answer is null.
 */
export async function storeReading(
  deps: ReportDeps,
  scope: TenantScope,
  origin: ReportOrigin,
  reading: Reading,
): Promise<ProcessedReport>
export async function storeReading(
  deps: ReportDeps,
  scope: TenantScope,
  origin: ReportOrigin,
  reading: Reading,
  claim: (tx: Tx) => Promise<boolean>,
): Promise<ProcessedReport | null>
export async function storeReading(
  deps: ReportDeps,
  scope: TenantScope,
  origin: ReportOrigin,
  reading: Reading,
  claim?: (tx: Tx) => Promise<boolean>,
): Promise<ProcessedReport | null> {
  await prepareOwners(deps, scope, reading)
  const stored = await inTransaction(deps.db, async (tx) => {
    if (claim !== undefined && !(await claim(tx))) return null
    return await recordReading(tx, deps, scope, origin, reading)
  })
  if (stored === null) return null
  if (stored.runsStarted > 0) deps.wakeWorkers()
  return stored.report
}

/**
 * Waits for the turn of the tenant's rules, and asks its resolver for the owners of the events;
 * before the transaction, never in it.
 */
export async function prepareOwners(
  deps: ReportDeps,
  scope: TenantScope,
  reading: Reading,
): Promise<void> {
  if (reading.kind === 'refused') return
  await deps.conditionWork.waitForRoom(scope)
  await deps.prepareOwners?.(
    scope,
    reading.report.events.map(({ event }) => event),
  )
}

/** The same report came before, and a person withdrew all of its events. */
export function refuseWithdrawn({ report }: Reading & { kind: 'read' }): RefusedReading {
  const { format, passedOver } = report
  const reason = 'A person withdrew its events from an equal report that came before.'
  const decidedBy = { rule: 'withdrawn-by-person', words: '' }
  return refuse('rejected', reason, { format, passedOver, decidedBy })
}

interface RecordedReading {
  readonly report: ProcessedReport
  readonly runsStarted: number
}

async function recordReading(
  tx: Tx,
  deps: ReportDeps,
  scope: TenantScope,
  origin: ReportOrigin,
  reading: Reading,
): Promise<RecordedReading> {
  if (reading.kind === 'refused') return await recordRefusal(tx, scope, origin, reading)
  const { format, reportId: reporterReportId, passedOver } = reading.report
  const accepted = { state: 'accepted', reason: null, problems: [], format } as const
  const { events, ingested } = await ingestReading(tx, deps, scope, origin, reading)
  // A transaction that is tried again counts twice, which a metric bears.
  deps.countIngest?.(ingested.tally)
  if (events.length === 0) {
    return await recordRefusal(tx, scope, origin, refuseWithdrawn(reading))
  }
  const { id, authentication = null } = origin
  const eventCount = events.length
  const repeatedEventIds = events.flatMap(({ record }) =>
    record.report_id === id ? [] : [record.event_id],
  )
  const verdict = {
    ...accepted,
    reporterReportId,
    eventCount,
    authentication,
    repeatedEventIds: [...new Set(repeatedEventIds)],
    isMail: reading.report.isMail === true,
  }
  await writeVerdict(tx, scope, id, verdict)
  return {
    report: { reportId: id, ...accepted, decidedBy: null, events, passedOver },
    runsStarted: ingested.runsStarted,
  }
}

async function recordRefusal(
  tx: Tx,
  scope: TenantScope,
  { id, authentication = null }: ReportOrigin,
  refused: RefusedReading,
): Promise<RecordedReading> {
  const { state, reason, format, problems } = refused
  const content = { format, problems, reporterReportId: null, eventCount: 0 }
  await writeVerdict(tx, scope, id, { state, reason, ...content, authentication })
  return { report: buildRefusedReport(id, refused), runsStarted: 0 }
}

/**
 * Ingests the events of a report; outcomes, records and findings in the order of its events. Events
 * that a person withdrew from an equal report are left out.
 */
export async function ingestReading(
  tx: Tx,
  deps: ReportDeps,
  scope: TenantScope,
  origin: ReportOrigin,
  reading: Reading & { kind: 'read' },
): Promise<{ readonly events: readonly ProcessedEvent[]; readonly ingested: Ingested }> {
  const incoming = listIncoming(scope, origin, reading.report)
  const ingested = await ingest(tx, deps, scope, incoming, new Date(deps.clock.nowMs()))
  const eventIds = ingested.outcomes.map(({ eventId }) => eventId)
  const records = await findEvents(tx, scope, eventIds)
  const byId = new Map(records.map((record) => [record.event_id, record]))
  const events = ingested.outcomes.flatMap(({ eventId, kind, repeats = null }, index) => {
    const record = byId.get(eventId)
    if (record === undefined) {
      // A person withdrew it. Its fingerprint stayed, so that a repeat is known.
      if (kind === 'duplicate') return []
      throw new Error('an event that was ingested is not there')
    }
    const findings = reading.report.events[index]?.findings ?? []
    return [{ outcome: kind, repeats, record, findings }]
  })
  return { events, ingested }
}

function listIncoming(
  scope: TenantScope,
  { id, actor, authentication = null }: ReportOrigin,
  report: ReadReport,
): readonly IncomingEvent[] {
  const fingerprints = fingerprintReading(scope, report)
  return report.events.map(({ event }, index) => ({
    event: noteAuthentication(event, authentication),
    fingerprint: fingerprints[index] ?? '',
    actor,
    reportId: id,
  }))
}

/** The identities of the events that were read out of a report, in their order. */
export function fingerprintReading(
  { tenantId }: TenantScope,
  { format: source, reportId, events }: ReadReport,
): readonly string[] {
  return events.map(({ event, isTimeStated = true }, index) =>
    fingerprintEvent(
      tenantId,
      { kind: 'report', source, reportId, index, isTimeTold: isTimeStated },
      event,
    ),
  )
}

// The result stands with the event (design section 5.1). An event whose details are full goes
// without it; it is on the report in any case.
function noteAuthentication(event: NewEvent, checks: MailAuthentication | null): NewEvent {
  if (checks === null) return event
  const details = { ...event.details, authentication: summariseAuthentication(checks) }
  return checkJsonObject(details, '', DETAILS_LIMITS, []) ? { ...event, details } : event
}
