// Lists of the case-operations group: the wrapper of interface 2.8 and the parameters every list
// takes (design section 5.4).

import { type TSchema, Type } from 'typebox'
import { nameAfter } from './named-schema.ts'

const PAGE_LIMIT_MAX = 1_000
export const PAGE_LIMIT_DEFAULT = 50

/** `{items, next_cursor}`; of items with a name, the page has one too. */
export function pageOf<Item extends TSchema>(item: Item) {
  const page = Type.Object({
    items: Type.Array(item),
    next_cursor: Type.String({
      description: 'Send it as `cursor` to get the next page; empty on the last page.',
    }),
  })
  return nameAfter(item, 'Page', page)
}

export const PAGE_PARAMETERS = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: PAGE_LIMIT_MAX,
      description: `Entries on a page; ${PAGE_LIMIT_DEFAULT} when left out.`,
    }),
  ),
  order: Type.Optional(
    Type.Union([Type.Literal('asc'), Type.Literal('desc')], {
      description: 'Direction of the sort; desc when left out.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'The next_cursor of the page before, with the same filters, sort and order.',
    }),
  ),
}

/**
 * A point in time as a query parameter; a range holds the times at or after `…_after` and before
 * `…_before`.
 */
export function timeParameter(description: string) {
  return Type.Optional(Type.String({ format: 'date-time', description }))
}
