// Columns of a batch as PostgreSQL array literals, one parameter a column. Rows as JSON cost the
// database far more to parse, and the driver writes an array character by character, three times
// slower than this.

import { type RawBuilder, sql } from 'kysely'

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

/** A column of lists, as a statement is given it and reads it. */
export interface WrittenLists {
  /** An array literal of texts; an empty list is null. */
  readonly written: string
  /** The list of a row, as text[]. */
  readonly read: (column: string) => RawBuilder<unknown>
}

/**
 * A column of lists of any texts. Each list goes as one text, because the arrays in an array must
 * be of one length. It is split and not cast to text[]: a cast is not immutable, so Citus refuses
 * it in `coalesce` and `case`, and beside a sub-select in the values of an update.
 */
export function writeLists(lists: readonly (readonly string[])[]): WrittenLists {
  const separator = chooseSeparator(lists)
  const texts = lists.map((list) =>
    // Begins with a separator, since the empty text is split into no parts.
    list.length === 0 ? null : list.reduce((text, part) => `${text}${separator}${part}`, ''),
  )
  return {
    written: writeTexts(texts),
    read: (column) => sql`(string_to_array(${sql.ref(column)}, ${separator}))[2:]`,
  }
}

// The unit separator of ASCII, which hardly any text holds.
const SEPARATOR = '\u001F'

/**
 * A text that none of these holds. Only its last sign is the unit separator, so it ends where that
 * is.
 */
function chooseSeparator(lists: readonly (readonly string[])[]): string {
  let separator = SEPARATOR
  // Ends: the separator gets longer than every text.
  while (lists.some((list) => list.some((text) => text.includes(separator)))) {
    separator = `\u001E${separator}`
  }
  return separator
}

function keepText(text: string | null): string | null {
  return text
}

function escapeText(text: string | null): string | null {
  return text?.replaceAll(/["\\]/g, String.raw`\$&`) ?? null
}
