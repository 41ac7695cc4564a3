// Reads facts as streams of COPY into a snapshot: all that are known, or those of many changed
// subjects.

import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { PROBES_FOR_TRANSACTION } from '../../kernel/db/planner.ts'
import type { Subject } from '../../values/range.ts'
import type { FactTable } from '../facts/source-kinds.ts'
import { findRecord } from '../snapshot/find-record.ts'
import { FACT_ALLOWANCE, FACT_LISTING, FACT_TAGGING } from '../snapshot/record.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import { SnapshotBuilder } from '../snapshot/snapshot-builder.ts'
import { CopyRows, type TakeFact } from './copy-rows.ts'
import {
  type BuildTime,
  factsOf,
  parseStored,
  SIGHTING_COLUMNS,
  SIGHTING_GROUP,
  STATEMENT_COLUMNS,
} from './fact-columns.ts'
import { CHANGED_SUBJECTS } from './serial-store.ts'

export interface ReadOptions extends BuildTime {
  /** Only what changed after this serial; everything when absent. */
  readonly after?: number
  /**
   * The layers at that serial, the newest first. Facts in tables that no change wrote to are taken
   * from here and not read.
   */
  readonly known?: readonly Snapshot[]
}

// Listing some million changed subjects takes seconds. The connection is given up a little later.
const PREPARE_TIMEOUT_MS = 300_000
// Streaming a large set takes longer than any other statement may. A stream is given up when no
// byte of it has passed for some time (COPY_SILENCE_MS in the kernel).
const UNLIMITED = 'set local statement_timeout = 0'

/**
 * Reads facts in one transaction into a snapshot: all, or those of the subjects that changed after
 * a serial. Among these may be subjects without any fact left. Needs the memory of the builder and
 * of one buffer of the stream.
 */
export async function readSnapshot(pool: pg.Pool, options: ReadOptions): Promise<Snapshot> {
  const { after, seed, builtAtMs, lookBackSeconds } = options
  const client = await pool.connect()
  try {
    // One snapshot of all tables: a later push has a later serial.
    await client.query('begin isolation level repeatable read')
    await client.query(`set local statement_timeout = ${PREPARE_TIMEOUT_MS}`)
    // Rolling up a million sightings in the default of 4 MB goes through the disk.
    await client.query("set local work_mem = '64MB'")
    const { rows } = await client.query<{ serial: number; mark: string; is_read_only: boolean }>(
      `select serial, coalesce(mark::text, '') as mark,
        current_setting('transaction_read_only') = 'on' as is_read_only
      from intel_serial left join intel_push using (serial)`,
    )
    const builder = new SnapshotBuilder(seed === undefined ? {} : { seed })
    if (after === undefined) {
      await client.query(UNLIMITED)
      await copyFacts(client, builder, (table) => factsOf(table, options), FACT_TABLES)
    } else {
      const changed =
        rows[0]?.is_read_only === true ? nameChanged(after) : await keepChanged(client, after)
      await copyChanges(client, builder, { ...options, changed, after })
    }
    await client.query('commit')
    client.release()
    const { serial = 0, mark = '' } = rows[0] ?? {}
    return builder.build({ serial, mark, builtAtMs, lookBackSeconds })
  } catch (error) {
    // A connection in the middle of a copy is of no use to anyone else.
    client.release(true)
    throw error
  }
}

/** The `from` clause of the facts of a table. */
type FactsOf = (table: FactTable) => string

/** A `from` clause of facts, limited to the changed subjects. */
function amongChanged(changed: string, from: string): string {
  return from.replace(/^from (\w+) fact/, `from ${changed} join $1 fact using (subject)`)
}

// An index probe for a subject takes about 2 µs in each of four tables. Beyond this many subjects
// the planner chooses.
const PROBED_MAX = 100_000

interface Changes extends ReadOptions {
  /** The changed subjects, for a `from` clause. */
  readonly changed: string
  readonly after: number
}

// Most pushes write to one of four tables. The facts of the other tables are known already, and
// reading them again would cost 2 µs a subject.
async function copyChanges(
  client: pg.PoolClient,
  builder: SnapshotBuilder,
  options: Changes,
): Promise<void> {
  const { changed, after, known } = options
  const touched = known === undefined ? null : await readTouchedTables(client, after)
  const isKnown = (kind: number): boolean => touched?.has(tableOfKind(kind)) === false
  await probeForFew(client, changed)
  await client.query(UNLIMITED)
  await copyChanged(client, changed, (subject) => {
    builder.addNothing(subject)
    if (touched === null || known === undefined) return
    for (const snapshot of known) {
      const record = findRecord(snapshot, subject)
      if (record < 0) continue
      builder.addRecord(subject, snapshot, record, isKnown)
      return
    }
  })
  const tables = FACT_TABLES.filter((table) => touched?.has(table) !== false)
  const facts: FactsOf = (table) => amongChanged(changed, factsOf(table, options))
  await copyFacts(client, builder, facts, tables)
}

