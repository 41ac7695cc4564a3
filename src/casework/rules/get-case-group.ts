// GET /beta/casework/case-groups/{groupId}: one group.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { Db } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { caseGroupNotFound } from '../cases/errors.ts'
import { listCaseGroups } from './case-group-store.ts'
import { CaseGroup, presentCaseGroup } from './case-group-wire.ts'

export function getCaseGroupRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/case-groups/{groupId}',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'getCaseGroup',
    summary: 'Get a case group',
    description: 'One rule by which events become cases.',
    params: Type.Object({ groupId: Type.String() }),
    responses: {
      200: { description: 'The group.', schema: CaseGroup },
      404: { description: 'There is no such group.' },
    },
    async handle({ caller, params }) {
      // A tenant has at most 100 groups (GROUPS_MAX).
      const groups = await listCaseGroups(db, requireCaller(caller))
      const found = groups.find((group) => group.id === params.groupId)
      if (found === undefined) throw caseGroupNotFound()
      return { status: 200, json: presentCaseGroup(found) }
    },
  })
}
