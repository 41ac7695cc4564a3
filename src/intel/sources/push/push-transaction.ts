// The transaction of a push. Rows are copied into a temporary table and merged into the facts by
// one statement, which records the changed subjects; the serial is raised last. It uses the driver
// instead of kysely, because COPY needs it.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Pool, PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { isKeyTaken, readErrorCode } from '../../../kernel/db/trouble-codes.ts'
import type { FactTable } from '../../facts/source-kinds.ts'
import type { FreshPush, PushListener } from '../../index/fresh-facts.ts'
import {
  joinNotedSubjects,
  nextPushId,
  noteChangedSubjects,
  raiseSerial,
  type StatementOfParts,
} from '../../index/serial-store.ts'
import type { FactLog } from '../../snapshot/fact-log.ts'

// Serialization failure and deadlock: the transaction was rolled back and can be retried (design
// section 1, row 4).
const RETRY_CODES = new Set(['40001', '40P01'])
const ATTEMPTS_MAX = 5
// A million rows take some seconds; a statement of minutes is stuck.
const STATEMENT_TIMEOUT_MS = 300_000

export interface PushTransaction {
  readonly client: PoolClient
  /**
   * Runs an insert, update or delete that returns `subject`, and records these subjects as changed
   * inside the database, each once a push. Returns the number of rows.
   */
  readonly noteChanges: (
    statement: string | StatementOfParts,
    values?: readonly unknown[],
  ) => Promise<number>
  /**
   * The same for an insert of new keys only. Null, and nothing is changed, when a key already
   * exists.
   */
  readonly noteAllNew: (statement: string, values?: readonly unknown[]) => Promise<number | null>
}

/** The in-memory reader of the rows of a push. */
export interface PushAudience {
  /** All rows as facts, used when each row was new; null when they are not in memory. */
  readonly facts: FactLog | null
  readonly listener: PushListener | null
}

/**
 * Runs `work` as a push into `table`; `work` returns true when all its rows were new. True when a
 * subject changed: the changes are committed with one new serial. Nothing is committed when `work`
 * throws.
 */
export async function inPush(
  pool: Pool,
  table: FactTable,
  audience: PushAudience,
  work: (push: PushTransaction) => Promise<boolean>,
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const client = await pool.connect()
    try {
      const changes = await runPush(client, table, audience, work)
      client.release()
      return changes > 0
    } catch (error) {
      // A connection in the middle of a COPY cannot be used again.
      client.release(true)
      if (attempt >= ATTEMPTS_MAX || !RETRY_CODES.has(readErrorCode(error) ?? '')) throw error
    }
  }
}

async function runPush(
  client: PoolClient,
  table: FactTable,
  { facts, listener }: PushAudience,
  work: (push: PushTransaction) => Promise<boolean>,
): Promise<number> {
  await client.query('begin')
  await client.query(`set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`)
  const id = await nextPushId(client)
  // The change log names a subject once per serial, so subjects are counted and not rows.
  let changes = 0
  let statementsWithChanges = 0
  const noteChanges: PushTransaction['noteChanges'] = async (statement, values = []) => {
    const { rows, subjects } = await noteChangedSubjects(client, id, statement, values)
    changes += subjects
    if (subjects > 0) statementsWithChanges += 1
    return rows
  }
  const isAllNew = await work({
    client,
    noteChanges,
    async noteAllNew(statement, values = []) {
      await client.query('savepoint all_new')
      try {
        return await noteChanges(statement, values)
      } catch (error) {
        if (!isKeyTaken(error)) throw error
        await client.query('rollback to savepoint all_new')
        return null
      }
    },
  })
  if (changes === 0) {
    await client.query('commit')
    return 0
  }
  // Called before the serial is visible. Otherwise the facts would be read from the database,
  // although they are published right after the commit.
  const publish = facts !== null && isAllNew ? listener?.expect() : undefined
  let freshPush: FreshPush | null = null
  try {
    const noted =
      statementsWithChanges > 1 ? await joinNotedSubjects(client, id) : { id, subjects: changes }
    const push = { id: noted.id, table, subjectCount: noted.subjects }
    const { serial, mark } = await raiseSerial(client, push)
    await client.query('commit')
    if (facts !== null) freshPush = { serial, mark, log: facts }
  } finally {
    publish?.(freshPush)
  }
  return changes
}

/** Creates a temporary table that is emptied at the end of each transaction. */
export async function createStaging(
  client: PoolClient,
  table: { readonly name: string; readonly columns: string },
): Promise<void> {
  await client.query(
    `create temporary table if not exists ${table.name} (${table.columns}) on commit delete rows`,
  )
}

/**
 * Fills a temporary table with lines of COPY's text format. The table is emptied at the end of the
 * transaction.
 */
export async function stageRows(
  client: PoolClient,
  table: { readonly name: string; readonly columns: string },
  pieces: readonly Uint8Array[],
): Promise<void> {
  await createStaging(client, table)
  await pipeline(Readable.from(pieces), client.query(copyFrom(`copy ${table.name} from stdin`)))
}
