// A person corrects what was read out of a report, in one transaction: its events, their cases, its
// verdict, and the correction that is kept with it.

import { inTransaction, type Tx } from '../../../kernel/db/database.ts'
import { type AnswerKey, keepAnswer, takeAnswerKey } from '../../../kernel/db/idempotency-store.ts'
import { idempotencyKeyReused } from '../../../kernel/errors.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { NewEvent } from '../../../vocabulary/event.ts'
import { findXarfClass } from '../../../vocabulary/event-types.ts'
import type { Actor } from '../../cases/case-tables.ts'
import {
  changeNotValid,
  reportNotFound,
  reportNotReadYet,
  tooManyCorrections,
  versionIsStale,
} from '../../cases/errors.ts'
import {
  type CorrectDeps,
  type CorrectedEvents,
  correctStoredEvents,
  type StoredCorrection,
} from '../../events/correct-stored-events.ts'
import { fingerprintEvent } from '../../events/fingerprint.ts'
import type { IncomingEvent } from '../../events/incoming-event.ts'
import { findEventsOfReport, type StoredEvent } from '../../events/unassigned-store.ts'
import type { ReportDeps } from '../process-report.ts'
import { CORRECTED_EVENTS_MAX } from './correction-body-wire.ts'
import {
  type CorrectedChange,
  countOwnEvents,
  insertCorrection,
  type LockedReport,
  listOwnEventIds,
  lockReport,
  writeCorrectedVerdict,
} from './correction-store.ts'
import { buildDetails, changeContent, describeContent } from './event-content.ts'
import { type AddedOrigin, findAddedOrigin } from './find-added-origin.ts'
import { NOT_OF_REPORT, type ReadCorrection } from './read-correction.ts'

export interface CorrectReportDeps extends ReportDeps, Omit<CorrectDeps, 'prepareOwners'> {}

export interface CorrectionCommand extends ReadCorrection {
  readonly reportId: string
  readonly reason: string | null
  /** Null takes any version. */
  readonly expectedVersion: number | null
  readonly actor: Actor
  readonly at: Date
  readonly answerKey: AnswerKey | null
}

/** What became of one event. */
export interface CorrectedOutcome {
  readonly eventId: string
  readonly kind: CorrectedChange['kind']
}

// A report that is corrected again and again is a quarrel, and its answer shows all corrections.
const CORRECTIONS_MAX = 20

/** Throws the operating errors of 400, 404, 409, 412 and 422. */
export async function applyCorrection(
  deps: CorrectReportDeps,
  scope: TenantScope,
  command: CorrectionCommand,
): Promise<readonly CorrectedOutcome[]> {
  deps.conditionWork.requireRoom(scope)
  await deps.conditionWork.waitForRoom(scope)
  const origin = command.added.length === 0 ? null : await findAddedOrigin(deps, scope, command)
  await prepareOwners(deps, scope, command, origin)
  const done = await inTransaction(deps.db, async (tx) => {
    const { answerKey } = command
    const taken = answerKey === null ? null : await takeAnswerKey(tx, scope, answerKey)
    if (taken?.kind === 'other') throw idempotencyKeyReused()
    if (taken?.kind === 'answered') return { outcomes: readAnswer(taken.answer), runsStarted: 0 }
    const corrected = await correct(tx, deps, scope, command, origin)
    if (answerKey !== null) await keepAnswer(tx, scope, answerKey, corrected.outcomes)
    return corrected
  })
  if (done.runsStarted > 0) deps.wakeWorkers()
  return done.outcomes
}

// Written by `keepAnswer` above only.
function readAnswer(answer: unknown): readonly CorrectedOutcome[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Array.isArray(answer) ? (answer as CorrectedOutcome[]) : []
}

/** Asks the resolver of the tenant before the transaction, never in it. */
async function prepareOwners(
  deps: CorrectReportDeps,
  scope: TenantScope,
  command: CorrectionCommand,
  origin: AddedOrigin | null,
): Promise<void> {
  const ids = (command.events ?? []).map(({ eventId }) => eventId)
  const stored = await findEventsOfReport(deps.db, scope, command.reportId, ids)
  const changed = decide(command, stored).flatMap(({ event }) => event ?? [])
  const added = origin === null ? [] : buildAdded(command, origin)
  await deps.prepareOwners?.(scope, [...changed, ...added])
}

interface Corrected {
  readonly outcomes: readonly CorrectedOutcome[]
  readonly runsStarted: number
}

