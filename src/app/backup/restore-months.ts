// Divides the empty tables of a restore by the months that the backup's were divided by. Otherwise
// all rows would lie in the first partition, from which retention can drop no month.

import type { Client } from 'pg'
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
    for (const month of wanted) await client.query(makeMonth(month))
    // oxlint-enable eslint/no-await-in-loop
  }
  if (months.length > 0) await client.query('select protect_rows_of_tenants()')
}

// As `add_month` of migration 0118; the ids were checked when the file was read.
function makeMonth({ table, name, from, until }: BackupMonth): string {
  const bound = from === null ? 'minvalue' : `'${from}'`
  return `
    create table ${quoteName(name)} (like ${quoteName(table)} including defaults including constraints);
    alter table ${quoteName(table)} attach partition ${quoteName(name)} for values from (${bound}) to ('${until}')`
}
