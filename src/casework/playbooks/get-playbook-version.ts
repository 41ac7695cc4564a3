// GET /beta/casework/playbooks/{playbookId}/versions/{version}: one version with its nodes.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { Db } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { playbookVersionNotFound } from './errors.ts'
import { findVersion } from './playbook-store.ts'
import { presentVersionDetail, VersionDetail } from './playbook-wire.ts'
import { parseVersionNumber, requirePlaybook } from './require-playbook.ts'

export function getPlaybookVersionRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/playbooks/{playbookId}/versions/{version}',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:read' },
    operationId: 'getPlaybookVersion',
    summary: 'Get a version of a playbook',
    description: 'The version with its graph.',
    params: Type.Object({ playbookId: Type.String(), version: Type.String() }),
    responses: {
      200: { description: 'The version.', schema: VersionDetail },
      404: { description: 'There is no such playbook or version.' },
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const playbook = await requirePlaybook(db, scope, params.playbookId)
      const number = parseVersionNumber(params.version)
      const version = await findVersion(db, scope, playbook.id, number)
      if (version === null) throw playbookVersionNotFound()
      return { status: 200, json: presentVersionDetail(version) }
    },
  })
}
