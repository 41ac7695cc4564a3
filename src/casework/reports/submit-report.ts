// A raw report from any channel: its bytes are stored before they are read, then its content
// becomes events.

import { inTransaction, type Tx } from '../../kernel/db/database.ts'
import { type AnswerKey, keepAnswer, takeAnswerKey } from '../../kernel/db/idempotency-store.ts'
import { inTenant } from '../../kernel/db/row-scope.ts'
import { idempotencyKeyReused } from '../../kernel/errors.ts'
import type { ReportContext } from '../../reader/reading.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { Actor } from '../cases/case-tables.ts'
import { digestBytes } from './digest-bytes.ts'
import type { KeptReport } from './kept-report-store.ts'
import {
  buildRefusedReport,
  ingestReading,
  type ProcessedReport,
  prepareOwners,
  type ReportDeps,
  readReport,
  refuseWithdrawn,
  storeReading,
} from './process-report.ts'
import { loadReportContext } from './report-context-store.ts'
import { insertReport } from './report-store.ts'
import type { Envelope, ReportChannel } from './report-tables.ts'

export interface SubmittedReport {
  readonly bytes: Buffer
  /** As the sender named it; readers decide by the content. */
  readonly mediaType: string
  /** The reporter of a report that names none; null when there is none either. */
  readonly fallbackReporter: string | null
  readonly actor: Actor
  readonly via: ReportChannel
  /** Only a report that came by mail has it. */
  readonly envelope?: Envelope
  /** Nothing is kept when it aborts before the commit is asked for. */
  readonly signal?: AbortSignal
}

/**
 * Stored, whatever it holds, when it resolves: kept, read, its events ingested, its verdict
 * recorded.
 */
export async function submitReport(
  deps: ReportDeps,
  scope: TenantScope,
  report: SubmittedReport,
): Promise<ProcessedReport> {
  const at = new Date(deps.clock.nowMs())
  return await readKept(deps, scope, report, at, await keepForOne(deps, scope, report, at))
}

/** `repeated`: the request came before, under the same key, and this is its report. */
export type SubmitResult =
  | { readonly kind: 'submitted'; readonly report: ProcessedReport }
  | { readonly kind: 'repeated'; readonly reportId: string }

/** Like `submitReport`, but once for each key. Throws `idempotencyKeyReused`. */
export async function submitReportOnce(
  deps: ReportDeps,
  scope: TenantScope,
  report: SubmittedReport,
  requestKey: AnswerKey,
): Promise<SubmitResult> {
  const at = new Date(deps.clock.nowMs())
  const { id, isNew } = await keepOnce(deps, scope, report, at, requestKey)
  if (!isNew) return { kind: 'repeated', reportId: id }
  return { kind: 'submitted', report: await readKept(deps, scope, report, at, id) }
}

async function readKept(
  deps: ReportDeps,
  scope: TenantScope,
  report: SubmittedReport,
  at: Date,
  id: string,
): Promise<ProcessedReport> {
  // When reading fails, the caller gets the error, and the report is read later
  // (read-unread-reports.ts).
  const context = await loadContext(deps, scope, report, at)
  const reading = await readReport(deps, report.bytes, context, scope.tenantId)
  return await storeReading(deps, scope, { id, actor: report.actor }, reading)
}

/** One tenant's copy of a report. */
export interface ReportCopy extends TenantScope {
  /** The tenant's recipients of a mail for several tenants; all of the envelope when left out. */
  readonly to?: readonly string[]
}

/**
 * Durable, for all of these tenants or for none, when it resolves: a report of its own for each, in
 * their order. The caller has it read, or leaves that to the sweep (read-unread-reports.ts).
 */
export async function keepReport(
  deps: Pick<ReportDeps, 'db' | 'ids' | 'clock'>,
  copies: readonly ReportCopy[],
  report: SubmittedReport,
  at: Date = new Date(deps.clock.nowMs()),
): Promise<readonly KeptReport[]> {
  const sha256 = await digestBytes(report.bytes)
  const messageId = findMessageId(report.bytes)
  const kept = copies.map((copy) => buildKept(deps.ids.nextUuid(), copy, report, at))
  await inTransaction(deps.db, async (tx) => {
    // A few tenants at most, on one connection.
    for (const one of kept) {
      report.signal?.throwIfAborted()
      // oxlint-disable-next-line eslint/no-await-in-loop
      await inTenant(one, () => insertReport(tx, { ...one, sha256, messageId }))
    }
    report.signal?.throwIfAborted()
  })
  return kept
}

function buildKept(id: string, copy: ReportCopy, report: SubmittedReport, at: Date): KeptReport {
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
    version: 1,
    bytes,
    from: envelope?.from ?? null,
    to: copy.to ?? envelope?.to ?? [],
    remoteAddress: envelope?.remoteAddress ?? null,
    helo: envelope?.helo ?? null,
  }
}

