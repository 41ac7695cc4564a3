// GET /beta/casework/playbooks: the tenant's playbooks, newest first.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import { readPage } from '../../kernel/http/read-page.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { PAGE_PARAMETERS } from '../../vocabulary/page-wire.ts'
import { listPlaybooks } from './playbook-store.ts'
import { PlaybookList, presentPlaybook } from './playbook-wire.ts'

export interface ListPlaybooksDeps {
  readonly db: Db
  readonly cursors: CursorSealer
}

export function listPlaybooksRoute({ db, cursors }: ListPlaybooksDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/playbooks',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:read' },
    operationId: 'listPlaybooks',
    summary: 'List playbooks',
    description: 'The playbooks of your tenant, newest first.',
    query: Type.Object(PAGE_PARAMETERS),
    responses: {
      200: { description: 'A page of playbooks.', schema: PlaybookList },
      400: { description: 'A parameter is not valid.' },
    },
    async handle({ caller, query }) {
      const scope = requireCaller(caller)
      const view = { list: 'playbooks', sort: 'created_at', filters: {} }
      const page = readPage(cursors, scope, view, query)
      const rows = await listPlaybooks(db, scope, page.request)
      return { status: 200, json: page.present(rows, (row) => [row.id], presentPlaybook) }
    },
  })
}
