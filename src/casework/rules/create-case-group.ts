// POST /beta/casework/case-groups: a new group. Groups at its position and behind it move back by
// one.

import { requireCaller } from '../../access/admit-request.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { assertMayWrite } from './case-group-scopes.ts'
import { CaseGroup, NewCaseGroup, presentCaseGroup } from './case-group-wire.ts'
import { type CaseGroupDeps, createCaseGroup } from './save-case-groups.ts'

export function createCaseGroupRoute(deps: CaseGroupDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/case-groups',
    group: 'casework',
    access: { kind: 'one-of', ways: [['rules:write'], ['rules:write', 'playbooks:activate']] },
    operationId: 'createCaseGroup',
    idempotency: 'kept',
    summary: 'Create a case group',
    description:
      'Without an order the group comes last, before the group that takes everything. Groups behind its position move back by one. A playbook is attached with the scope playbooks:activate too.',
    body: NewCaseGroup,
    responses: {
      201: { description: 'Created; Location names it.', schema: CaseGroup },
      400: { description: 'The group is not valid, or names a playbook that does not exist.' },
      409: {
        description:
          'A group of this id exists, or cases of a deleted group of this id, or there are too many groups.',
      },
    },
    async handle({ caller, body }) {
      const { tenantId, tokenId, scopes } = requireCaller(caller)
      assertMayWrite(scopes, body)
      const group = await createCaseGroup(deps, { tenantId }, body, tokenId)
      return {
        status: 201,
        json: presentCaseGroup(group),
        headers: { location: `/beta/casework/case-groups/${group.id}` },
      }
    },
  })
}
