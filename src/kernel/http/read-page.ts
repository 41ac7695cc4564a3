// From the parameters of a list to the page that is asked for, and from the rows to the next cursor
// (design section 5.4).

import type { TenantScope } from '../../vocabulary/caller.ts'
import { PAGE_LIMIT_DEFAULT } from '../../vocabulary/page-wire.ts'
import type { PageRequest, SortOrder } from '../db/page-request.ts'
import { cursorNotValid } from '../errors.ts'
import type { CursorPosition, CursorSealer } from './cursor.ts'

export interface PageParameters {
  readonly limit?: number
  readonly order?: SortOrder
  readonly cursor?: string
}

/** What a cursor belongs to, beside tenant and order. */
export interface ListView {
  /** One word for each list. */
  readonly list: string
  readonly sort: string
  /** As they were understood, so that two spellings of one filter are one. */
  readonly filters: Readonly<Record<string, unknown>>
}

/** The wire of one page: `pageOf` of vocabulary/page-wire.ts, with the items as presented. */
interface Page<Item> {
  readonly items: readonly Item[]
  readonly next_cursor: string
}

export interface ReadPage {
  readonly request: PageRequest
  /**
   * Makes `{items, next_cursor}` of the rows that `request` gave. One row more than the limit means
   * that there is a next page.
   */
  readonly present: <Row, Item>(
    rows: readonly Row[],
    readPosition: (row: Row) => CursorPosition,
    presentRow: (row: Row) => Item,
  ) => Page<Item>
}

/** Throws `cursorNotValid` for a cursor that this list did not give for these filters. */
export function readPage(
  cursors: CursorSealer,
  scope: TenantScope,
  view: ListView,
  parameters: PageParameters,
): ReadPage {
  const order = parameters.order ?? 'desc'
  const limit = parameters.limit ?? PAGE_LIMIT_DEFAULT
  const filters = JSON.stringify(
    Object.entries(view.filters)
      .filter(([, value]) => value !== undefined)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
  const binding = [scope.tenantId, view.list, view.sort, order, filters]
  let position: CursorPosition | null = null
  if (parameters.cursor !== undefined) {
    position = cursors.open(binding, parameters.cursor)
    if (position === null) throw cursorNotValid()
  }
  return {
    request: { limit, order, position },
    present(rows, readPosition, presentRow) {
      const page = rows.slice(0, limit)
      const last = page.at(-1)
      const hasNext = rows.length > limit && last !== undefined
      return {
        items: page.map(presentRow),
        next_cursor: hasNext ? cursors.seal(binding, readPosition(last)) : '',
      }
    },
  }
}
