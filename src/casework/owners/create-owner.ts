// POST /beta/casework/customers, /contracts, /resources: one new record.

import type { Casework } from '../../app/open-casework.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import { presentVersion } from '../cases/present-case.ts'
import { type OwnerRecords, presentOwner, readOwnerInput } from './owner-records.ts'
import { createOwner } from './save-owners.ts'

export function createOwnerRoute({ foundation }: Casework, records: OwnerRecords): Route {
  const { kind, path, title } = records
  const deps = { db: foundation.database.kysely, ids: foundation.ids }
  return defineRoute({
    method: 'POST',
    path,
    group: 'casework',
    access: { kind: 'scope', scope: 'customers:write' },
    operationId: `create${title}`,
    summary: `Create a ${kind.noun}`,
    body: records.newSchema,
    responses: {
      201: { description: 'Created; Location names it.', schema: records.schema },
      400: { description: 'It is not valid, or names an owner that is not there.' },
      409: { description: 'There is one already.' },
    },
    async handle({ caller, body }) {
      const { tenantId } = requireCaller(caller)
      const row = await createOwner(deps, { tenantId }, kind, readOwnerInput(body))
      return {
        status: 201,
        json: presentOwner(row),
        headers: {
          location: `${path}/${encodeURIComponent(row.id)}`,
          etag: presentVersion(row.version),
        },
      }
    },
  })
}
