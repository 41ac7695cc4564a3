// Columns of a batch as PostgreSQL array literals, one parameter a column. Rows as JSON cost the
// database far more to parse, and the driver writes an array character by character, three times
// slower than this.

import { type RawBuilder, sql } from 'kysely'

/**
 * A limit behind the rows of a batch that are joined to a table by key. When the planner knows the
 * number of rows, it hashes or sorts the whole table instead, unless that is some fifty times as
 * large as the batch. Behind a limit that it cannot see it assumes a tenth, and looks up each row
 * by its key. The number is larger than every batch.
 */
export const ONE_BY_ONE = sql`limit (select 1000000)`

/**
 * The rows of a batch of up to 10,000, to lock the rows of a table in their order. A planner that
 * expects one row starts with the batch whatever the size of the table, unless it can hash. So
 * compare the keys by `= any (array[given.key])`, which an index supports and a hash join does not.
 */
export function inTheirOrder(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  // The planner assumes a tenth of the rows behind each limit.
  return [1, 2, 3].reduce<RawBuilder<unknown>>(
    (inner) => sql`select * from (${inner}) as one ${ONE_BY_ONE}`,
    sql`${rows} ${ONE_BY_ONE}`,
  )
}

/**
 * An array literal of ids, times, numbers and the like, which contain none of `,{}"\` and no space.
 * A column without any value is written as an empty array: `unnest` fills it up with nulls.
 */
export function writeWords(values: readonly (string | number | boolean | null)[]): string {
  if (values.every((value) => value === null)) return '{}'
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`
}

/** Parses an array that `writeWords` wrote; null stands for no rows, as in an aggregate of none. */
export function readWords(array: string | null): readonly (string | null)[] {
  if (array === null || array === '{}') return []
  return array
    .slice(1, -1)
    .split(',')
    .map((word) => (word === 'NULL' ? null : word))
}

/** An array literal of any texts; null as in `writeWords`. */
export function writeTexts(values: readonly (string | null)[]): string {
  if (values.every((value) => value === null)) return '{}'
  // Nearly always no text needs escapes, which one test of all of them shows.
  const all = values.join('')
  const escape = all.includes('"') || all.includes('\\') ? escapeText : keepText
  if (!values.includes(null)) return `{"${values.map(escape).join('","')}"}`
  return `{${values.map((value) => (value === null ? 'NULL' : `"${escape(value)}"`)).join(',')}}`
}

/**
 * An array literal of lists, each as a text to be cast to text[], because the arrays in an array
 * must be of one length. An empty list is null.
 */
export function writeLists(lists: readonly (readonly string[])[]): string {
  return writeTexts(lists.map((list) => (list.length === 0 ? null : writeList(list))))
}

// Without quotes where possible, since quotes would have to be escaped in the outer list.
function writeList(list: readonly string[]): string {
  return list.every((text) => PLAIN.test(text)) ? `{${list.join(',')}}` : writeTexts(list)
}

// Words of event types, addresses and most tags; NULL needs quotes.
const PLAIN = /^(?!null$)[\w.:@+-]+$/i

function keepText(text: string | null): string | null {
  return text
}

function escapeText(text: string | null): string | null {
  return text?.replaceAll(/["\\]/g, String.raw`\$&`) ?? null
}
