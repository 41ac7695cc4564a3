// GET /beta/casework/case-groups: the groups in the order they are asked, the one that takes
// everything last.

import type { Casework } from '../../app/open-casework.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import { presentCaseGroup } from './case-group-records.ts'
import { listCaseGroups } from './case-group-store.ts'
import { CaseGroupList } from './case-group-wire.ts'

export function listCaseGroupsRoute({ foundation }: Casework): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/case-groups',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'listCaseGroups',
    summary: 'List case groups',
    responses: { 200: { description: 'All groups on one page.', schema: CaseGroupList } },
    async handle({ caller }) {
      const scope = requireCaller(caller)
      const groups = await listCaseGroups(foundation.database.kysely, scope)
      return { status: 200, json: { items: groups.map(presentCaseGroup), next_cursor: '' } }
    },
  })
}
