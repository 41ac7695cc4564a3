// GET /beta/casework/customers/{customerId}, and so on: one record of the tenant.

import { Type } from 'typebox'
import type { Casework } from '../../app/open-casework.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import { presentVersion } from '../cases/present-case.ts'
import { ownerNotFound } from './errors.ts'
import { type OwnerRecords, presentOwner, readOwnerId } from './owner-records.ts'
import { findOwner } from './owner-store.ts'

export function getOwnerRoute({ foundation }: Casework, records: OwnerRecords): Route {
  const { kind } = records
  return defineRoute({
    method: 'GET',
    path: `${records.path}/{${records.parameter}}`,
    group: 'casework',
    access: { kind: 'scope', scope: 'customers:read' },
    operationId: `get${records.title}`,
    summary: `Get one ${kind.noun}`,
    params: Type.Object({ [records.parameter]: Type.String() }),
    responses: {
      200: { description: `The ${kind.noun}.`, schema: records.schema },
      404: { description: `There is no such ${kind.noun}.` },
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const id = readOwnerId(records, params)
      const db = foundation.database.kysely
      const row = id === null ? null : await findOwner(db, scope, kind.table, id)
      if (row === null) throw ownerNotFound(kind.noun)
      return {
        status: 200,
        json: presentOwner(row),
        headers: { etag: presentVersion(row.version) },
      }
    },
  })
}
