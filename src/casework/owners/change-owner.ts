// PATCH /beta/casework/customers/{customerId}, and so on: members that are sent are changed,
// null removes a value, the others stay.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import { presentEtag, readExpectedVersion } from '../../kernel/http/entity-tag.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { ownerNotFound, ownerNotValid } from './errors.ts'
import { type OwnerRecords, readOwnerId } from './owner-records.ts'
import { changeOwner, type OwnerDeps } from './save-owners.ts'

export function changeOwnerRoute(deps: Omit<OwnerDeps, 'ids'>, records: OwnerRecords): Route {
  const { kind } = records
  return defineRoute({
    method: 'PATCH',
    path: `${records.path}/{${records.parameter}}`,
    group: 'casework',
    access: { kind: 'scope', scope: 'customers:write' },
    operationId: `change${records.title}`,
    summary: `Change a ${kind.noun}`,
    description:
      'Send null to remove the value of a member. Events and cases keep the owner that they have.',
    params: Type.Object({ [records.parameter]: Type.String() }),
    body: records.patchSchema,
    responses: {
      200: { description: 'The record after the change.', schema: records.schema },
      400: {
        description: 'The change is not valid, or does not name the version it was decided on.',
      },
      404: { description: `There is no such ${kind.noun}.` },
      409: { description: 'Another resource has this kind, value and start.' },
      412: { description: 'The record was changed since that version.' },
    },
    async handle({ caller, params, body, headers }) {
      const { tenantId } = requireCaller(caller)
      const { version, input } = records.readPatch(body)
      const expectedVersion = readExpectedVersion(headers['if-match'], version, (problem) =>
        ownerNotValid(kind.noun, [problem]),
      )
      const id = readOwnerId(records, params)
      if (id === null) throw ownerNotFound(kind.noun)
      const row = await changeOwner(deps, { tenantId }, kind, {
        id,
        expectedVersion,
        input,
      })
      return {
        status: 200,
        json: records.present(row),
        headers: { etag: presentEtag(row.version) },
      }
    },
  })
}
