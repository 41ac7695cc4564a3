// Columns of a batch as PostgreSQL writes arrays, a parameter each. Rows as JSON cost the database
// 10 µs each to read, and the driver writes an array character by character (measured 2026-11-22:
// 4.8 µs a row of twenty columns, 1.4 µs this way).

import { type RawBuilder, sql } from 'kysely'

/**
 * Behind rows by which others are found. A planner that is told how many they are reads and hashes
 * the whole table until that is some fifty times as large as the batch (measured at 40,000 cases:
 * 50 ms for 500, of which each alone is found in 8 µs), or sorts them first (13,000 hours of
 * arrivals: 6 ms); one that is not told takes a tenth for granted and looks each up by its key.
 * More than any batch holds, and more hours than a century has.
 */
export const ONE_BY_ONE = sql`limit (select 1000000)`

/**
 * The rows of a batch of up to 10,000, by which others are to be locked one after the other. A
 * planner that takes one row for granted begins with it whatever the size of the table, unless it
 * can hash: so the keys have to be compared by `= any (array[given.key])`, of which indexes know
 * and hashes do not (seen of tables of 10 to 200,000 rows, with and without statistics).
 */
export function inTheirOrder(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  // Each takes a tenth for granted.
  return [1, 2, 3].reduce<RawBuilder<unknown>>(
    (inner) => sql`select * from (${inner}) as one ${ONE_BY_ONE}`,
    sql`${rows} ${ONE_BY_ONE}`,
  )
}

/**
 * Ids, times, numbers and the like, which hold none of `,{}"\` and no space. A column without any
 * value is written as an empty array: `unnest` fills it up with nulls.
 */
export function writeWords(values: readonly (string | number | boolean | null)[]): string {
  if (values.every((value) => value === null)) return '{}'
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`
}

/** What `writeWords` writes; null for no rows, as an aggregate of none is. */
export function readWords(array: string | null): readonly (string | null)[] {
  if (array === null || array === '{}') return []
  return array
    .slice(1, -1)
    .split(',')
    .map((word) => (word === 'NULL' ? null : word))
}

/** Any text, and null as above. */
export function writeTexts(values: readonly (string | null)[]): string {
  if (values.every((value) => value === null)) return '{}'
  // Nearly always there is nothing to escape, which one look at all of them tells.
  const all = values.join('')
  const escape = all.includes('"') || all.includes('\\') ? escapeText : keepText
  if (!values.includes(null)) return `{"${values.map(escape).join('","')}"}`
  return `{${values.map((value) => (value === null ? 'NULL' : `"${escape(value)}"`)).join(',')}}`
}

/**
 * Lists, each a text to be cast to text[]: an array of arrays has all of one length. An empty list
 * is null.
 */
export function writeLists(lists: readonly (readonly string[])[]): string {
  return writeTexts(lists.map((list) => (list.length === 0 ? null : writeList(list))))
}

// Without quotes where it can be, since those would have to be escaped in the list of lists.
function writeList(list: readonly string[]): string {
  return list.every((text) => PLAIN.test(text)) ? `{${list.join(',')}}` : writeTexts(list)
}

// Words of event types, addresses and most tags; NULL by itself would be none.
const PLAIN = /^(?!null$)[\w.:@+-]+$/i

function keepText(text: string | null): string | null {
  return text
}

function escapeText(text: string | null): string | null {
  return text?.replaceAll(/["\\]/g, String.raw`\$&`) ?? null
}
