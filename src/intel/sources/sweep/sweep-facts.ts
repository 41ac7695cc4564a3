// The job that keeps the tables of facts from growing without end: sums up former sightings, closes
// days of sightings, and removes what is past its retention (CASEWORK_EXPIRED_DAYS,
// CASEWORK_SIGHTING_DAYS). Each step is a short transaction, and the job rests as long as it works.

import { setTimeout as delay } from 'node:timers/promises'
import { Counter, type Registry } from 'prom-client'
import type { Clock } from '../../../kernel/clock.ts'
import type { Config } from '../../../kernel/config.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { sumFormerSightings } from '../push/former-sightings.ts'
import { SWEEP_TABLES, type SweepStep, sweepEntries } from './sweep-entries.ts'
import { closeDays, deleteOldDays } from './sweep-sightings.ts'

const DAY_MS = 86_400_000
// About 50 ms of the database.
const FORMER_ROWS = 2_000

export interface SweepDeps {
  readonly database: Pick<Database, 'kysely' | 'pool'>
  readonly clock: Clock
  readonly config: Pick<Config, 'expiredDays' | 'sightingDays' | 'lookBackDays'>
  readonly metrics: SweepMetrics
}

export interface SweepMetrics {
  readonly removed: Counter<'kind'>
  readonly summedUp: Counter
}

export function createSweepMetrics(registry: Registry): SweepMetrics {
  return {
    removed: new Counter({
      name: 'casework_intel_removed_total',
      help: 'Rows past their retention that this node removed: entries (listing, tagging, allowance) and days of sightings (sighting).',
      labelNames: ['kind'],
      registers: [registry],
    }),
    summedUp: new Counter({
      name: 'casework_intel_summed_up_total',
      help: 'Days of sightings that this node closed, and former sightings that it summed up by day.',
      registers: [registry],
    }),
  }
}

/** Does all that is due, or ends soon after `signal` aborts. */
export async function sweepFacts(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const { database, clock, config, metrics } = deps
  const { kysely: db, pool } = database
  const nowMs = clock.nowMs()
  const expired = new Date(nowMs - config.expiredDays * DAY_MS)
  // What the look-back counts is kept in any case, and the day it reaches into.
  const sightingDays = Math.max(config.sightingDays, config.lookBackDays + 1)
  const oldest = new Date(nowMs - sightingDays * DAY_MS).toISOString().slice(0, 10)

  const hasSummedUp = await repeatGently(signal, async () => {
    const step = await sumFormerSightings(pool, FORMER_ROWS)
    metrics.summedUp.inc(step.moved)
    return step
  })
  // A former sighting may still belong to a day that would be closed.
  if (!hasSummedUp) return
  await repeatGently(signal, async () => {
    const step = await closeDays(pool)
    metrics.summedUp.inc(step.removed)
    return step
  })
  await repeatGently(signal, async () => {
    const step = await deleteOldDays(pool, oldest)
    metrics.removed.inc({ kind: 'sighting' }, step.removed)
    return step
  })
  for (const table of SWEEP_TABLES) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    await repeatGently(signal, async () => {
      const step = await sweepEntries(db, table, expired)
      metrics.removed.inc({ kind: table }, step.removed)
      return step
    })
  }
}

/** True when all was done before the signal. */
async function repeatGently(
  signal: AbortSignal,
  step: () => Promise<Pick<SweepStep, 'isMore'>>,
): Promise<boolean> {
  while (!signal.aborted) {
    const startedMs = performance.now()
    // oxlint-disable-next-line eslint/no-await-in-loop
    const { isMore } = await step()
    if (!isMore) return true
    const pauseMs = performance.now() - startedMs
    // oxlint-disable-next-line eslint/no-await-in-loop
    await delay(pauseMs, undefined, { signal }).catch(() => undefined)
  }
  return false
}