/** The tables that pushes after a serial wrote to; null when that is not known of all. */
async function readTouchedTables(
  client: pg.PoolClient,
  after: number,
): Promise<ReadonlySet<string> | null> {
  const { rows } = await client.query<{ fact_table: string | null }>(
    'select distinct fact_table from intel_push where serial > $1',
    [after],
  )
  const tables = new Set<string>()
  for (const { fact_table: table } of rows) {
    if (table === null) return null
    tables.add(table)
  }
  return tables
}

/**
 * The subjects are put into a table once, so that the planner knows their number in each query. In
 * the order of the subjects, so that neighbouring index probes meet the same pages.
 */
async function keepChanged(client: pg.PoolClient, after: number): Promise<string> {
  await client.query(
    `create temporary table changed_subject on commit drop as ${listChanged(after)} order by subject`,
  )
  await client.query('analyze changed_subject')
  return 'changed_subject'
}

/** A standby makes no table: each query lists the subjects again. */
function nameChanged(after: number): string {
  return `(${listChanged(after)}) as changed_subject`
}

function listChanged(after: number): string {
  return CHANGED_SUBJECTS.replace('$1', String(Math.trunc(after)))
}

// Fact tables that were just filled have no statistics, and the planner would read all facts for
// the few that are wanted (5 s of 10 million).
async function probeForFew(client: pg.PoolClient, changed: string): Promise<void> {
  const counted = await client.query<{ count: number }>(`select count(*) from ${changed}`)
  if ((counted.rows[0]?.count ?? 0) < PROBED_MAX) {
    await client.query(PROBES_FOR_TRANSACTION.join(';'))
  }
}

async function copyChanged(
  client: pg.PoolClient,
  changed: string,
  take: (subject: Subject) => void,
): Promise<void> {
  const query = `select subject, 0, 0, 0, 0 from ${changed}`
  await copy(client, query, () => take)
}

async function copyFacts(
  client: pg.PoolClient,
  builder: SnapshotBuilder,
  from: FactsOf,
  tables: readonly FactTable[],
): Promise<void> {
  for (const table of tables) {
    // One connection copies one table at a time.
    // oxlint-disable-next-line eslint/no-await-in-loop
    await COPY_TABLE[table](client, builder, from(table))
  }
}

const FACT_TABLES: readonly FactTable[] = ['listing', 'allowance', 'tagging', 'sighting']

function tableOfKind(kind: number): string {
  switch (kind) {
    case FACT_LISTING:
      return 'listing'
    case FACT_ALLOWANCE:
      return 'allowance'
    case FACT_TAGGING:
      return 'tagging'
    default:
      return 'sighting'
  }
}

type CopyTable = (client: pg.PoolClient, builder: SnapshotBuilder, from: string) => Promise<void>

const COPY_TABLE: Readonly<Record<FactTable, CopyTable>> = {
  listing: (client, builder, from) =>
    copyStatements(client, from, (list, source) => (subject, times) => {
      builder.addListing(subject, { list, source, ...times })
    }),
  allowance: (client, builder, from) =>
    copyStatements(client, from, (list, source) => (subject, times) => {
      builder.addAllowance(subject, { list, source, ...times })
    }),
  tagging: (client, builder, from) =>
    copyStatements(client, from, (tag, source) => (subject, times) => {
      builder.addTagging(subject, { tag, source, ...times })
    }),
  sighting: copySightings,
}

interface StatementTimes {
  readonly firstSeenSeconds: number
  readonly lastSeenSeconds: number
  readonly expiresSeconds: number
}

async function copyStatements(
  client: pg.PoolClient,
  from: string,
  takeFor: (name: string, source: string) => (subject: Subject, times: StatementTimes) => void,
): Promise<void> {
  await copy(client, `select ${STATEMENT_COLUMNS} ${from}`, ([name = '', source = '']) => {
    const take = takeFor(name, source)
    return (subject, firstSeenSeconds, lastSeenSeconds, expiresSeconds) => {
      take(subject, { firstSeenSeconds, lastSeenSeconds, expiresSeconds })
    }
  })
}

async function copySightings(
  client: pg.PoolClient,
  builder: SnapshotBuilder,
  from: string,
): Promise<void> {
  const query = `select ${SIGHTING_COLUMNS} ${from} group by ${SIGHTING_GROUP}`
  await copy(client, query, ([kind = '', service = '', type = '', source = '']) => {
    return (subject, firstSeenSeconds, lastSeenSeconds, count) => {
      const times = { firstSeenSeconds, lastSeenSeconds }
      builder.addSighting(subject, { kind, service, type, source, count, ...times })
    }
  })
}

async function copy(
  client: pg.PoolClient,
  query: string,
  openOrigin: (origin: readonly string[]) => TakeFact,
): Promise<void> {
  const stream = client.query(copyTo(`copy (${query}) to stdout`))
  const rows = new CopyRows(openOrigin, parseStored)
  await pipeline(stream, async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) rows.write(chunk)
  })
}
