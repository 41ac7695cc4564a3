// DELETE /beta/casework/case-groups/{groupId}: only a group without an open case. Ended cases keep
// its id.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { type CaseGroupDeps, removeCaseGroup } from './save-case-groups.ts'

export function deleteCaseGroupRoute(deps: CaseGroupDeps): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/beta/casework/case-groups/{groupId}',
    group: 'casework',
    access: { kind: 'scope', scope: 'rules:write' },
    operationId: 'deleteCaseGroup',
    summary: 'Delete a case group',
    description: 'Ended cases keep its id, and its history stays.',
    params: Type.Object({ groupId: Type.String() }),
    responses: {
      204: { description: 'Deleted.' },
      404: { description: 'There is no such group.' },
      409: {
        description: 'A case of the group is open, or it is the group that takes everything.',
      },
    },
    async handle({ caller, params }) {
      const { tenantId, tokenId } = requireCaller(caller)
      await removeCaseGroup(deps, { tenantId }, params.groupId, tokenId)
      return { status: 204 }
    },
  })
}
