// A batch of rows for one statement, described as a table: one line a column, with its type and
// where its value comes from. The statement names no column twice, and no order can go wrong.

import { type RawBuilder, sql } from 'kysely'
import { writeLists, writeTexts, writeWords } from './write-arrays.ts'

type Word = string | number | boolean | null

/** The type of a column, and how its value is read from a row. */
type WrittenColumn<Row> =
  | readonly [
      type: 'uuid' | 'timestamptz' | 'boolean' | 'bigint' | 'integer',
      read: (row: Row) => Word,
    ]
  | readonly [type: 'text', read: (row: Row) => string | null]
  | readonly [type: 'text[]', read: (row: Row) => readonly string[]]
  /** Hexadecimal digits. */
  | readonly [type: 'bytea', read: (row: Row) => string | null]
  /** `undefined` and null are stored as no value. */
  | readonly [type: 'jsonb', read: (row: Row) => unknown]

/** Columns by their names in the database, which need no quotes. */
export type WrittenColumns<Row> = Readonly<Record<string, WrittenColumn<Row>>>

export interface WrittenRows {
  /** The names of the columns, for `insert into … (names)`. */
  readonly names: RawBuilder<unknown>
  /** Their values in the same order, for `select values from given`. */
  readonly values: RawBuilder<unknown>
  /** The rows, as `given`, for a `from` clause. */
  readonly given: RawBuilder<unknown>
}

/**
 * Describes the columns once. The result writes rows, one parameter a column (write-arrays.ts). A
 * list without entries is stored as an empty one.
 */
export function defineRows<Row>(
  columns: WrittenColumns<Row>,
): (rows: readonly Row[]) => WrittenRows {
  const all = Object.entries(columns)
  const given = all.toSorted((one, other) => rankOf(one) - rankOf(other))
  const names = sql.raw(all.map(([name]) => name).join(', '))
  const values = cutAtLists(all)
  const written = cutAtColumns(given)
  return (rows) => {
    const lists: RawBuilder<unknown>[] = []
    const parameters = given.map(([name, [type, read]]) => {
      if (type === 'text') return writeTexts(rows.map(read))
      if (type === 'jsonb') return JSON.stringify(rows.map((row) => read(row) ?? null))
      if (type !== 'text[]') return writeWords(rows.map(read))
      const list = writeLists(rows.map(read))
      lists.push(list.read(name))
      return list.written
    })
    return { names, values: fill(values, lists), given: fill(written, parameters) }
  }
}

type Named<Row> = readonly [name: string, column: WrittenColumn<Row>]

// Documents are given by a function of their own, behind the arrays. All else keeps its order.
function rankOf<Row>([, [type]]: Named<Row>): number {
  return type === 'jsonb' ? 1 : 0
}

/** The values as SQL, cut where the reading of each list stands. */
function cutAtLists<Row>(all: readonly Named<Row>[]): readonly string[] {
  const text = all.map(([name, [type]]) => {
    if (type === 'bytea') return `decode(${name}, 'hex')`
    if (type === 'jsonb') return `nullif(${name}, 'null')`
    return type === 'text[]' ? `coalesce(${CUT}, '{}')` : name
  })
  return text.join(', ').split(CUT)
}

/** The rows as SQL, cut where the parameter of each column stands. */
function cutAtColumns<Row>(given: readonly Named<Row>[]): readonly string[] {
  const arrays = given
    .filter(([, [type]]) => type !== 'jsonb')
    .map(([, [type]]) => `${CUT}::${ARRAYS[type] ?? `${type}[]`}`)
  const documents = given
    .filter(([, [type]]) => type === 'jsonb')
    .map(() => `jsonb_array_elements(${CUT}::jsonb)`)
  const rows = [`unnest(${arrays.join(', ')})`, ...documents].join(', ')
  const names = given.map(([name]) => name).join(', ')
  return `rows from (${rows}) as given (${names})`.split(CUT)
}

// No column is named so.
const CUT = '?'
const ARRAYS: Readonly<Record<string, string>> = { bytea: 'text[]', 'text[]': 'text[]' }

function fill(pieces: readonly string[], parameters: readonly unknown[]): RawBuilder<unknown> {
  return sql(Object.assign([...pieces], { raw: pieces }), ...parameters)
}
