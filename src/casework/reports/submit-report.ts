// A raw report from any door: its bytes are stored before anybody tries to read them, then what can
// be read of it becomes events.

import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { inTransaction, type Tx } from '../../kernel/db/database.ts'
import type { ReportContext } from '../../reader/reading.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { Actor } from '../cases/case-tables.ts'
import type { KeptReport } from './kept-report-store.ts'
import { findMessageId } from './mail/message-id.ts'
import { readReport } from './read-raw-report.ts'
import {
  listArrivals,
  nameFindings,
  prepareReading,
  type ReportDeps,
  settleReading,
  storeEvents,
  type TakenReport,
} from './record-verdict.ts'
import { insertReport } from './report-store.ts'
import type { Envelope, ReportDoor } from './report-tables.ts'

export interface ArrivingReport {
  readonly bytes: Buffer
  /** As the sender named it; the content decides. */
  readonly mediaType: string
  /** Stands in where the report names no reporter; null when there is nobody. */
  readonly fallbackReporter: string | null
  readonly actor: Actor
  readonly via: ReportDoor
  /** Of what came by mail. */
  readonly envelope?: Envelope
  /** Nothing is kept when it aborts before the commit is asked for. */
  readonly signal?: AbortSignal
}

/** Stored, whatever it holds, when it resolves. */
export async function takeInReport(
  deps: ReportDeps,
  scope: TenantScope,
  report: ArrivingReport,
): Promise<TakenReport> {
  const { database, clock, wakeWorkers } = deps
  const at = new Date(clock.nowMs())
  const reportId = await keepForOne(deps, scope, report, at)
  // When this fails the caller is told, and what stays unread is read later
  // (read-unread-reports.ts).
  const reading = await readReport(deps, report.bytes, contextOf(report, at))
  await prepareReading(deps, scope, reading)
  const kept = { id: reportId, actor: report.actor, at }
  const { taken, ...told } = await inTransaction(database.kysely, (tx) =>
    settleReading(tx, deps, scope, kept, reading),
  )
  if (taken !== null && taken.runsStarted > 0) wakeWorkers()
  return { reportId, ...told }
}

/** One tenant's copy of a report. */
export interface ReportCopy extends TenantScope {
  /** Its own recipients, of a mail for several tenants; those of the envelope when left out. */
  readonly to?: readonly string[]
}

/**
 * Durable, for all of these tenants or for none, when it resolves: a report of its own for each, in
 * their order. Whoever calls it sees to the reading, or leaves it to the sweep.
 */
export async function keepReport(
  deps: Pick<ReportDeps, 'database' | 'ids' | 'clock'>,
  copies: readonly ReportCopy[],
  report: ArrivingReport,
  at: Date = new Date(deps.clock.nowMs()),
): Promise<readonly KeptReport[]> {
  const sha256 = await digest(report.bytes)
  const messageId = findMessageId(report.bytes)
  const kept = copies.map((copy) => buildKept(deps.ids.nextUuid(), copy, report, at))
  await inTransaction(deps.database.kysely, async (tx) => {
    // A few tenants at most, on one connection.
    for (const one of kept) {
      report.signal?.throwIfAborted()
      // oxlint-disable-next-line eslint/no-await-in-loop
      await insertReport(tx, { ...one, sha256, messageId })
    }
    report.signal?.throwIfAborted()
  })
  return kept
}

function buildKept(id: string, copy: ReportCopy, report: ArrivingReport, at: Date): KeptReport {
  const { mediaType, fallbackReporter, actor, via, bytes, envelope } = report
  return {
    tenantId: copy.tenantId,
    id,
    receivedAt: at,
    receivedBy: actor.id,
    mediaType,
    fallbackReporter,
    state: 'quarantined',
    via,
    authentication: null,
    bytes,
    from: envelope?.from ?? null,
    to: copy.to ?? envelope?.to ?? [],
    remoteAddress: envelope?.remoteAddress ?? null,
    helo: envelope?.helo ?? null,
  }
}

// 4 ms on a busy machine; 25 MiB at once would hold up everybody else for 0.1 s (measured
// 2026-11-22).
const SLICE_BYTES = 1_048_576

async function digest(bytes: Buffer): Promise<Buffer> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    if (at > 0) await setImmediate()
    hash.update(bytes.subarray(at, at + SLICE_BYTES))
  }
  return hash.digest()
}

async function keepForOne(
  deps: ReportDeps,
  scope: TenantScope,
  report: ArrivingReport,
  at: Date,
): Promise<string> {
  const [kept] = await keepReport(deps, [scope], report, at)
  if (kept === undefined) throw new Error('a report that was kept has no id')
  return kept.id
}

function contextOf({ mediaType, fallbackReporter }: ArrivingReport, at: Date): ReportContext {
  return { receivedAtMs: at.getTime(), mediaType, fallbackReporter }
}

/**
 * What `takeInReport` would answer; stores nothing. The id of a case that it would have opened is
 * left out.
 */
export async function tryReport(
  deps: ReportDeps,
  scope: TenantScope,
  report: ArrivingReport,
): Promise<TakenReport> {
  const reportId = deps.ids.nextUuid()
  const readAt = new Date(deps.clock.nowMs())
  const reading = await readReport(deps, report.bytes, contextOf(report, readAt))
  if (reading.kind === 'refused') {
    const { state, reason, problems, format, passedOver } = reading
    return { reportId, state, reason, problems, format, events: [], passedOver }
  }
  await prepareReading(deps, scope, reading)
  const { format, passedOver } = reading.report
  const arrivals = listArrivals(scope, reading, { id: reportId, actor: report.actor })
  const events = await rollBack(deps, async (tx) => {
    const at = new Date(deps.clock.nowMs())
    const stored = await storeEvents(tx, deps, scope, arrivals, at)
    return nameFindings(reading.report, stored.events).map(({ record, ...event }) => {
      const isNewCase = record.case_id !== null && stored.taken.openedCaseIds.has(record.case_id)
      return { ...event, record: isNewCase ? { ...record, case_id: null } : record }
    })
  })
  return { reportId, state: 'accepted', reason: null, problems: [], format, events, passedOver }
}

/**
 * The real work in a transaction that is thrown away: the outcomes are exact, and nothing of it
 * stays.
 */
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
