// POST /beta/casework/customers, /contracts, /resources: one new record.

import { requireCaller } from '../../access/admit-request.ts'
import { presentEtag } from '../../kernel/http/entity-tag.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { type OwnerRecords } from './owner-records.ts'
import { createOwner, type OwnerDeps } from './save-owners.ts'

export function createOwnerRoute(deps: OwnerDeps, records: OwnerRecords): Route {
  const { kind, path, title } = records
  return defineRoute({
    method: 'POST',
    path,
    group: 'casework',
    access: { kind: 'scope', scope: 'customers:write' },
    operationId: `create${title}`,
    idempotency: 'kept',
    summary: `Create a ${kind.noun}`,
    description: `Creates the ${kind.noun}. Events that come in later find it.`,
    body: records.newSchema,
    responses: {
      201: { description: 'Created; Location names it.', schema: records.schema },
      400: {
        description: `The ${kind.noun} is not valid, or names a customer or contract that does not exist.`,
      },
      409: { description: `There is such a ${kind.noun} already.` },
    },
    async handle({ caller, body }) {
      const { tenantId } = requireCaller(caller)
      const row = await createOwner(deps, { tenantId }, kind, records.readNew(body))
      return {
        status: 201,
        json: records.present(row),
        headers: {
          location: `${path}/${encodeURIComponent(row.id)}`,
          etag: presentEtag(row.version),
        },
      }
    },
  })
}
