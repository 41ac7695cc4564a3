// Events of a report that a person corrects: some are withdrawn, some say something else from now
// on, some are new. Each leaves its case, and what remains is correlated like a new event.

import type { Tx } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { NewEvent } from '../../vocabulary/event.ts'
import { writeCounters } from '../cases/case-counters-store.ts'
import { addHistory, type NewHistoryEntry } from '../cases/case-history-store.ts'
import { lockRows } from '../cases/case-locks.ts'
import { type CaseMoveDeps, moveCase } from '../cases/case-move-store.ts'
import { isOpenState } from '../cases/case-state.ts'
import type { Actor, CaseRow } from '../cases/case-tables.ts'
import { lockCorrelation } from '../cases/open-case-store.ts'
import { noteItems } from '../sightings/sighting-change-store.ts'
import { noteCorrected, rewriteEvents, withdrawEvents } from './corrected-event-store.ts'
import { withoutCorrelationTags } from './event-tags.ts'
import type { IncomingEvent } from './incoming-event.ts'
import { type Ingested, ingest } from './ingest.ts'
import { deletePendingEvents } from './pending-event-store.ts'
import type { ReassignDeps } from './reassign-to-owner.ts'
import { assignAgain } from './replay-unassigned.ts'
import {
  assignEvents,
  findEventsOfReport,
  lockEventsOfReport,
  type StoredEvent,
} from './unassigned-store.ts'

export interface CorrectDeps extends ReassignDeps, CaseMoveDeps {}

/** What becomes of one event: what it says from now on, or null when it is withdrawn. */
export interface StoredCorrection {
  readonly stored: StoredEvent
  /** With its owner; null there finds the owner anew. */
  readonly event: NewEvent | null
}

export interface EventCorrection {
  readonly reportId: string
  /** The id of the correction, for the history. */
  readonly correctionId: string
  readonly reason: string | null
  readonly actor: Actor
  readonly at: Date
  /** Events of the report that the request names. */
  readonly eventIds: readonly string[]
  /** Called with these events, locked, in the order of their ids; throws to refuse. */
  readonly decide: (stored: readonly StoredEvent[]) => readonly StoredCorrection[]
  readonly added: readonly IncomingEvent[]
}

export interface CorrectedEvents {
  readonly corrections: readonly StoredCorrection[]
  readonly added: Ingested['outcomes']
  readonly runsStarted: number
}

/** The transaction is the caller's, who has locked the report. */
export async function correctStoredEvents(
  tx: Tx,
  deps: CorrectDeps,
  scope: TenantScope,
  request: EventCorrection,
): Promise<CorrectedEvents> {
  const { reportId, eventIds, actor } = request
  // Before the locks of the cases and the events; no event changes its case meanwhile.
  await lockCorrelation(tx, scope)
  const seen = await findEventsOfReport(tx, scope, reportId, eventIds)
  await lockRows(tx, scope, listCases(seen))
  const stored = await lockEventsOfReport(tx, scope, reportId, eventIds)
  const corrections = request.decide(stored)
  const former = corrections.map((one) => one.stored)
  // The cases are locked, so no legal hold comes over them meanwhile.
  for (const caseId of listCases(former)) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    await deps.requireNoLegalHold(tx, scope, caseId)
  }
  await leaveCases(tx, scope, corrections, request)
  const kept = corrections.flatMap(({ stored: one, event }): StoredEvent[] =>
    event === null ? [] : [{ ...one, caseId: null, event }],
  )
  const assigned = await assignAgain(tx, deps, scope, kept, actor)
  const ingested = await ingest(tx, deps, scope, request.added, request.at)
  const joined = new Map(assigned.caseIds)
  for (const { eventId, caseId } of ingested.outcomes) {
    if (caseId !== null) joined.set(eventId, caseId)
  }
  await addHistory(tx, deps.ids, scope, describeHistory(request, former, joined))
  await closeEmptied(tx, deps, scope, request, listCases(former))
  return {
    corrections,
    added: ingested.outcomes,
    runsStarted: assigned.runsStarted + ingested.runsStarted,
  }
}

function listCases(events: readonly StoredEvent[]): readonly string[] {
  return [...new Set(events.flatMap(({ caseId }) => caseId ?? []))].toSorted()
}

