// PATCH /beta/casework/case-groups/{groupId}: what a group takes, how its cases live, its place,
// its playbook, on or off.

import { Type } from 'typebox'
import type { Casework } from '../../app/open-casework.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import { presentCaseGroup, RULE_SCOPE } from './case-group-records.ts'
import { CaseGroup, CaseGroupPatch } from './case-group-wire.ts'
import { changeCaseGroup } from './save-case-groups.ts'

export function changeCaseGroupRoute({ foundation }: Casework): Route {
  const { database, ids, clock } = foundation
  return defineRoute({
    method: 'PATCH',
    path: '/beta/casework/case-groups/{groupId}',
    group: 'casework',
    access: { kind: 'scope', scope: RULE_SCOPE },
    operationId: 'changeCaseGroup',
    summary: 'Change a case group',
    description: 'It holds for events that come from now on; null takes a value away.',
    params: Type.Object({ groupId: Type.String() }),
    body: CaseGroupPatch,
    responses: {
      200: { description: 'The group as it is now.', schema: CaseGroup },
      400: {
        description:
          'It is not valid, names a playbook that is not there, or narrows the last group.',
      },
      404: { description: 'There is no such group.' },
    },
    async handle({ caller, params, body }) {
      const { tenantId, tokenId } = requireCaller(caller)
      const deps = { db: database.kysely, ids }
      const changer = { tokenId, at: new Date(clock.nowMs()) }
      const group = await changeCaseGroup(deps, { tenantId }, params.groupId, body, changer)
      return { status: 200, json: presentCaseGroup(group) }
    },
  })
}