async function keepForOne(
  deps: ReportDeps,
  scope: TenantScope,
  report: SubmittedReport,
  at: Date,
): Promise<string> {
  const [kept] = await keepReport(deps, [scope], report, at)
  if (kept === undefined) throw new Error('a report that was kept has no id')
  return kept.id
}

/**
 * The key and the report in one transaction: of requests at the same time, one keeps the report,
 * and the others wait for its id.
 */
async function keepOnce(
  deps: ReportDeps,
  scope: TenantScope,
  report: SubmittedReport,
  at: Date,
  requestKey: AnswerKey,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const kept = buildKept(deps.ids.nextUuid(), scope, report, at)
  const sha256 = await digestBytes(report.bytes)
  const messageId = findMessageId(report.bytes)
  return await inTransaction(deps.db, async (tx) => {
    const taken = await takeAnswerKey(tx, scope, requestKey)
    if (taken.kind === 'other') throw idempotencyKeyReused()
    if (taken.kind === 'answered') return { id: readReportId(taken.answer), isNew: false }
    await insertReport(tx, { ...kept, sha256, messageId })
    await keepAnswer(tx, scope, requestKey, { report_id: kept.id })
    return { id: kept.id, isNew: true }
  })
}

function readReportId(answer: unknown): string {
  if (typeof answer === 'object' && answer !== null && 'report_id' in answer) {
    return String(answer.report_id)
  }
  throw new Error('a key of a report has no report')
}

async function loadContext(
  deps: ReportDeps,
  scope: TenantScope,
  { bytes, mediaType, fallbackReporter, envelope }: SubmittedReport,
  at: Date,
): Promise<ReportContext> {
  const { to: envelopeTo = [], remoteAddress: clientAddress = null } = envelope ?? {}
  const arrival = { bytes, receivedAt: at, mediaType, fallbackReporter }
  const arrived = { ...arrival, envelopeTo, clientAddress }
  return await loadReportContext(deps, scope, arrived)
}

/**
 * The answer that `submitReport` would give; stores nothing. The id of a case that it would have
 * opened is left out.
 */
export async function dryRunReport(
  deps: ReportDeps,
  scope: TenantScope,
  report: SubmittedReport,
): Promise<ProcessedReport> {
  const reportId = deps.ids.nextUuid()
  const context = await loadContext(deps, scope, report, new Date(deps.clock.nowMs()))
  const reading = await readReport(deps, report.bytes, context, scope.tenantId)
  if (reading.kind === 'refused') return buildRefusedReport(reportId, reading)
  await prepareOwners(deps, scope, reading)
  const events = await workAndRollBack(deps, async (tx) => {
    const origin = { id: reportId, actor: report.actor }
    const { events: stored, ingested } = await ingestReading(tx, deps, scope, origin, reading)
    return stored.map(({ record, ...event }) => {
      const isNewCase = record.case_id !== null && ingested.openedCaseIds.has(record.case_id)
      return { ...event, record: isNewCase ? { ...record, case_id: null } : record }
    })
  })
  if (events.length === 0) return buildRefusedReport(reportId, refuseWithdrawn(reading))
  const { format, passedOver } = reading.report
  const accepted = { state: 'accepted', reason: null, problems: [], decidedBy: null } as const
  return { reportId, ...accepted, format, events, passedOver }
}

/** Does the real work and rolls it back: the outcomes are exact, and nothing is stored. */
async function workAndRollBack<Result>(
  deps: ReportDeps,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const done: Result[] = []
  class RolledBack extends Error {}
  try {
    await inTransaction(deps.db, async (tx) => {
      done[0] = await work(tx)
      throw new RolledBack()
    })
  } catch (error) {
    const result = done[0]
    if (error instanceof RolledBack && result !== undefined) return result
    throw error
  }
  throw new Error('a dry run was committed')
}

// Trace headers come first and may be long. For a longer header the Message-ID stays unknown.
const MESSAGE_ID_HEADER_BYTES_MAX = 65_536

// The longest line of RFC 5322 section 2.1.1.
const MESSAGE_ID_LENGTH_MAX = 998

/**
 * The Message-ID of raw mail (RFC 5322 section 3.6.4) with its angle brackets, found without
 * parsing the mail. Null when the bytes are no mail or have no Message-ID.
 */
function findMessageId(bytes: Buffer): string | null {
  const head = bytes.subarray(0, MESSAGE_ID_HEADER_BYTES_MAX).toString('latin1')
  const end = /\r?\n\r?\n/.exec(head)?.index ?? head.length
  const found = /^message-id:(?:[ \t]|\r?\n[ \t])*(<[^<>\s]+>)/im.exec(head.slice(0, end))?.[1]
  // PostgreSQL cannot store a NUL character.
  return found === undefined || found.length > MESSAGE_ID_LENGTH_MAX || found.includes('\0')
    ? null
    : found
}
