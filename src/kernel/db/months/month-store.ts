// SQL of tables that are divided by months: what the catalogue says of them, and the steps of a
// division (migration 0118). Each step is a transaction of its own that is given up rather than
// waited for: what waits for the lock of a table stops everyone who comes after it.

import type { Pool, PoolClient } from 'pg'
import { buildUuidFloor, readUuidTimeMs } from '../../ids.ts'
import { nameFirstMonth } from './give-up-months.ts'
import { type MonthlyTable, type Partition, parsePartition, writeMonth } from './months.ts'

export interface DividedTable {
  readonly table: MonthlyTable
  /** Null while the table is not divided yet. */
  readonly partitions: readonly Partition[] | null
}

/** In the order given. Tables that the schema does not have are left out. */
export async function readMonths(
  pool: Pool,
  tables: readonly MonthlyTable[],
): Promise<readonly DividedTable[]> {
  const { rows } = await pool.query<{
    name: string
    is_divided: boolean
    partitions: readonly { readonly name: string; readonly bound: string }[] | null
  }>(
    `select c.relname::text as name, c.relkind = 'p' as is_divided, (
       select json_agg(json_build_object('name', p.relname::text, 'bound', pg_get_expr(p.relpartbound, p.oid)) order by p.relname)
       from pg_inherits i join pg_class p on p.oid = i.inhrelid where i.inhparent = c.oid) as partitions
     from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relname = any($1)`,
    [tables.map(({ name }) => name)],
  )
  return tables.flatMap((table) => {
    const found = rows.find(({ name }) => name === table.name)
    if (found === undefined) return []
    const partitions = (found.partitions ?? []).map(({ name, bound }) =>
      parsePartition(name, bound),
    )
    return [{ table, partitions: found.is_divided ? partitions : null }]
  })
}

/** A constraint that says that every row of the table is before a month. */
export interface FirstMonth {
  readonly startMs: number
  /** Whether the rows from before the constraint have been looked at. */
  readonly isValid: boolean
}

export async function findFirstMonth(
  pool: Pool,
  { name }: MonthlyTable,
): Promise<FirstMonth | null> {
  const { rows } = await pool.query<{ text: string; is_valid: boolean }>(
    `select pg_get_constraintdef(oid) as text, convalidated as is_valid from pg_constraint
     where conrelid = $1::regclass and conname = $2`,
    [name, nameFirstMonth(name)],
  )
  const [row] = rows
  const id = /'([0-9a-f-]{36})'/.exec(row?.text ?? '')?.[1]
  if (row === undefined || id === undefined) return null
  return { startMs: readUuidTimeMs(id), isValid: row.is_valid }
}

// Reads the whole table, and blocks nobody.
export async function findNewestMs(
  pool: Pool,
  { name, key }: MonthlyTable,
): Promise<number | null> {
  return await inStep(pool, UNLIMITED, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select "${key}" as id from "${name}" order by "${key}" desc limit 1`,
    )
    return rows[0] === undefined ? null : readUuidTimeMs(rows[0].id)
  })
}

/** Without a look at the rows: from now on the table takes none of the month or later. */
export async function bindToFirstMonth(
  pool: Pool,
  { name, key }: MonthlyTable,
  startMs: number,
): Promise<void> {
  await inStep(pool, BRIEF, (client) =>
    client.query(
      `alter table "${name}" add constraint "${nameFirstMonth(name)}" check ("${key}" < '${buildUuidFloor(startMs)}') not valid`,
    ),
  )
}

export async function unbindFromFirstMonth(pool: Pool, { name }: MonthlyTable): Promise<void> {
  await inStep(pool, BRIEF, (client) =>
    client.query(`alter table "${name}" drop constraint if exists "${nameFirstMonth(name)}"`),
  )
}

/** Looks at every row, while the table is read and written. */
export async function validateFirstMonth(pool: Pool, { name }: MonthlyTable): Promise<void> {
  await inStep(pool, UNLIMITED, (client) =>
    client.query(`alter table "${name}" validate constraint "${nameFirstMonth(name)}"`),
  )
}

/**
 * Reads no row. False when no valid constraint says that none is too late: one that was took it
 * away (give-up-months.ts).
 */
export async function divide(
  pool: Pool,
  { name, key }: MonthlyTable,
  startMs: number,
): Promise<boolean> {
  return await inStep(pool, BRIEF, async (client) => {
    await client.query(`lock table "${name}" in access exclusive mode`)
    const { rows } = await client.query(
      `select from pg_constraint where conrelid = $1::regclass and conname = $2 and convalidated`,
      [name, nameFirstMonth(name)],
    )
    if (rows.length === 0) return false
    await client.query('select divide_by_month($1, $2, $3)', [name, key, writeMonth(startMs)])
    return true
  })
}

/** False where Citus leaves rows of the month in the partition for other ids (migration 0122). */
export async function addMonth(
  pool: Pool,
  { name, key }: MonthlyTable,
  startMs: number,
): Promise<boolean> {
  const month = writeMonth(startMs)
  const partition = `${name}_${month.slice(0, 7).replace('-', '_')}`
  return await inStep(pool, BRIEF, async (client) => {
    await client.query('select add_month($1, $2, $3)', [name, key, month])
    const { rows } = await client.query('select where to_regclass($1) is not null', [partition])
    return rows.length > 0
  })
}

/** False when the partition has rows. */
export async function dropEmptyMonth(pool: Pool, table: string, name: string): Promise<boolean> {
  const hasRows = async (client: Pool | PoolClient): Promise<boolean> =>
    (await client.query(`select from "${name}" limit 1`)).rows.length > 0
  if (await hasRows(pool)) return false
  return await inStep(pool, BRIEF, async (client) => {
    await client.query(`lock table "${name}" in access exclusive mode`)
    if (await hasRows(client)) return false
    await client.query(`alter table "${table}" detach partition "${name}"`)
    await client.query(`drop table "${name}"`)
    return true
  })
}

/**
 * Renews the statistics over all partitions, of which PostgreSQL's own daemon renews those of each
 * partition only. True when they were older than a day.
 */
export async function analyzeDaily(pool: Pool, { name }: MonthlyTable): Promise<boolean> {
  const { rows } = await pool.query(
    `select from pg_stat_user_tables where relid = $1::regclass and coalesce(last_analyze, '-infinity') < now() - interval '1 day'`,
    [name],
  )
  if (rows.length === 0) return false
  await inStep(pool, UNLIMITED, (client) => client.query(`analyze "${name}"`))
  return true
}

/** Limits in ms; 0 is none. */
interface StepLimits {
  readonly lockMs: number
  readonly statementMs: number
}

// A request that comes behind a step waits this long at most.
const BRIEF: StepLimits = { lockMs: 300, statementMs: 10_000 }
// These locks stop changes of the schema only.
const UNLIMITED: StepLimits = { lockMs: 2_000, statementMs: 0 }

async function inStep<Result>(
  pool: Pool,
  { lockMs, statementMs }: StepLimits,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(`set local statement_timeout = ${statementMs}`)
    await client.query(`set local lock_timeout = ${lockMs}`)
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}
