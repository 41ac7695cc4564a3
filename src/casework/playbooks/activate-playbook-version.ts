// POST /beta/casework/playbooks/{playbookId}/versions/{version}/activate: new cases start on it
// from now on.

import { Type } from 'typebox'
import type { Casework } from '../../app/open-casework.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import { activatePlaybookVersion } from './author-playbook.ts'
import { parsePlaybookId, parseVersionNumber } from './playbook-path.ts'
import { VersionStatus } from './playbook-wire.ts'

export function activatePlaybookVersionRoute(casework: Casework): Route {
  const { foundation } = casework
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/playbooks/{playbookId}/versions/{version}/activate',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:activate' },
    operationId: 'activatePlaybookVersion',
    summary: 'Make a draft the version on which new cases start',
    description:
      'The former active version drains: its runs go on, and when none is left it is inactive. Activating the active version changes nothing.',
    params: Type.Object({ playbookId: Type.String(), version: Type.String() }),
    responses: {
      200: { description: 'It is active.', schema: VersionStatus },
      404: { description: 'There is no such playbook or version.' },
      409: { description: 'The version was active before and has been replaced.' },
    },
    async handle({ caller, params }) {
      const playbookId = parsePlaybookId(params.playbookId)
      const version = parseVersionNumber(params.version)
      const scope = requireCaller(caller)
      await activatePlaybookVersion(foundation.database.kysely, scope, playbookId, version)
      return { status: 200, json: { id: playbookId, version, state: 'active' } }
    },
  })
}
