// What was read out of a kept report, into the store: its events, and what became of it, in one
// transaction.

import type { Tx } from '../../kernel/db/database.ts'
import type { Foundation } from '../../kernel/foundation.ts'
import type { Finding, ReadReport } from '../../reader/reading.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import { checkJsonObject } from '../../values/json-value.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { DETAILS_LIMITS, type NewEvent } from '../../vocabulary/event.ts'
import {
  type MailAuthentication,
  summariseAuthentication,
} from '../../vocabulary/mail-authentication.ts'
import type { Actor } from '../cases/case-tables.ts'
import { type EventRow, findEvents } from '../events/event-list-store.ts'
import { fingerprintEvent } from '../events/fingerprint.ts'
import type { EventOutcomeKind, IncomingEvent, Repeats } from '../events/incoming-event.ts'
import { type Ingested, ingest } from '../events/ingest.ts'
import type { CountIntake } from '../events/ingest-metrics.ts'
import type { PrepareOwners } from '../owners/owner-resolver.ts'
import type { Reading, ReadReportDeps } from './read-raw-report.ts'
import { settleReport } from './report-store.ts'
import type { Envelope, ReportState } from './report-tables.ts'

/** Never rejects, and takes a bounded time; null when nothing can be asked. */
export type AuthenticateMail = (
  bytes: Buffer,
  envelope: Envelope,
) => Promise<MailAuthentication | null>

export type ReportDeps = Pick<Foundation, 'database' | 'ids' | 'clock'> &
  ReadReportDeps & {
    readonly wakeWorkers: () => void
    /** Nothing is proved when left out. */
    readonly authenticate?: AuthenticateMail
    /** No resolver is asked when left out. */
    readonly prepareOwners?: PrepareOwners
    /** Nothing is counted when left out. */
    readonly countIntake?: CountIntake
  }

export interface TakenReport {
  readonly reportId: string
  readonly state: ReportState
  readonly reason: string | null
  /** Every rule of its format that it breaks; empty unless it was rejected for that. */
  readonly problems: readonly FieldProblem[]
  /** How it was read; null when nobody could. */
  readonly format: string | null
  readonly events: readonly TakenEvent[]
  /** Candidates that did not become part of an event. */
  readonly passedOver: readonly Finding[]
}

export interface TakenEvent {
  readonly outcome: EventOutcomeKind
  /** Of a duplicate. */
  readonly repeats: Repeats | null
  readonly record: EventRow
  readonly findings: readonly Finding[]
}

export interface SettlingReport {
  readonly id: string
  readonly actor: Actor
  /** When its events come in. */
  readonly at: Date
  /** What its transport proved; left out for what came without one. */
  readonly authentication?: MailAuthentication | null
}

export interface SettledReport extends Omit<TakenReport, 'reportId'> {
  /** Null when nothing was read out of it. */
  readonly taken: Ingested | null
}

/**
 * Asks the tenant's resolver for the owners of what was read; before the transaction of
 * `settleReading`, never in it.
 */
export async function prepareReading(
  { prepareOwners }: ReportDeps,
  scope: TenantScope,
  reading: Reading,
): Promise<void> {
  if (reading.kind === 'refused') return
  await prepareOwners?.(
    scope,
    reading.report.events.map(({ event }) => event),
  )
}

/** Stores the events of a report that was kept, and what became of it. */
export async function settleReading(
  tx: Tx,
  deps: ReportDeps,
  scope: TenantScope,
  { id, actor, at, authentication = null }: SettlingReport,
  reading: Reading,
): Promise<SettledReport> {
  if (reading.kind === 'refused') {
    const { state, reason, format, problems, passedOver } = reading
    const nothing = { reporterReportId: null, eventCount: 0 }
    const verdict = { state, reason, format, problems, authentication, ...nothing }
    await settleReport(tx, scope, id, verdict)
    return { state, reason, problems, format, events: [], passedOver, taken: null }
  }
  const { report } = reading
  const arrivals = listArrivals(scope, reading, { id, actor, authentication })
  const { taken, events } = await storeEvents(tx, deps, scope, arrivals, at)
  // A transaction that is tried again counts twice, which a metric bears.
  deps.countIntake?.(taken.tally)
  const named = nameFindings(report, events)
  await settleReport(tx, scope, id, {
    state: 'accepted',
    reason: null,
    problems: [],
    format: report.format,
    reporterReportId: report.reportId,
    eventCount: arrivals.length,
    authentication,
  })
  const { format, passedOver } = report
  return { state: 'accepted', reason: null, problems: [], format, events: named, passedOver, taken }
}

/** In the order of the report's events. */
export function listArrivals(
  scope: TenantScope,
  reading: Reading & { kind: 'read' },
  { id, actor, authentication = null }: Omit<SettlingReport, 'at'>,
): readonly IncomingEvent[] {
  const { format, reportId: reporterReportId, events } = reading.report
  return events.map(({ event, isTimeTold = true }, index) => ({
    event: noteAuthentication(event, authentication),
    fingerprint: fingerprintEvent(
      scope.tenantId,
      { kind: 'report', source: format, reportId: reporterReportId, index, isTimeTold },
      event,
    ),
    actor,
    reportId: id,
  }))
}

// Design 5.1: the result stands with the event. One whose details are full goes without, it is on
// the report in any case.
function noteAuthentication(event: NewEvent, checks: MailAuthentication | null): NewEvent {
  if (checks === null) return event
  const details = { ...event.details, authentication: summariseAuthentication(checks) }
  return checkJsonObject(details, '', DETAILS_LIMITS, []) ? { ...event, details } : event
}

export type StoredEvent = Omit<TakenEvent, 'findings'>

/** Outcomes come in the order of the report's events. */
export function nameFindings(
  report: ReadReport,
  events: readonly StoredEvent[],
): readonly TakenEvent[] {
  return events.map((event, index) => ({
    ...event,
    findings: report.events[index]?.findings ?? [],
  }))
}

export async function storeEvents(
  tx: Tx,
  { ids }: ReportDeps,
  scope: TenantScope,
  arrivals: readonly IncomingEvent[],
  at: Date,
): Promise<{ readonly taken: Ingested; readonly events: readonly StoredEvent[] }> {
  const taken = await ingest(tx, ids, scope, arrivals, at)
  const records = await findEvents(
    tx,
    scope,
    taken.outcomes.map((outcome) => outcome.eventId),
  )
  const byId = new Map(records.map((record) => [record.event_id, record]))
  const events = taken.outcomes.map((outcome) => {
    const record = byId.get(outcome.eventId)
    if (record === undefined) throw new Error('an event that was taken in is not there')
    return { outcome: outcome.kind, repeats: outcome.repeats ?? null, record }
  })
  return { taken, events }
}
