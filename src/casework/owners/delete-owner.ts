// DELETE /beta/casework/customers/{customerId}, and so on: only what nothing else refers to. Events
// and cases keep the ids they were given.

import { Type } from 'typebox'
import type { Casework } from '../../app/open-casework.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import { ownerNotFound } from './errors.ts'
import { type OwnerRecords, readOwnerId } from './owner-records.ts'
import { removeOwner } from './save-owners.ts'

export function deleteOwnerRoute({ foundation }: Casework, records: OwnerRecords): Route {
  const { kind } = records
  const deps = { db: foundation.database.kysely, ids: foundation.ids }
  return defineRoute({
    method: 'DELETE',
    path: `${records.path}/{${records.parameter}}`,
    group: 'casework',
    access: { kind: 'scope', scope: 'customers:write' },
    operationId: `delete${records.title}`,
    summary: `Delete a ${kind.noun}`,
    description: 'Events and cases keep the ids they were given.',
    params: Type.Object({ [records.parameter]: Type.String() }),
    responses: {
      204: { description: 'It is gone.' },
      404: { description: `There is no such ${kind.noun}.` },
      409: { description: 'Something still refers to it.' },
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
