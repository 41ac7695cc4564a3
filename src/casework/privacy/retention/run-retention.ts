// Retention: removes data that a tenant wants to keep no longer. One node works for a tenant at a
// time, in batches that hold their locks for less than a second. Open cases and their events stay,
// whatever their age.

import type { Counter } from 'prom-client'
import type { AuditLog } from '../../../access/audit/audit-log.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { type Db, inTransaction } from '../../../kernel/db/database.ts'
import { inInstance } from '../../../kernel/db/instance-acts.ts'
import { workOrPassOver } from '../../../kernel/db/pass-over-tenant.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { Log } from '../../../kernel/log.ts'
import type { SecretCipher } from '../../../kernel/secrets/secret-cipher.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { addHistory } from '../../cases/case-history-store.ts'
import { forgetAudit } from './forget-audit.ts'
import { removeAudit } from './retention-audit-store.ts'
import { removeCases } from './retention-case-store.ts'
import { boundRetention, type RetentionBounds, readRetentionDays } from './retention-policy.ts'
import {
  claimRetentionTurn,
  type EventBatch,
  endRetentionTurn,
  removeEmptyHours,
  removeEvents,
  removeRawReports,
  removeReports,
} from './retention-store.ts'

export interface RetentionDeps {
  readonly db: Db
  readonly log: Log
  readonly ids: IdSource
  readonly clock: Clock
  readonly audit: AuditLog
  /** Opens the key that signs what is left of the audit log. */
  readonly secrets: SecretCipher
  /** Counts the removed rows by kind. */
  readonly removed: Counter<'kind'>
}

// Some 0.4 s of locks at 5 million events, nearly all of it for the recount of some hundred cases.
const EVENTS_A_BATCH = 1_000
// Some 0.2 s: removed cases need no recount.
const CASES_A_BATCH = 200
const EVENTS_OF_CASES_A_BATCH = 5_000
const REPORTS_A_BATCH = 200
// These rows are narrow and few.
const AUDIT_A_BATCH = 1_000
const HOURS_A_BATCH = 1_000
// Batches of each kind in a turn, which then takes some minutes. The next turn removes the rest.
const BATCHES_MAX = 200
// Longer than a turn. When a node dies, another node takes over its tenant after this time.
const LEASE_SECONDS = 1_800
const PAUSE_SECONDS = 3_600
const TENANTS_MAX = 100

/** One pass over the tenants whose turn it is; any number of nodes may make one at once. */
export async function runRetention(deps: RetentionDeps, signal: AbortSignal): Promise<void> {
  const { db, log } = deps
  for (let count = 0; count < TENANTS_MAX && !signal.aborted; count += 1) {
    // One tenant after the other, so that intake is not slowed down.
    // oxlint-disable eslint/no-await-in-loop
    const turn = await inInstance('remove past retention', () =>
      claimRetentionTurn(db, LEASE_SECONDS),
    )
    if (turn === null) return
    const { tenantId, settings } = turn
    const bounds = boundRetention(readRetentionDays(settings), deps.clock.nowMs())
    const work = async (): Promise<boolean> => {
      const isEmpty = await removeDue(deps, { tenantId }, bounds, signal)
      await endRetentionTurn(db, { tenantId }, isEmpty ? PAUSE_SECONDS : 0)
      return isEmpty
    }
    const message = 'Data past its retention could not be removed'
    const isDone = await workOrPassOver(log, { tenantId }, message, work)
    // oxlint-enable eslint/no-await-in-loop
    // The rest is removed with the next pass, after the turns of other tenants. When it failed, its
    // turn comes again when the lease has run out.
    if (isDone === false) return
  }
}

/** True when no due row is left. */
async function removeDue(
  deps: RetentionDeps,
  scope: TenantScope,
  bounds: RetentionBounds,
  signal: AbortSignal,
): Promise<boolean> {
  const { rawReportsBefore, eventsBefore, casesEndedBefore, auditBefore } = bounds
  const { db } = deps
  const steps: (() => Promise<boolean>)[] = []
  const addStep = (kind: string, before: string | null, remove: typeof removeReports): void => {
    if (before === null) return
    steps.push(async () => {
      const removed = await inTransaction(db, (tx) => remove(tx, scope, before, REPORTS_A_BATCH))
      deps.removed.inc({ kind }, removed)
      return removed < REPORTS_A_BATCH
    })
  }
  addStep('raw_report', rawReportsBefore, removeRawReports)
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
  addStep('report', eventsBefore, removeReports)
  if (auditBefore !== null) {
    steps.push(async () => {
      const gone = await inTransaction(db, (tx) =>
        removeAudit(tx, scope, auditBefore, AUDIT_A_BATCH),
      )
      deps.removed.inc({ kind: 'audit' }, gone)
      return gone < AUDIT_A_BATCH
    })
    steps.push(async () => {
      const request = { before: auditBefore.day, limit: AUDIT_A_BATCH }
      const gone = await inTransaction(db, (tx) => forgetAudit(tx, deps, scope, request))
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
  { db, removed }: RetentionDeps,
  scope: TenantScope,
  endedBefore: Date,
): Promise<boolean> {
  const limits = { casesMax: CASES_A_BATCH, eventsMax: EVENTS_OF_CASES_A_BATCH }
  const batch = await inTransaction(db, (tx) => removeCases(tx, scope, endedBefore, limits))
  removed.inc({ kind: 'case' }, batch.cases)
  removed.inc({ kind: 'event' }, batch.events)
  return batch.isDone
}

/** Each call of the step takes the next batch. Events of open cases stay and are skipped. */
function createEventStep(
  deps: RetentionDeps,
  scope: TenantScope,
  before: string,
): () => Promise<boolean> {
  let afterId: string | null = null
  return async () => {
    const range = { afterId, before }
    const batch = await inTransaction(deps.db, async (tx) => {
      const done = await removeEvents(tx, scope, range, EVENTS_A_BATCH)
      await addHistory(tx, deps.ids, scope, describeRemoval(done, new Date(deps.clock.nowMs())))
      return done
    })
    deps.removed.inc({ kind: 'event' }, batch.removed)
    afterId = batch.lastId
    return batch.lastId === null
  }
}

const ACTOR = { kind: 'system', id: 'retention', name: 'retention' } as const

/** What the histories of cases say when events of theirs were removed. */
export function describeRemoval({ byCase }: Pick<EventBatch, 'byCase'>, at: Date) {
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
