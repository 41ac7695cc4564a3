// POST /beta/casework/playbooks: a named playbook with its first version, a draft.

import type { Casework } from '../../app/open-casework.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import { createPlaybook } from './author-playbook.ts'
import { NewPlaybookBody, VersionStatus } from './playbook-wire.ts'

export function createPlaybookRoute(casework: Casework): Route {
  const { foundation } = casework
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/playbooks',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:write' },
    operationId: 'createPlaybook',
    summary: 'Create a playbook with its first version, a draft',
    body: NewPlaybookBody,
    // The model names every problem of the graph by its path, which a schema of loose nodes could
    // not.
    checksOwnBody: true,
    responses: {
      201: { description: 'Created; Location names it.', schema: VersionStatus },
      400: {
        description: 'The playbook could not run as it is; every problem is named by its path.',
      },
      409: { description: 'There is a playbook of this name.' },
    },
    async handle({ caller, body }) {
      const id = foundation.ids.nextUuid()
      const scope = requireCaller(caller)
      const version = await createPlaybook(foundation.database.kysely, scope, id, body)
      return {
        status: 201,
        headers: { location: `/beta/casework/playbooks/${id}` },
        json: { id, version, state: 'draft' },
      }
    },
  })
}
