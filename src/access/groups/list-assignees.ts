// GET /beta/casework/assignees: to whom cases can be assigned. It is open to all who read cases,
// because a case shows only the id.

import { Type } from 'typebox'
import type { Db } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { named } from '../../vocabulary/named-schema.ts'
import { PAGE_PARAMETERS, pageOf } from '../../vocabulary/page-wire.ts'
import { readAdminPage } from '../admin-scope.ts'
import { requireCaller } from '../admit-request.ts'
import { listAssignees } from './assignee-store.ts'

const Assignee = named(
  'Assignee',
  Type.Object({
    kind: Type.Union([Type.Literal('user'), Type.Literal('group')]),
    id: Type.String({ description: 'What `assignee_user_id` of a case takes.' }),
    name: Type.String(),
  }),
)
const AssigneePage = pageOf(Assignee)

export function listAssigneesRoute({
  db,
  cursors,
}: {
  readonly db: Db
  readonly cursors: CursorSealer
}): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/assignees',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'listAssignees',
    summary: 'List assignees',
    description: 'The users and groups of your tenant to whom cases can be assigned, by name.',
    query: Type.Object({ limit: PAGE_PARAMETERS.limit, cursor: PAGE_PARAMETERS.cursor }),
    responses: { 200: { description: 'One page of assignees.', schema: AssigneePage } },
    async handle({ caller, query }) {
      const { tenantId } = requireCaller(caller)
      const page = await readAdminPage(cursors, ['assignees', `tenant ${tenantId}`], query, {
        load: (after, limit) => listAssignees(db, tenantId, { after, limit }),
        positionOf: ({ name, id }) => [name, id],
      })
      return { status: 200, json: { items: page.rows, next_cursor: page.nextCursor } }
    },
  })
}
