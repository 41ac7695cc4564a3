// What to do when a row arrives that is dated too late for the division of its table by months: the
// month at which the table is to be divided was chosen, and the row (of a node whose clock is far
// ahead) belongs after it. The row is stored, and a later run divides at a month after that row.

import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { readErrorCode } from '../trouble-codes.ts'

const CHECK_VIOLATION = '23514'
const LOCK_NOT_AVAILABLE = '55P03'
const LOCK_MS = 300
// Longer than the transactions that are in the way.
const ATTEMPTS_MAX = 20
const PAUSE_MS = 100

/**
 * True when the error says that a row is too late for the division, and the division was given up:
 * the transaction of the row may run again.
 */
export async function giveUpMonths(db: Db, error: unknown): Promise<boolean> {
  const table = findTable(error)
  if (table === null) return false
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    try {
      // oxlint-disable-next-line eslint/no-await-in-loop
      await dropConstraint(db, table)
      return true
    } catch (trouble) {
      if (readErrorCode(trouble) !== LOCK_NOT_AVAILABLE) throw trouble
    }
    // oxlint-disable-next-line eslint/no-await-in-loop
    await delay(PAUSE_MS)
  }
  return false
}

function findTable(error: unknown): string | null {
  if (readErrorCode(error) !== CHECK_VIOLATION) return null
  const { table, constraint }: { table?: unknown; constraint?: unknown } = Object(error)
  if (typeof table !== 'string' || constraint !== nameFirstMonth(table)) return null
  return table
}

/** The constraint that says that all rows of a table are before its first month. */
export function nameFirstMonth(table: string): string {
  return `${table}_before_month`
}

async function dropConstraint(db: Db, table: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_MS)}`.execute(tx)
    // Validation holds its lock until it has read the whole table.
    await sql`
      select pg_cancel_backend(pid) from pg_locks join pg_stat_activity using (pid)
      where relation = ${table}::regclass and mode = 'ShareUpdateExclusiveLock'
        and query like '%alter table % validate constraint %' and pid <> pg_backend_pid()`.execute(
      tx,
    )
    await sql`
      alter table ${sql.table(table)} drop constraint if exists ${sql.ref(nameFirstMonth(table))}`.execute(
      tx,
    )
  })
}
