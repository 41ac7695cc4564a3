// DELETE /beta/casework/customers/{customerId}, and so on: only a record to which no other refers.
// Events and cases keep its id.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { ownerNotFound } from './errors.ts'
import { type OwnerRecords, readOwnerId } from './owner-records.ts'
import { type OwnerDeps, removeOwner } from './save-owners.ts'

export function deleteOwnerRoute(deps: Omit<OwnerDeps, 'ids'>, records: OwnerRecords): Route {
  const { kind } = records
  return defineRoute({
    method: 'DELETE',
    path: `${records.path}/{${records.parameter}}`,
    group: 'casework',
    access: { kind: 'scope', scope: 'customers:write' },
    operationId: `delete${records.title}`,
    summary: `Delete a ${kind.noun}`,
    description: 'Events and cases keep its id.',
    params: Type.Object({ [records.parameter]: Type.String() }),
    responses: {
      204: { description: 'Deleted.' },
      404: { description: `There is no such ${kind.noun}.` },
      409: { description: 'A customer, contract or resource refers to it.' },
    },
    async handle({ caller, params }) {
      const { tenantId } = requireCaller(caller)
      const id = readOwnerId(records, params)
      if (id === null) throw ownerNotFound(kind.noun)
      await removeOwner(deps, { tenantId }, kind, id)
      return { status: 204 }
    },
  })
}
