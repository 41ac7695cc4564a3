// GET /beta/casework/customers/{customerId}, and so on: one record of the tenant.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { Db } from '../../kernel/db/database.ts'
import { presentEtag } from '../../kernel/http/entity-tag.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { ownerNotFound } from './errors.ts'
import { type OwnerRecords, readOwnerId } from './owner-records.ts'
import { findOwner } from './owner-store.ts'

export function getOwnerRoute({ db }: { readonly db: Db }, records: OwnerRecords): Route {
  const { kind } = records
  return defineRoute({
    method: 'GET',
    path: `${records.path}/{${records.parameter}}`,
    group: 'casework',
    access: { kind: 'scope', scope: 'customers:read' },
    operationId: `get${records.title}`,
    hasVersionTag: true,
    summary: `Get a ${kind.noun}`,
    description: `The ${kind.noun} as it is now. \`ETag\` is its version.`,
    params: Type.Object({ [records.parameter]: Type.String() }),
    responses: {
      200: { description: `The ${kind.noun}.`, schema: records.schema },
      404: { description: `There is no such ${kind.noun}.` },
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const id = readOwnerId(records, params)
      const row = id === null ? null : await findOwner(db, scope, kind.table, id)
      if (row === null) throw ownerNotFound(kind.noun)
      return {
        status: 200,
        json: records.present(row),
        headers: { etag: presentEtag(row.version) },
      }
    },
  })
}
