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
  const lists = all.flatMap(([name, [type, read]]) => (type === 'text[]' ? [{ name, read }] : []))
  const given = all.toSorted((one, other) => rankOf(one) - rankOf(other))
  const names = sql.raw(all.map(([name]) => name).join(', '))
  const values = cutAtLists(all)
  const written = cutAtColumns(given)
  return (rows) => {
    const texts = new Map(lists.map(({ name, read }) => [name, writeLists(rows.map(read))]))
    const parameters = given.map(([name, column]) => {
      return texts.get(name)?.written ?? writeColumn(rows, column)
    })
    return {
      names,
      values: fill(
        values,
        [...texts].map(([name, list]) => list.read(name)),
      ),
      given: fill(written, parameters),
    }
  }
}

type Named<Row> = readonly [name: string, column: WrittenColumn<Row>]

// Documents are given by a function of their own, behind the arrays.
function rankOf<Row>([, [type]]: Named<Row>): number {
  return type === 'jsonb' ? 1 : 0
}

function writeColumn<Row>(rows: readonly Row[], [type, read]: WrittenColumn<Row>): string {
  if (type === 'text') return writeTexts(rows.map(read))
  if (type === 'text[]') return writeLists(rows.map(read)).written
  if (type === 'jsonb') return JSON.stringify(rows.map((row) => read(row) ?? null))
  return writeWords(rows.map(read))
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
