// PATCH /beta/casework/customers/{customerId}, and so on: what is sent is changed, null takes a
// value away, the rest stays.

import { Type } from 'typebox'
import type { Casework } from '../../app/open-casework.ts'
import { readExpectedVersion } from '../../kernel/http/entity-tag.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import { presentVersion } from '../cases/present-case.ts'
import { ownerNotFound, ownerNotValid } from './errors.ts'
import { type OwnerRecords, presentOwner, readOwnerId, readOwnerInput } from './owner-records.ts'
import { changeOwner } from './save-owners.ts'

export function changeOwnerRoute({ foundation }: Casework, records: OwnerRecords): Route {
  const { kind } = records
  const deps = { db: foundation.database.kysely, ids: foundation.ids }
  return defineRoute({
    method: 'PATCH',
    path: `${records.path}/{${records.parameter}}`,
    group: 'casework',
    access: { kind: 'scope', scope: 'customers:write' },
    operationId: `change${records.title}`,
    summary: `Change a ${kind.noun}`,
    description: 'What events and cases were given before stays with them.',
    params: Type.Object({ [records.parameter]: Type.String() }),
    body: records.patchSchema,
    responses: {
      200: { description: 'The record as it is now.', schema: records.schema },
      400: { description: 'The change is not valid, or names no version.' },
      404: { description: `There is no such ${kind.noun}.` },
      409: { description: 'There is another one of this identity.' },
      412: { description: 'The record was changed since that version.' },
    },
    async handle({ caller, params, body, headers }) {
      const { tenantId } = requireCaller(caller)
      const { version, ...input }: { readonly version?: number } = Object(body)
      const expectedVersion = readExpectedVersion(headers['if-match'], version, (problem) =>
        ownerNotValid(kind.noun, [problem]),
      )
      const id = readOwnerId(records, params)
      if (id === null) throw ownerNotFound(kind.noun)
      const row = await changeOwner(deps, { tenantId }, kind, {
        id,
        expectedVersion,
        input: readOwnerInput(input),
      })
      return {
        status: 200,
        json: presentOwner(row),
        headers: { etag: presentVersion(row.version) },
      }
    },
  })
}
