// DELETE /beta/casework/case-groups/{groupId}: only a group without an open case. Ended cases keep
// its id.

import { Type } from 'typebox'
import type { Casework } from '../../app/open-casework.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import { RULE_SCOPE } from './case-group-records.ts'
import { removeCaseGroup } from './save-case-groups.ts'

export function deleteCaseGroupRoute({ foundation }: Casework): Route {
  const { database, ids, clock } = foundation
  return defineRoute({
    method: 'DELETE',
    path: '/beta/casework/case-groups/{groupId}',
    group: 'casework',
    access: { kind: 'scope', scope: RULE_SCOPE },
    operationId: 'deleteCaseGroup',
    summary: 'Delete a case group',
    description: 'Its ended cases keep its id, and its history stays.',
    params: Type.Object({ groupId: Type.String() }),
    responses: {
      204: { description: 'It is gone.' },
      404: { description: 'There is no such group.' },
      409: { description: 'A case of it is open, or it is the group that takes everything.' },
    },
    async handle({ caller, params }) {
      const { tenantId, tokenId } = requireCaller(caller)
      const deps = { db: database.kysely, ids }
      const changer = { tokenId, at: new Date(clock.nowMs()) }
      await removeCaseGroup(deps, { tenantId }, params.groupId, changer)
      return { status: 204 }
    },
  })
}
