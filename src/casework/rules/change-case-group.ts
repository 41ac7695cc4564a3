// PATCH /beta/casework/case-groups/{groupId}: which events a group takes, its correlation policy,
// its position, its playbook, on or off.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { assertMayWrite } from './case-group-scopes.ts'
import { CaseGroup, CaseGroupPatch, presentCaseGroup } from './case-group-wire.ts'
import { type CaseGroupDeps, changeCaseGroup } from './save-case-groups.ts'

export function changeCaseGroupRoute(deps: CaseGroupDeps): Route {
  return defineRoute({
    method: 'PATCH',
    path: '/beta/casework/case-groups/{groupId}',
    group: 'casework',
    access: {
      kind: 'one-of',
      ways: [['rules:write'], ['playbooks:activate'], ['rules:write', 'playbooks:activate']],
    },
    operationId: 'changeCaseGroup',
    summary: 'Change a case group',
    description:
      'The change applies to events that arrive from now on. Send null to remove the value of a member. The member playbook_id needs the scope playbooks:activate, every other one rules:write.',
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
      const { tenantId, tokenId, scopes } = requireCaller(caller)
      assertMayWrite(scopes, body)
      const group = await changeCaseGroup(deps, { tenantId }, params.groupId, body, tokenId)
      return { status: 200, json: presentCaseGroup(group) }
    },
  })
}
