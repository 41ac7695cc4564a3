// GET /beta/casework/playbooks/{playbookId}: a playbook with the states of its newest versions.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { Db } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { listVersions } from './playbook-store.ts'
import { PlaybookDetail, presentPlaybook, presentVersion } from './playbook-wire.ts'
import { requirePlaybook } from './require-playbook.ts'

export function getPlaybookRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/playbooks/{playbookId}',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:read' },
    operationId: 'getPlaybook',
    summary: 'Get a playbook',
    description: 'The playbook with its newest 100 versions.',
    params: Type.Object({ playbookId: Type.String() }),
    responses: {
      200: { description: 'The playbook.', schema: PlaybookDetail },
      404: { description: 'There is no such playbook.' },
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const playbook = await requirePlaybook(db, scope, params.playbookId)
      const versions = await listVersions(db, scope, playbook.id)
      return {
        status: 200,
        json: { ...presentPlaybook(playbook), versions: versions.map(presentVersion) },
      }
    },
  })
}
