// A raw report from any door: its bytes are stored before anybody tries to read them, then what can be read of it becomes events.

import { createHash } from 'node:crypto'
import type { TenantScope } from '../kernel/auth/caller.ts'
import { inTransaction, type Tx } from '../kernel/db/database.ts'
import type { Foundation } from '../kernel/foundation.ts'
import type { EventArrival, EventOutcomeKind } from './event-arrival.ts'
import type { Finding, ReadReport, ReportContext } from './intake/report.ts'
import { fingerprintEvent } from './model/fingerprint.ts'
import type { DueHint } from './playbooks/due-hint.ts'
import { type Reading, type ReadReportDeps, readReport } from './read-report.ts'
import type { Actor } from './store/case-tables.ts'
import { type EventRow, findEvents } from './store/event-store.ts'
import { insertReport, type ReportState, settleReport } from './store/report-store.ts'
import { type TakenIn, takeInEvents } from './take-in-events.ts'

export type ReportDeps = Pick<Foundation, 'database' | 'ids' | 'clock'> &
  ReadReportDeps & { readonly hint: DueHint }

export interface ArrivingReport {
  readonly bytes: Buffer
  /** As the sender named it; the content decides. */
  readonly mediaType: string
  /** Stands in where the report names no reporter; null when there is nobody. */
  readonly fallbackReporter: string | null
  readonly actor: Actor
}

export interface TakenReport {
  readonly reportId: string
  readonly state: ReportState
  readonly reason: string | null
  /** How it was read; null when nobody could. */
  readonly format: string | null
  readonly events: readonly TakenEvent[]
  /** Candidates that did not become part of an event. */
  readonly passedOver: readonly Finding[]
}

export interface TakenEvent {
  readonly outcome: EventOutcomeKind
  readonly record: EventRow
  readonly findings: readonly Finding[]
}

/** Stored, whatever it holds, when it resolves. */
export async function takeInReport(
  deps: ReportDeps,
  scope: TenantScope,
  report: ArrivingReport,
): Promise<TakenReport> {
  const { database, ids, clock, hint } = deps
  const reportId = ids.nextUuid()
  const at = new Date(clock.nowMs())
  await inTransaction(database.kysely, (tx) =>
    insertReport(tx, scope, {
      id: reportId,
      receivedAt: at,
      mediaType: report.mediaType,
      fallbackReporter: report.fallbackReporter,
      bytes: report.bytes,
      sha256: createHash('sha256').update(report.bytes).digest(),
      receivedBy: report.actor.id,
    }),
  )
  // When this fails the caller is told, and what stays unread is read later (read-unread-reports.ts).
  const reading = await readReport(deps, report.bytes, contextOf(report, at))
  const kept = { id: reportId, actor: report.actor, at }
  const { taken, ...told } = await inTransaction(database.kysely, (tx) =>
    settleReading(tx, deps, scope, kept, reading),
  )
  if (taken !== null && taken.runsStarted > 0) hint.raise()
  return { reportId, ...told }
}

export interface KeptReport {
  readonly id: string
  readonly actor: Actor
  /** When its events come in. */
  readonly at: Date
}

export interface SettledReport extends Omit<TakenReport, 'reportId'> {
  /** Null when nothing was read out of it. */
  readonly taken: TakenIn | null
}

/** Stores the events of a report that was kept, and what became of it. */
export async function settleReading(
  tx: Tx,
  deps: ReportDeps,
  scope: TenantScope,
  { id, actor, at }: KeptReport,
  reading: Reading,
): Promise<SettledReport> {
  if (reading.kind === 'refused') {
    const { state, reason, format, problems, passedOver } = reading
    const verdict = { state, reason, format, problems, reporterReportId: null, eventCount: 0 }
    await settleReport(tx, scope, id, verdict)
    return { state, reason, format, events: [], passedOver, taken: null }
  }
  const { report } = reading
  const arrivals = listArrivals(scope, reading, actor, id)
  const { taken, events } = await storeEvents(tx, deps, scope, arrivals, at)
  const named = nameFindings(report, events)
  await settleReport(tx, scope, id, {
    state: 'accepted',
    reason: null,
    problems: [],
    format: report.format,
    reporterReportId: report.reportId,
    eventCount: arrivals.length,
  })
  const { format, passedOver } = report
  return { state: 'accepted', reason: null, format, events: named, passedOver, taken }
}

