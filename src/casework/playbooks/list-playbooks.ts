// GET /beta/casework/playbooks: the tenant's playbooks, newest first.

import { Type } from 'typebox'
import type { Casework } from '../../app/open-casework.ts'
import { readPage } from '../../kernel/http/read-page.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import { PAGE_PARAMETERS } from '../../vocabulary/page-wire.ts'
import { listPlaybooks } from './playbook-store.ts'
import { PlaybookList } from './playbook-wire.ts'
import { presentPlaybook } from './present-playbook.ts'

export function listPlaybooksRoute(casework: Casework): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/playbooks',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:read' },
    operationId: 'listPlaybooks',
    summary: 'List playbooks by the time of their creation',
    query: Type.Object(PAGE_PARAMETERS),
    responses: {
      200: { description: 'A page of playbooks.', schema: PlaybookList },
      400: { description: 'A parameter is not valid.' },
    },
    async handle({ caller, query }) {
      const scope = requireCaller(caller)
      const view = { list: 'playbooks', sort: 'created_at', filters: {} }
      const page = readPage(casework.cursors, scope, view, query)
      const rows = await listPlaybooks(casework.foundation.database.kysely, scope, page.request)
      return { status: 200, json: page.present(rows, (row) => [row.id], presentPlaybook) }
    },
  })
}
