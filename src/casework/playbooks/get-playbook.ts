// GET /beta/casework/playbooks/{playbookId}: a playbook with the states of its newest versions.

import { Type } from 'typebox'
import type { Casework } from '../../app/open-casework.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import { playbookNotFound } from './errors.ts'
import { parsePlaybookId } from './playbook-path.ts'
import { findPlaybook, listVersions } from './playbook-store.ts'
import { PlaybookDetail } from './playbook-wire.ts'
import { presentPlaybook, presentVersion } from './present-playbook.ts'

export function getPlaybookRoute(casework: Casework): Route {
  const db = casework.foundation.database.kysely
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/playbooks/{playbookId}',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:read' },
    operationId: 'getPlaybook',
    summary: 'Get a playbook with its newest 100 versions',
    params: Type.Object({ playbookId: Type.String() }),
    responses: {
      200: { description: 'The playbook.', schema: PlaybookDetail },
      404: { description: 'There is no such playbook.' },
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const playbook = await findPlaybook(db, scope, parsePlaybookId(params.playbookId))
      if (playbook === null) throw playbookNotFound()
      const versions = await listVersions(db, scope, playbook.id)
      return {
        status: 200,
        json: { ...presentPlaybook(playbook), versions: versions.map(presentVersion) },
      }
    },
  })
}
