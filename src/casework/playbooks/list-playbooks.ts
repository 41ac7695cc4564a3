// GET /beta/casework/playbooks: the tenant's playbooks, newest first.

import { Type } from 'typebox'
import { byId, listRoute, showRows } from '../../access/list-route.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import type { Route } from '../../kernel/http/route.ts'
import { PAGE_PARAMETERS } from '../../vocabulary/page-wire.ts'
import { listPlaybooks } from './playbook-store.ts'
import { PlaybookList, presentPlaybook } from './playbook-wire.ts'

export interface ListPlaybooksDeps {
  readonly db: Db
  readonly cursors: CursorSealer
}

export function listPlaybooksRoute({ db, cursors }: ListPlaybooksDeps): Route {
  return listRoute({
    cursors,
    path: '/beta/casework/playbooks',
    access: { kind: 'scope', scope: 'playbooks:read' },
    operationId: 'listPlaybooks',
    summary: 'List playbooks',
    description: 'The playbooks of your tenant, newest first.',
    query: Type.Object(PAGE_PARAMETERS),
    responses: {
      200: { description: 'A page of playbooks.', schema: PlaybookList },
      400: { description: 'A parameter is not valid.' },
    },
    list: 'playbooks',
    sort: 'created_at',
    open: ({ caller }) => ({
      filters: {},
      find: async (request) =>
        showRows(await listPlaybooks(db, caller, request), byId, presentPlaybook),
    }),
  })
}