async function leaveCases(
  tx: Tx,
  scope: TenantScope,
  corrections: readonly StoredCorrection[],
  request: Pick<EventCorrection, 'actor' | 'reportId'>,
): Promise<void> {
  const former = corrections.map(({ stored }) => stored)
  const withdrawn = corrections.flatMap(({ stored, event }) => (event === null ? [stored] : []))
  const changed = corrections.flatMap(({ stored: { eventId }, event }) =>
    event === null ? [] : [{ eventId, event }],
  )
  // Their sightings are counted again without them; `assignAgain` notes what they say from now on.
  await noteItems(
    tx,
    scope,
    former.map(({ event }) => event),
  )
  await deletePendingEvents(
    tx,
    scope,
    former.map(({ eventId }) => eventId),
  )
  await withdrawEvents(
    tx,
    scope,
    withdrawn.map(({ eventId }) => eventId),
  )
  await noteCorrected(tx, scope, 'withdrawn', withdrawn, request)
  await rewriteEvents(tx, scope, changed)
  await noteCorrected(
    tx,
    scope,
    'corrected',
    changed.map(({ eventId }) => ({ eventId, caseId: null })),
    request,
  )
  await assignEvents(
    tx,
    scope,
    changed.map(({ eventId, event }) => ({
      eventId,
      customerId: null,
      contractId: null,
      unassignedCause: 'no_match',
      caseId: null,
      muteRuleId: null,
      tags: withoutCorrelationTags(event.tags),
      resolved: false,
    })),
  )
  const left = listCases(former)
  if (left.length > 0) await writeCounters(tx, scope, left)
}

// A history entry names so many events; the correction that it names has all of them.
const EVENTS_NAMED_MAX = 50

/** One entry for each case that events left or joined, or changed in. */
function describeHistory(
  { actor, at, reason, reportId, correctionId }: EventCorrection,
  former: readonly StoredEvent[],
  joined: ReadonlyMap<string, string>,
): readonly NewHistoryEntry[] {
  const before = new Map(former.map(({ eventId, caseId }) => [eventId, caseId]))
  const cases = new Set([...listCases(former), ...joined.values()])
  return [...cases].toSorted().map((caseId) => {
    const left = [...before].flatMap(([eventId, from]) =>
      from === caseId && joined.get(eventId) !== caseId ? [eventId] : [],
    )
    const here = [...joined].flatMap(([eventId, to]) => (to === caseId ? [eventId] : []))
    const changes = {
      report_id: reportId,
      correction_id: correctionId,
      ...nameEvents('left', left),
      ...nameEvents(
        'joined',
        here.filter((eventId) => before.get(eventId) !== caseId),
      ),
      ...nameEvents(
        'changed',
        here.filter((eventId) => before.get(eventId) === caseId),
      ),
    }
    return { caseId, kind: 'correct', actor, at, reason, causeId: reportId, changes }
  })
}

function nameEvents(name: string, eventIds: readonly string[]): Record<string, unknown> {
  return eventIds.length === 0 ? {} : { [name]: eventIds.slice(0, EVENTS_NAMED_MAX) }
}

/**
 * An open case without events is about nothing: its customer was blamed wrongly. It is closed as a
 * false positive, and its playbook ends. An ended case stays as it is.
 */
async function closeEmptied(
  tx: Tx,
  deps: CorrectDeps,
  scope: TenantScope,
  { actor, at, reason, reportId }: EventCorrection,
  caseIds: readonly string[],
): Promise<void> {
  const rows = await lockRows(tx, scope, caseIds)
  for (const row of [...rows.values()].filter(isEmptied)) {
    const change = { actor, at, reason: reason ?? EMPTIED, causeId: reportId }
    const move = { target: 'CLOSED', closeReason: 'false_positive', expectedVersion: null } as const
    // Few: the cases of the events of one report.
    // oxlint-disable-next-line eslint/no-await-in-loop
    await moveCase(tx, deps, scope, { ...change, ...move, caseId: row.id })
  }
}

const EMPTIED = 'A corrected report was all that it had.'

function isEmptied(row: CaseRow): boolean {
  return row.event_count === 0 && isOpenState(row.state)
}
