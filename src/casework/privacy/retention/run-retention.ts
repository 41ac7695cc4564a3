// Takes away what tenants do not want to keep any longer: one node at a time for each tenant, in
// batches that hold their locks for milliseconds. Cases that are open, and their events, stay
// whatever their age.

import type { Counter } from 'prom-client'
import { inTransaction } from '../../../kernel/db/database.ts'
import type { Foundation } from '../../../kernel/foundation.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { addHistory } from '../../cases/case-history-store.ts'
import { removeAudit } from './retention-audit-store.ts'
import { removeCases } from './retention-case-store.ts'
import { boundRetention, type RetentionBounds, readRetentionDays } from './retention-policy.ts'
import {
  claimRetentionTurn,
  type EventBatch,
  removeEmptyHours,
  removeEvents,
  removeRawReports,
  removeReports,
  settleRetentionTurn,
} from './retention-store.ts'

export interface RetentionDeps extends Pick<Foundation, 'database' | 'ids' | 'clock' | 'log'> {
  readonly removed: Counter<'kind'>
}

// Some 0.4 s of locks, nearly all of it for counting some hundreds of cases anew (measured
// 2026-11-22 on a busy machine, 5 million events).
const EVENTS_A_BATCH = 1_000
// Some 0.2 s: cases that go need no counting.
const CASES_A_BATCH = 200
const EVENTS_OF_CASES_A_BATCH = 5_000
const REPORTS_A_BATCH = 200
// Narrow rows, and few of them.
const AUDIT_A_BATCH = 1_000
const HOURS_A_BATCH = 1_000
// Of each kind in a turn, which then takes some minutes; what is left is the next turn's.
const BATCHES_MAX = 200
// Longer than a turn; a node that died leaves its tenant to another after it.
const LEASE_SECONDS = 1_800
const PAUSE_SECONDS = 3_600
const TENANTS_MAX = 100

/** One pass over the tenants whose turn it is; any number of nodes may make one at once. */
export async function runRetention(deps: RetentionDeps, signal: AbortSignal): Promise<void> {
  const db = deps.database.kysely
  for (let count = 0; count < TENANTS_MAX && !signal.aborted; count += 1) {
    // One tenant after the other: this must never be in the way of intake.
    // oxlint-disable eslint/no-await-in-loop
    const turn = await claimRetentionTurn(db, LEASE_SECONDS)
    if (turn === null) return
    const { tenantId, settings } = turn
    const bounds = boundRetention(readRetentionDays(settings), deps.clock.nowMs())
    const isDone = await removeDue(deps, { tenantId }, bounds, signal)
    await settleRetentionTurn(db, { tenantId }, isDone ? PAUSE_SECONDS : 0)
    // oxlint-enable eslint/no-await-in-loop
    // Its next turn comes with the next pass, after those of others.
    if (!isDone) return
  }
}

/** True when nothing that is due is left. */
async function removeDue(
  deps: RetentionDeps,
  scope: TenantScope,
  bounds: RetentionBounds,
  signal: AbortSignal,
): Promise<boolean> {
  const { rawReportsBefore, eventsBefore, casesEndedBefore, auditBefore } = bounds
  const db = deps.database.kysely
  const steps: (() => Promise<boolean>)[] = []
  const take = (kind: string, before: string | null, remove: typeof removeReports): void => {
    if (before === null) return
    steps.push(async () => {
      const removed = await inTransaction(db, (tx) => remove(tx, scope, before, REPORTS_A_BATCH))
      deps.removed.inc({ kind }, removed)
      return removed < REPORTS_A_BATCH
    })
  }
  take('raw_report', rawReportsBefore, removeRawReports)
  if (casesEndedBefore !== null) {
    steps.push(() => removeCaseBatch(deps, scope, casesEndedBefore))
  }
  if (eventsBefore !== null) {
    steps.push(createEventStep(deps, scope, eventsBefore), async () => {
      const gone = await inTransaction(db, (tx) =>
        removeEmptyHours(tx, scope, eventsBefore, HOURS_A_BATCH),
      )
      return gone < HOURS_A_BATCH
    })
  }
  take('report', eventsBefore, removeReports)
  if (auditBefore !== null) {
    steps.push(async () => {
      const gone = await inTransaction(db, (tx) =>
        removeAudit(tx, scope, auditBefore, AUDIT_A_BATCH),
      )
      deps.removed.inc({ kind: 'audit' }, gone)
      return gone < AUDIT_A_BATCH
    })
  }
  let isDone = true
  for (const step of steps) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    if (!(await repeatStep(step, signal))) isDone = false
  }
  return isDone
}

async function repeatStep(step: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  for (let batch = 0; batch < BATCHES_MAX && !signal.aborted; batch += 1) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    if (await step()) return true
  }
  return false
}

async function removeCaseBatch(
  { database, removed }: RetentionDeps,
  scope: TenantScope,
  endedBefore: Date,
): Promise<boolean> {
  const limits = { casesMax: CASES_A_BATCH, eventsMax: EVENTS_OF_CASES_A_BATCH }
  const batch = await inTransaction(database.kysely, (tx) =>
    removeCases(tx, scope, endedBefore, limits),
  )
  removed.inc({ kind: 'case' }, batch.cases)
  removed.inc({ kind: 'event' }, batch.events)
  return batch.isDone
}

/** Each call is the next batch: events of open cases stay, and are passed by. */
function createEventStep(
  deps: RetentionDeps,
  scope: TenantScope,
  before: string,
): () => Promise<boolean> {
  let afterId: string | null = null
  return async () => {
    const range = { afterId, before }
    const batch = await inTransaction(deps.database.kysely, async (tx) => {
      const done = await removeEvents(tx, scope, range, EVENTS_A_BATCH)
      await addHistory(tx, deps.ids, scope, describeLoss(done, new Date(deps.clock.nowMs())))
      return done
    })
    deps.removed.inc({ kind: 'event' }, batch.removed)
    afterId = batch.lastId
    return batch.lastId === null
  }
}

const ACTOR = { kind: 'system', id: 'retention', name: 'retention' } as const

function describeLoss({ byCase }: EventBatch, at: Date) {
  return [...byCase].map(([caseId, count]) => ({
    caseId,
    kind: 'retention' as const,
    actor: ACTOR,
    at,
    reason: null,
    causeId: null,
    changes: { events_removed: count },
  }))
}
