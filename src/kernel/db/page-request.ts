// One page of a keyset list: rows after a position, in one order, ties by id.

import { type RawBuilder, sql } from 'kysely'
import type { CursorPosition } from '../http/cursor.ts'

export type SortOrder = 'asc' | 'desc'

export interface PageRequest {
  readonly limit: number
  readonly order: SortOrder
  /** The position of the last row before this page; null for the first page. */
  readonly position: CursorPosition | null
}

/** `[after, before)` in ISO 8601; without a bound where one is absent. */
export interface TimeRange {
  readonly after?: string
  readonly before?: string
}

/**
 * The condition, order and limit of a page; `limit` rows and one more, which shows that there is a
 * next page.
 */
export interface PageSql {
  readonly conditions: readonly RawBuilder<unknown>[]
  readonly orderAndLimit: RawBuilder<unknown>
  /** Without the limit. */
  readonly order: RawBuilder<unknown>
}

/**
 * A column to sort by and the type a position's text is read as. Both come from our code, never
 * from a caller.
 */
export interface SortColumn {
  readonly name: string
  readonly type: 'timestamptz' | 'uuid' | 'text'
}

/**
 * The keyset of `columns`, the last of which is unique. Row comparison, so that one index range
 * holds the page.
 */
export function buildPage(columns: readonly SortColumn[], page: PageRequest): PageSql {
  const names = sql.join(columns.map((column) => sql.ref(column.name)))
  const direction = sql.raw(page.order)
  const terms = columns.map((column) => sql`${sql.ref(column.name)} ${direction}`)
  const { position } = page
  const operator = sql.raw(page.order === 'asc' ? '>' : '<')
  const values = columns.map(
    (column, index) => sql`${position?.[index] ?? null}::${sql.raw(column.type)}`,
  )
  return {
    conditions: position === null ? [] : [sql`(${names}) ${operator} (${sql.join(values)})`],
    orderAndLimit: sql`order by ${sql.join(terms)} limit ${page.limit + 1}`,
    order: sql`order by ${sql.join(terms)}`,
  }
}

export function buildRange(column: string, range: TimeRange): readonly RawBuilder<unknown>[] {
  const name = sql.ref(column)
  return [
    ...(range.after === undefined ? [] : [sql`${name} >= ${range.after}::timestamptz`]),
    ...(range.before === undefined ? [] : [sql`${name} < ${range.before}::timestamptz`]),
  ]
}