async function correct(
  tx: Tx,
  deps: CorrectReportDeps,
  scope: TenantScope,
  command: CorrectionCommand,
  origin: AddedOrigin | null,
): Promise<Corrected> {
  const { reportId, actor, at, reason } = command
  // The report before the correlation lock, as when it is read.
  const report = requireCurrent(await lockReport(tx, scope, reportId), command)
  const correctionId = deps.ids.nextUuid()
  const added = origin === null ? [] : buildAdded(command, origin)
  const events = await correctStoredEvents(tx, deps, scope, {
    reportId,
    correctionId,
    reason,
    actor,
    at,
    eventIds: await listNamed(tx, scope, command),
    decide(stored) {
      const decided = decide(command, stored)
      // A quarantined report may hold nothing: a person says so, and it is rejected.
      const isRefusal = command.events === null && report.state === 'quarantined'
      if (decided.length === 0 && added.length === 0 && !isRefusal) {
        throw changeNotValid({ path: '/events', reason: 'changes nothing' })
      }
      return decided
    },
    added: added.map((event, index) =>
      identify(scope, { reportId, correctionId, actor }, event, index),
    ),
  })
  const version = report.version + 1
  const eventCount = (await countOwnEvents(tx, scope, reportId)) + report.repeatedCount
  await writeCorrectedVerdict(tx, scope, reportId, { version, eventCount, by: actor })
  const changes = listChanges(events, added)
  await insertCorrection(tx, scope, reportId, {
    id: correctionId,
    version,
    at,
    correctedBy: actor.id,
    reason,
    formerState: report.state,
    formerReason: report.reason,
    changes,
  })
  const outcomes = changes.map(({ event_id: eventId, kind }) => ({ eventId, kind }))
  return { outcomes, runsStarted: events.runsStarted }
}

function requireCurrent(
  report: LockedReport | null,
  { expectedVersion }: CorrectionCommand,
): LockedReport {
  if (report === null) throw reportNotFound()
  if (expectedVersion !== null && expectedVersion !== report.version) throw versionIsStale('report')
  if (!report.isRead) throw reportNotReadYet()
  if (report.version > CORRECTIONS_MAX) throw tooManyCorrections(CORRECTIONS_MAX)
  return report
}

async function listNamed(
  tx: Tx,
  scope: TenantScope,
  { reportId, events }: CorrectionCommand,
): Promise<readonly string[]> {
  if (events !== null) return events.map(({ eventId }) => eventId)
  const all = await listOwnEventIds(tx, scope, reportId, CORRECTED_EVENTS_MAX + 1)
  if (all.length <= CORRECTED_EVENTS_MAX) return all
  const reason = `would withdraw more than ${CORRECTED_EVENTS_MAX} events; name them in several acts`
  throw changeNotValid({ path: '/withdraw_all', reason })
}

/** The events that change, or are withdrawn. Throws for an event that the report did not bring. */
function decide(
  { events }: Pick<ReadCorrection, 'events'>,
  stored: readonly StoredEvent[],
): readonly StoredCorrection[] {
  if (events === null) return stored.map((one) => ({ stored: one, event: null }))
  const byId = new Map(stored.map((one) => [one.eventId, one]))
  return events.flatMap((change, at): StoredCorrection[] => {
    const found = byId.get(change.eventId)
    if (found === undefined) {
      throw changeNotValid({ path: `/events/${at}/event_id`, reason: NOT_OF_REPORT })
    }
    if (change.isWithdrawn) return [{ stored: found, event: null }]
    const event = changeContent(found.event, change)
    return event === found.event ? [] : [{ stored: found, event }]
  })
}

function buildAdded(
  { added }: Pick<ReadCorrection, 'added'>,
  origin: AddedOrigin,
): readonly NewEvent[] {
  return added.map(({ eventType, subject, target, eventDate, senderEmail }, at) => {
    const sender = senderEmail ?? origin.senderEmail
    if (sender === null) {
      const reason = 'is missing, and the report names nobody'
      throw changeNotValid({ path: `/add/${at}/sender_email`, reason })
    }
    return {
      eventDate: eventDate ?? origin.eventDate,
      eventType,
      eventSubtypes: [],
      xarfClass: findXarfClass(eventType),
      senderEmail: sender,
      recipientEmail: origin.recipientEmail,
      ip: subject.ip,
      domain: subject.domain,
      tags: [],
      details: buildDetails(subject, target),
      customerId: null,
      contractId: null,
      reportId: origin.reporterReportId,
    }
  })
}

// An identity of its own: whoever adds an event twice means two.
function identify(
  { tenantId }: TenantScope,
  { reportId, correctionId, actor }: { reportId: string; correctionId: string; actor: Actor },
  event: NewEvent,
  index: number,
): IncomingEvent {
  const identity = { kind: 'report', source: 'correction', reportId: correctionId, index } as const
  return { event, fingerprint: fingerprintEvent(tenantId, identity, event), actor, reportId }
}

function listChanges(
  { corrections, added: outcomes }: CorrectedEvents,
  added: readonly NewEvent[],
): readonly CorrectedChange[] {
  return [
    ...corrections.map(({ stored: { eventId, event: former }, event }): CorrectedChange => {
      const before = describeContent(former)
      if (event === null) return { event_id: eventId, kind: 'withdrawn', before }
      return { event_id: eventId, kind: 'changed', before, after: describeContent(event) }
    }),
    ...added.map((event, at): CorrectedChange => {
      const eventId = outcomes[at]?.eventId ?? ''
      return { event_id: eventId, kind: 'added', after: describeContent(event) }
    }),
  ]
}
