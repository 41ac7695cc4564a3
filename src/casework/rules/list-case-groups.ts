// GET /beta/casework/case-groups: the groups in the order in which they are tried, the one that
// takes everything last.

import { requireCaller } from '../../access/admit-request.ts'
import type { Db } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { listCaseGroups } from './case-group-store.ts'
import { CaseGroupList, presentCaseGroup } from './case-group-wire.ts'

export function listCaseGroupsRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/case-groups',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'listCaseGroups',
    summary: 'List case groups',
    description: 'The rules by which events become cases, in the order in which they are tried.',
    responses: { 200: { description: 'All groups on one page.', schema: CaseGroupList } },
    async handle({ caller }) {
      const groups = await listCaseGroups(db, requireCaller(caller))
      return { status: 200, json: { items: groups.map(presentCaseGroup), next_cursor: '' } }
    },
  })
}
