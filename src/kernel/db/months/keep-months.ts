// The job of the tables that are divided by months: divides one of an installation from before that
// while it is in use, and makes the months to come. Each step may be lost with its process; the
// next run begins with what the database says.

import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import { inInstance } from '../instance-acts.ts'
import { readErrorCode } from '../trouble-codes.ts'
import {
  addMonth,
  analyzeDaily,
  bindToFirstMonth,
  divide,
  findFirstMonth,
  findNewestMs,
  readMonths,
  unbindFromFirstMonth,
  validateFirstMonth,
} from './month-store.ts'
import {
  chooseFirstMonth,
  findCoveredUntil,
  LATE_MS,
  listMissingMonths,
  MONTHLY_TABLES,
  type MonthlyTable,
  writeMonth,
} from './months.ts'

export interface KeepMonthsDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
  readonly gauges: MonthGauges
  readonly tables?: readonly MonthlyTable[]
}

export interface MonthGauges {
  readonly partitions: Gauge<'table'>
  readonly coveredUntil: Gauge<'table'>
}

export function createMonthGauges(registry: Registry): MonthGauges {
  return {
    partitions: new Gauge({
      name: 'casework_month_partitions',
      help: 'Partitions of a table that is divided by the month of arrival; 0 while it is not divided yet.',
      labelNames: ['table'],
      registers: [registry],
    }),
    coveredUntil: new Gauge({
      name: 'casework_months_until_timestamp_seconds',
      help: 'The time up to which a table has partitions for what arrives, in seconds since 1970. Later rows go to its partition for all other ids.',
      labelNames: ['table'],
      registers: [registry],
    }),
  }
}

/** One run; a step that met a lock is left to the next run. */
export async function keepMonths(deps: KeepMonthsDeps, signal: AbortSignal): Promise<void> {
  const { pool, tables = MONTHLY_TABLES } = deps
  await inInstance('keep months', async () => {
    for (const table of tables) {
      if (signal.aborted) return
      // One table after the other, on one connection.
      // oxlint-disable-next-line eslint/no-await-in-loop
      await keepTable(deps, table, signal)
    }
    for (const { table, partitions } of await readMonths(pool, tables)) {
      measure(deps, table, partitions)
    }
  })
}

function measure(
  { clock, gauges }: KeepMonthsDeps,
  { name }: MonthlyTable,
  partitions: Awaited<ReturnType<typeof readMonths>>[number]['partitions'],
): void {
  gauges.partitions.set({ table: name }, partitions?.length ?? 0)
  if (partitions === null) return
  const untilMs = findCoveredUntil(partitions, clock.nowMs())
  gauges.coveredUntil.set({ table: name }, untilMs / 1_000)
}

async function keepTable(
  deps: KeepMonthsDeps,
  table: MonthlyTable,
  signal: AbortSignal,
): Promise<void> {
  const { pool, clock, log } = deps
  const [found] = await readMonths(pool, [table])
  if (found === undefined) return
  try {
    let { partitions } = found
    if (partitions === null) {
      await divideTable(deps, table, signal)
      partitions = (await readMonths(pool, [table]))[0]?.partitions ?? null
    }
    if (signal.aborted) return
    for (const startMs of listMissingMonths(partitions ?? [], clock.nowMs())) {
      // oxlint-disable-next-line eslint/no-await-in-loop
      const isMade = await addMonth(pool, table, startMs)
      log.info(isMade ? 'A partition for a month was made' : NOT_MADE, {
        table: table.name,
        month: nameMonth(startMs),
      })
    }
    await analyzeDaily(pool, table)
  } catch (error) {
    if (!isBusy(error)) throw error
    log.info('A step for a month met another one and is left to the next run', {
      table: table.name,
    })
  }
}

const NOT_MADE =
  'A partition for a month cannot be made: rows of the month lie in the one for all other ids, and Citus moves none. They stay there and are served'

const BUSY_CODES: readonly (string | null)[] = [
  '55P03', // lock_not_available
  '40P01', // deadlock_detected
  '57014', // query_canceled: a row was too late for the division (give-up-months.ts)
  // Another node was faster:
  '23505', // unique_violation, of the catalogue
  '42704', // undefined_object
  '42710', // duplicate_object
  '42P07', // duplicate_table
]

function isBusy(error: unknown): boolean {
  return BUSY_CODES.includes(readErrorCode(error))
}

// A request takes some milliseconds, so a gap between them is soon found. What holds the table for
// longer, such as a backup, is left to a later run.
const DIVISIONS_MAX = 20
const DIVISION_PAUSE_MS = 500

async function divideTable(
  deps: KeepMonthsDeps,
  table: MonthlyTable,
  signal: AbortSignal,
): Promise<void> {
  const { pool, log } = deps
  const startMs = await prepareDivision(deps, table)
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    try {
      // oxlint-disable-next-line eslint/no-await-in-loop
      if (!(await divide(pool, table, startMs))) return
      break
    } catch (error) {
      if (attempt >= DIVISIONS_MAX || !isBusy(error)) throw error
    }
    // oxlint-disable-next-line eslint/no-await-in-loop
    await delay(DIVISION_PAUSE_MS, undefined, { signal }).catch(() => undefined)
  }
  log.info('A table was divided by months', { table: table.name, month: nameMonth(startMs) })
}

/** `2026-12` of the start of a month. */
function nameMonth(startMs: number): string {
  return writeMonth(startMs).slice(0, 7)
}

/**
 * Brings the table to where a valid constraint says that all rows are before the start of a month,
 * which is returned.
 */
async function prepareDivision(
  { pool, clock }: KeepMonthsDeps,
  table: MonthlyTable,
): Promise<number> {
  let first = await findFirstMonth(pool, table)
  if (first !== null && first.startMs - clock.nowMs() < LATE_MS / 2) {
    // Rows would soon be refused. The division takes a later month.
    await unbindFromFirstMonth(pool, table)
    first = null
  }
  if (first === null) {
    const startMs = chooseFirstMonth(clock.nowMs(), await findNewestMs(pool, table))
    await bindToFirstMonth(pool, table, startMs)
    first = { startMs, isValid: false }
  }
  if (!first.isValid) await validateFirstMonth(pool, table)
  return first.startMs
}
