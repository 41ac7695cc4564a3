// PATCH /beta/casework/case-groups/{groupId}: which events a group takes, its correlation policy,
// its position, its playbook, on or off.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { CaseGroup, CaseGroupPatch, presentCaseGroup } from './case-group-wire.ts'
import { type CaseGroupDeps, changeCaseGroup } from './save-case-groups.ts'

export function changeCaseGroupRoute(deps: CaseGroupDeps): Route {
  return defineRoute({
    method: 'PATCH',
    path: '/beta/casework/case-groups/{groupId}',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:activate' },
    operationId: 'changeCaseGroup',
    summary: 'Change a case group',
    description:
      'The change applies to events that arrive from now on. Send null to remove the value of a member.',
    params: Type.Object({ groupId: Type.String() }),
    body: CaseGroupPatch,
    responses: {
      200: { description: 'The group after the change.', schema: CaseGroup },
      400: {
        description:
          'The change is not valid, names a playbook that does not exist, or narrows the last group.',
      },
      404: { description: 'There is no such group.' },
    },
    async handle({ caller, params, body }) {
      const { tenantId, tokenId } = requireCaller(caller)
      const group = await changeCaseGroup(deps, { tenantId }, params.groupId, body, tokenId)
      return { status: 200, json: presentCaseGroup(group) }
    },
  })
}
