// Divides the tables of a restore by months: empty ones by those that the backup's were divided by,
// and the rows of a backup that names none by the months of their ids. Otherwise all rows would lie
// in the first partition, from which retention can drop no month.

import type { Client } from 'pg'
import {
  chooseFirstMonth,
  MONTHLY_TABLES,
  type MonthlyTable,
  startOfMonth,
  writeMonth,
} from '../../kernel/db/months/months.ts'
import { buildUuidFloor, readUuidTimeMs } from '../../kernel/ids.ts'
import { type BackupMonth, quoteName } from './backup-format.ts'
import { listMonths } from './catalogue.ts'

/**
 * In the transaction of the restore. A table that is not divided in both databases stays as it is.
 */
export async function restoreMonths(client: Client, months: readonly BackupMonth[]): Promise<void> {
  const present = Map.groupBy(await listMonths(client), ({ table }) => table)
  for (const [table, wanted] of Map.groupBy(months, (month) => month.table)) {
    const partitions = present.get(table) ?? []
    if (partitions.length === 0) continue
    // One partition after the other, on one connection.
    // oxlint-disable eslint/no-await-in-loop
    for (const { name } of partitions) await client.query(`drop table ${quoteName(name)}`)
    for (const month of wanted) await client.query(`${createMonth(month)}; ${attachMonth(month)}`)
    // oxlint-enable eslint/no-await-in-loop
  }
  if (months.length > 0) await client.query('select protect_rows_of_tenants()')
}

// Both as `add_month` of migration 0118; the ids of a backup were checked when the file was read.
function createMonth({ table, name }: BackupMonth): string {
  return `create table ${quoteName(name)} (like ${quoteName(table)} including defaults including constraints)`
}

function attachMonth({ table, name, from, until }: BackupMonth): string {
  const bound = from === null ? 'minvalue' : `'${from}'`
  return `alter table ${quoteName(table)} attach partition ${quoteName(name)} for values from (${bound}) to ('${until}')`
}

// Rows of earlier months stay in the first partition, as do those whose ids tell no time.
const MONTHS_MAX = 120

/**
 * In the transaction of the restore, with the schema of this program. Copies the rows of the first
 * partition of each table, which costs as much room again until the transaction has ended, and
 * makes their indexes behind them.
 */
export async function divideRows(client: Client): Promise<void> {
  const clock = await client.query<{ now: Date }>('select now()')
  const nowMs = clock.rows[0]?.now.getTime() ?? 0
  for (const table of MONTHLY_TABLES) {
    // One table after the other, on one connection.
    // oxlint-disable eslint/no-await-in-loop
    if (!(await isDivided(client, table))) await divideTable(client, table, nowMs)
    const present = (await listMonths(client)).filter((month) => month.table === table.name)
    const first = present.find(({ from }) => from === null)
    if (first === undefined) continue
    const months = await listMonthsOfRows(client, table, first, nowMs)
    if (months.length > 0) await splitPartition(client, table, first, months)
    // oxlint-enable eslint/no-await-in-loop
  }
  await client.query('select protect_rows_of_tenants()')
}

async function isDivided(client: Client, { name }: MonthlyTable): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_class where oid = to_regclass($1) and relkind = 'p'`,
    [name],
  )
  return rows.length > 0
}

/** One that was too large for migration 0118. */
async function divideTable(
  client: Client,
  { name, key }: MonthlyTable,
  nowMs: number,
): Promise<void> {
  // Ids of a clock that was far ahead go to the partition for all others.
  const month = writeMonth(chooseFirstMonth(nowMs, null))
  await client.query('select divide_by_month($1, $2, $3)', [name, key, month])
}

/**
 * The starts of the months of the partition that have rows, and of the current and all later ones
 * that it covers; none when no month has rows.
 */
async function listMonthsOfRows(
  client: Client,
  { key }: MonthlyTable,
  { name, until }: BackupMonth,
  nowMs: number,
): Promise<readonly number[]> {
  const untilMs = readUuidTimeMs(until)
  const months = new Set<number>()
  let fromMs = startOfMonth(untilMs, -MONTHS_MAX)
  for (let count = 0; count < MONTHS_MAX && fromMs < untilMs; count += 1) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const { rows } = await client.query<{ id: string }>(
      `select ${quoteName(key)} as id from ${quoteName(name)}
       where ${quoteName(key)} >= $1 and ${quoteName(key)} < $2 order by ${quoteName(key)} limit 1`,
      [buildUuidFloor(fromMs), until],
    )
    const [row] = rows
    if (row === undefined) break
    months.add(startOfMonth(readUuidTimeMs(row.id)))
    fromMs = startOfMonth(readUuidTimeMs(row.id), 1)
  }
  if (months.size === 0) return []
  for (let later = 0; startOfMonth(nowMs, later) < untilMs; later += 1) {
    months.add(startOfMonth(nowMs, later))
  }
  return [...months].toSorted((a, b) => a - b)
}

/** What is earlier than these months becomes the first partition. */
async function splitPartition(
  client: Client,
  { name: table, key }: MonthlyTable,
  first: BackupMonth,
  months: readonly number[],
): Promise<void> {
  const former = quoteName(`${table}_before_months`)
  await client.query(`alter table ${quoteName(table)} detach partition ${quoteName(first.name)}`)
  await client.query(`alter table ${quoteName(first.name)} rename to ${former}`)
  const [start = 0] = months
  const untilStart = buildUuidFloor(start)
  const parts: readonly BackupMonth[] = [
    { table, name: `${table}_until_${nameMonth(start)}`, from: null, until: untilStart },
    ...months.map((month) => ({
      table,
      name: `${table}_${nameMonth(month)}`,
      from: buildUuidFloor(month),
      until: buildUuidFloor(startOfMonth(month, 1)),
    })),
  ]
  for (const part of parts) {
    const since = part.from === null ? '' : `and ${quoteName(key)} >= '${part.from}'`
    // oxlint-disable-next-line eslint/no-await-in-loop
    await client.query(`
      ${createMonth(part)};
      insert into ${quoteName(part.name)} select * from ${former} where ${quoteName(key)} < '${part.until}' ${since};
      ${attachMonth(part)}`)
  }
  await client.query(`drop table ${former}`)
}

function nameMonth(startMs: number): string {
  return writeMonth(startMs).slice(0, 7).replace('-', '_')
}
