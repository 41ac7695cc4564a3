// POST /beta/casework/playbooks/{playbookId}/versions: the next version, a draft. Runs stay on the
// version they began with.

import { Type } from 'typebox'
import type { Casework } from '../../app/open-casework.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import { createVersion } from './author-playbook.ts'
import { parsePlaybookId } from './playbook-path.ts'
import { PlaybookGraphBody, VersionStatus } from './playbook-wire.ts'

export function createPlaybookVersionRoute(casework: Casework): Route {
  const { foundation } = casework
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/playbooks/{playbookId}/versions',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:write' },
    operationId: 'createPlaybookVersion',
    summary: 'Add a version to a playbook, a draft',
    params: Type.Object({ playbookId: Type.String() }),
    body: PlaybookGraphBody,
    checksOwnBody: true,
    responses: {
      201: { description: 'Added; Location names it.', schema: VersionStatus },
      400: {
        description: 'The version could not run as it is; every problem is named by its path.',
      },
      404: { description: 'There is no such playbook.' },
    },
    async handle({ caller, params, body }) {
      const playbookId = parsePlaybookId(params.playbookId)
      const scope = requireCaller(caller)
      const version = await createVersion(foundation.database.kysely, scope, playbookId, body)
      return {
        status: 201,
        headers: { location: `/beta/casework/playbooks/${playbookId}/versions/${version}` },
        json: { id: playbookId, version, state: 'draft' },
      }
    },
  })
}