function contextOf({ mediaType, fallbackReporter }: ArrivingReport, at: Date): ReportContext {
  return { receivedAtMs: at.getTime(), mediaType, fallbackReporter }
}

/** What `takeInReport` would answer; stores nothing. The id of a case that it would have opened is left out. */
export async function tryReport(
  deps: ReportDeps,
  scope: TenantScope,
  report: ArrivingReport,
): Promise<TakenReport> {
  const reportId = deps.ids.nextUuid()
  const readAt = new Date(deps.clock.nowMs())
  const reading = await readReport(deps, report.bytes, contextOf(report, readAt))
  if (reading.kind === 'refused') {
    const { state, reason, format, passedOver } = reading
    return { reportId, state, reason, format, events: [], passedOver }
  }
  const { format, passedOver } = reading.report
  const arrivals = listArrivals(scope, reading, report.actor, reportId)
  const events = await rollBack(deps, async (tx) => {
    const at = new Date(deps.clock.nowMs())
    const stored = await storeEvents(tx, deps, scope, arrivals, at)
    return nameFindings(reading.report, stored.events).map(({ record, ...event }) => {
      const isNewCase = record.case_id !== null && stored.taken.openedCaseIds.has(record.case_id)
      return { ...event, record: isNewCase ? { ...record, case_id: null } : record }
    })
  })
  return { reportId, state: 'accepted', reason: null, format, events, passedOver }
}

/** The real work in a transaction that is thrown away: the outcomes are exact, and nothing of it stays. */
async function rollBack<Result>(
  deps: ReportDeps,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const done: Result[] = []
  class ThrownAway extends Error {}
  try {
    await inTransaction(deps.database.kysely, async (tx) => {
      done[0] = await work(tx)
      throw new ThrownAway()
    })
  } catch (error) {
    const result = done[0]
    if (error instanceof ThrownAway && result !== undefined) return result
    throw error
  }
  throw new Error('a transaction to be thrown away was committed')
}

function listArrivals(
  scope: TenantScope,
  reading: Reading & { kind: 'read' },
  actor: Actor,
  reportId: string,
): readonly EventArrival[] {
  const { format, reportId: reporterReportId, events } = reading.report
  return events.map(({ event }, index) => ({
    event,
    fingerprint: fingerprintEvent(
      scope.tenantId,
      { kind: 'report', source: format, reportId: reporterReportId, index },
      event,
    ),
    actor,
    reportId,
  }))
}

type StoredEvent = Omit<TakenEvent, 'findings'>

/** Outcomes come in the order of the report's events. */
function nameFindings(report: ReadReport, events: readonly StoredEvent[]): readonly TakenEvent[] {
  return events.map((event, index) => ({
    ...event,
    findings: report.events[index]?.findings ?? [],
  }))
}

async function storeEvents(
  tx: Tx,
  { ids }: ReportDeps,
  scope: TenantScope,
  arrivals: readonly EventArrival[],
  at: Date,
): Promise<{ readonly taken: TakenIn; readonly events: readonly StoredEvent[] }> {
  const taken = await takeInEvents(tx, ids, scope, arrivals, at)
  const records = await findEvents(
    tx,
    scope,
    taken.outcomes.map((outcome) => outcome.eventId),
  )
  const byId = new Map(records.map((record) => [record.event_id, record]))
  const events = taken.outcomes.map((outcome) => {
    const record = byId.get(outcome.eventId)
    if (record === undefined) throw new Error('an event that was taken in is not there')
    return { outcome: outcome.kind, record }
  })
  return { taken, events }
}
