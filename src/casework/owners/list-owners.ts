// GET /beta/casework/customers, /contracts, /resources: a page of the tenant's records, by id.

import { Type } from 'typebox'
import { byId, listRoute, showRows } from '../../access/list-route.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import type { PageParameters } from '../../kernel/http/read-page.ts'
import type { Route } from '../../kernel/http/route.ts'
import { PAGE_PARAMETERS } from '../../vocabulary/page-wire.ts'
import { countOpenCases } from '../cases/customer-counters-store.ts'
import { type OwnerQuery, type OwnerRecords, readOwnerFilter } from './owner-records.ts'
import { listOwners } from './owner-store.ts'

export interface ListOwnersDeps {
  readonly db: Db
  readonly cursors: CursorSealer
}

export function listOwnersRoute({ db, cursors }: ListOwnersDeps, records: OwnerRecords): Route {
  const { kind, path, title } = records
  return listRoute({
    cursors,
    path,
    access: { kind: 'scope', scope: 'customers:read' },
    operationId: `list${title}s`,
    summary: `List ${kind.noun}s`,
    description: `The ${kind.noun}s of your tenant, by id. All filters must match.`,
    query: Type.Object({ ...records.filters, ...PAGE_PARAMETERS }),
    responses: {
      200: { description: `A page of ${kind.noun}s.`, schema: records.listSchema },
      400: { description: 'A parameter is not valid.' },
    },
    list: `${kind.noun}s`,
    sort: 'id',
    open({ caller, query }) {
      const {
        limit: _,
        order: __,
        cursor: ___,
        expand,
        ...rest
      }: PageParameters & OwnerQuery = query
      const filter = readOwnerFilter(rest)
      return {
        filters: { ...filter },
        async find(request) {
          const rows = await listOwners(db, caller, kind.table, filter, request)
          const ids = rows.map((row) => row.id)
          const counts = expand === undefined ? null : await countOpenCases(db, caller, ids)
          return showRows(rows, byId, (row) => ({
            ...records.present(row),
            ...(counts === null ? {} : { open_cases: counts.get(row.id) ?? 0 }),
          }))
        },
      }
    },
  })
}
