// The shape of every list of one tenant: who asks, the page that is asked for, its rows, and the
// cursor of the next page.

import type { Static, TObject, TSchema } from 'typebox'
import type { PageRequest } from '../kernel/db/page-request.ts'
import type { CursorPosition, CursorSealer } from '../kernel/http/cursor.ts'
import { type ReadPage, readPage } from '../kernel/http/read-page.ts'
import { defineRoute, type Route, type RouteDefinition } from '../kernel/http/route.ts'
import type { Caller } from '../vocabulary/caller.ts'
import type { PAGE_PARAMETERS } from '../vocabulary/page-wire.ts'
import { requireCaller } from './admit-request.ts'

interface ListRequest<Params, Query> {
  readonly caller: Caller
  readonly params: Params
  readonly query: Query
}

/** Makes the answer of one page. */
type ShownRows = (page: ReadPage) => object

/** What was asked for, once the parameters are understood. */
interface OpenList {
  /** As understood, not as written: a cursor belongs to them, the list, its sort and order. */
  readonly filters: Readonly<Record<string, unknown>>
  /** Where the caller chooses it; otherwise `sort` of the list. */
  readonly sort?: string
  /** Where it is not the tenant of the caller. */
  readonly tenantId?: string
  readonly find: (request: PageRequest) => Promise<ShownRows>
}

interface ListDefinition<Params extends TSchema, Query extends TSchema>
  extends Omit<RouteDefinition<Params, Query, TSchema>, 'method' | 'group' | 'body' | 'handle'> {
  readonly cursors: CursorSealer
  /** `casework` when left out. */
  readonly group?: 'casework' | 'admin'
  /** PAGE_PARAMETERS and what else the list takes. */
  readonly query: Query
  /** One word for each list, for its cursors. */
  readonly list: string
  readonly sort: string
  readonly open: (
    request: ListRequest<Static<Params>, Static<Query>>,
  ) => OpenList | Promise<OpenList>
}

export function listRoute<Params extends TSchema, Query extends TObject<typeof PAGE_PARAMETERS>>(
  definition: ListDefinition<Params, Query>,
): Route {
  const { cursors, list, sort: usualSort, open, ...route } = definition
  return defineRoute({
    ...route,
    group: route.group ?? 'casework',
    method: 'GET',
    async handle({ caller: anyone, params, query }) {
      const caller = requireCaller(anyone)
      const { filters, tenantId, sort = usualSort, find } = await open({ caller, params, query })
      const scope = { tenantId: tenantId ?? caller.tenantId }
      const page = readPage(cursors, scope, { list, sort, filters }, query)
      const show = await find(page.request)
      return { status: 200, json: show(page) }
    },
  })
}

/**
 * One row more than the limit means that there is a next page. `position` is of a row in the order
 * of the list, `beside` what the answer has beside `items` and `next_cursor`.
 */
export function showRows<Row>(
  rows: readonly Row[],
  position: (row: Row) => CursorPosition,
  present: (row: Row) => unknown,
  beside: Readonly<Record<string, unknown>> = {},
): ShownRows {
  return (page) => ({ ...page.present(rows, position, present), ...beside })
}

/** The position in lists that are sorted by the time in their ids. */
export function byId({ id }: { readonly id: string }): CursorPosition {
  return [id]
}
