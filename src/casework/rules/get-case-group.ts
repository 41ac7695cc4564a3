// GET /beta/casework/case-groups/{groupId}: one group.

import { Type } from 'typebox'
import type { Casework } from '../../app/open-casework.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import { caseGroupNotFound } from '../cases/errors.ts'
import { presentCaseGroup } from './case-group-records.ts'
import { listCaseGroups } from './case-group-store.ts'
import { CaseGroup } from './case-group-wire.ts'

export function getCaseGroupRoute({ foundation }: Casework): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/case-groups/{groupId}',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'getCaseGroup',
    summary: 'Get a case group',
    params: Type.Object({ groupId: Type.String() }),
    responses: {
      200: { description: 'The group.', schema: CaseGroup },
      404: { description: 'There is no such group.' },
    },
    async handle({ caller, params }) {
      // A tenant has at most a hundred.
      const groups = await listCaseGroups(foundation.database.kysely, requireCaller(caller))
      const found = groups.find((group) => group.id === params.groupId)
      if (found === undefined) throw caseGroupNotFound()
      return { status: 200, json: presentCaseGroup(found) }
    },
  })
}
