// Retention of whole months: a month of which nothing is kept leaves the table of events in one
// step, and its room on disk is free when its events have been dealt with. It runs before the
// batches of run-retention.ts, which remove the events of every other month.

import type { Pool } from 'pg'
import { inTransaction } from '../../../kernel/db/database.ts'
import { inInstance } from '../../../kernel/db/instance-acts.ts'
import { dropEmptyMonth, readMonths } from '../../../kernel/db/months/month-store.ts'
import { MONTHLY_TABLES, type MonthPartition } from '../../../kernel/db/months/months.ts'
import { workOrPassOver } from '../../../kernel/db/pass-over-tenant.ts'
import { readErrorCode } from '../../../kernel/db/trouble-codes.ts'
import { addHistory } from '../../cases/case-history-store.ts'
import {
  detachUnkept,
  dropDetachedMonth,
  findTenantOfMonth,
  isUnkept,
  listDetachedMonths,
  removeDetached,
} from './retention-month-store.ts'
import { describeRemoval, type RetentionDeps } from './run-retention.ts'

export interface RemoveMonthsDeps extends RetentionDeps {
  readonly pool: Pool
}

// As in a batch of retention.
const EVENTS_A_BATCH = 1_000
// Some minutes; the next run goes on.
const BATCHES_MAX = 500
const DAY_MS = 24 * 60 * 60 * 1_000
// A transaction that began in a month, or a node whose clock is late, may still write to it.
const AGE_MIN_MS = 35 * DAY_MS

/** One run, of one node at a time. What a run leaves is found by the next one. */
export async function removeMonths(deps: RemoveMonthsDeps, signal: AbortSignal): Promise<void> {
  await inInstance('remove past retention', async () => {
    const beforeMs = deps.clock.nowMs() - AGE_MIN_MS
    for (const { table, partitions } of await readMonths(deps.pool, MONTHLY_TABLES)) {
      for (const partition of partitions ?? []) {
        if (signal.aborted) return
        if (partition.kind === 'other' || partition.untilMs > beforeMs) continue
        // One after the other: each takes the lock of the table.
        // oxlint-disable-next-line eslint/no-await-in-loop
        await removeMonth(deps, table.name, partition)
      }
    }
    await finishMonths(deps, signal)
  })
}

async function removeMonth(
  deps: RemoveMonthsDeps,
  table: string,
  month: MonthPartition,
): Promise<void> {
  const { db, pool, log, clock, removed } = deps
  try {
    if (await dropEmptyMonth(pool, table, month.name)) {
      removed.inc({ kind: 'month' })
      log.info('An empty month was dropped', { partition: month.name })
      return
    }
    if (table !== 'event' || !(await isUnkept(db, month, clock.nowMs()))) return
    const isGone = await inTransaction(db, (tx) => detachUnkept(tx, month, clock.nowMs()))
    if (isGone) log.info('A month that nothing keeps was removed', { partition: month.name })
  } catch (error) {
    // lock_not_available: the next run tries again.
    if (readErrorCode(error) !== '55P03') throw error
  }
}

async function finishMonths(deps: RemoveMonthsDeps, signal: AbortSignal): Promise<void> {
  const { db, log, removed } = deps
  for (const name of await listDetachedMonths(db)) {
    const passedOver = new Set<string>()
    for (let batch = 0; batch < BATCHES_MAX && !signal.aborted; batch += 1) {
      // oxlint-disable eslint/no-await-in-loop
      const tenantId = await findTenantOfMonth(db, name, passedOver)
      if (tenantId === null && passedOver.size > 0) break
      if (tenantId === null) {
        if (await inTransaction(db, (tx) => dropDetachedMonth(tx, name))) {
          removed.inc({ kind: 'month' })
        }
        break
      }
      const message = 'The end of a month could not be finished'
      const finish = () => finishBatch(deps, tenantId, name)
      const count = await workOrPassOver(log, { tenantId }, message, finish)
      // oxlint-enable eslint/no-await-in-loop
      // Its events stay, and with them the month; the next run tries again.
      if (count === null) passedOver.add(tenantId)
      removed.inc({ kind: 'event' }, count ?? 0)
    }
  }
}

async function finishBatch(
  { db, ids, clock }: RemoveMonthsDeps,
  tenantId: string,
  name: string,
): Promise<number> {
  return await inTransaction(db, async (tx) => {
    const done = await removeDetached(tx, { tenantId }, name, EVENTS_A_BATCH)
    const at = new Date(clock.nowMs())
    await addHistory(tx, ids, { tenantId }, describeRemoval(done, at))
    return done.removed
  })
}
