// What keeps PostgreSQL's planner on a plan that also holds for a table of which it knows nothing,
// as right after an import. Statements take one of these and no trick of their own
// (test/tidy-tree.test.ts); planner.test.ts fails when a version of PostgreSQL plans otherwise.

import { type RawBuilder, sql } from 'kysely'

/**
 * At the end of a sub-select: it is planned by itself. Beside rows it is looked up once for each of
 * them and never joined as a whole; in front of a filter or an order it is read by its own
 * condition, and not in the order of the page. PostgreSQL does not merge a sub-select that has an
 * offset into the query around it.
 */
export const PLANNED_ALONE = sql`offset 0`

/**
 * The same condition, of which the planner expects that half of the rows meet it: so it reads the
 * rows in the order of the list, or by another condition. Of the bare condition it would expect
 * that few rows meet it, and would gather and sort all of them.
 */
export function metByHalf(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${condition} then true end`
}

/**
 * Statements for a transaction that reads the rows of up to some 100,000 keys from tables that were
 * just filled: without statistics the planner would read whole tables.
 */
export const PROBES_FOR_TRANSACTION = [
  'set local enable_hashjoin = off',
  'set local enable_mergejoin = off',
] as const

/**
 * At the end of an ordered sub-select, of which a limit in the statement around it takes the first
 * rows: the rows are read one after the other in the order of an index. PostgreSQL does not know a
 * limit that is itself a sub-select, so it expects that a tenth of the rows is asked for, and does
 * not sort all of them. The number is larger than every such list.
 */
export const ONE_BY_ONE = sql`limit (select 1000000)`

/**
 * A condition on a text of each row of a batch that is joined to a table by key; it is always true.
 * When the planner knows the number of rows, it hashes or sorts the whole table instead, unless
 * that is some fifty times as large as the batch. Of this it assumes that one row in two hundred
 * fulfils it, and looks up each row by its key. (Citus 13.2 takes no sub-select in a limit of a
 * statement that writes: its server process ends by a fault.)
 */
export function oneByOne(column: string): RawBuilder<unknown> {
  return sql`${sql.ref(column)} || '' = ${sql.ref(column)}`
}

/**
 * The rows of a batch of up to 10,000, which have an `id`, to lock the rows of a table in their
 * order. A planner that expects one row starts with the batch whatever the size of the table,
 * unless it can hash. So compare the keys by `= any (array[given.key])`, which an index supports
 * and a hash join does not.
 */
export function inTheirOrder(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select * from (${rows}) as one where ${oneByOne('one.id')} and '' || one.id = one.id`
}
