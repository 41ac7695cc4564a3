// GET /beta/casework/cases/{caseId}/runs: the playbook runs of a case.

import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { requireCase } from '../../cases/case-store.ts'
import { listRuns } from './run-store.ts'
import { presentRun, RunList } from './run-wire.ts'

export function listCaseRunsRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/cases/{caseId}/runs',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'listCaseRuns',
    summary: 'List the runs of a case',
    description: 'The runs of playbooks on the case, newest first.',
    params: Type.Object({ caseId: Type.String() }),
    responses: {
      200: { description: 'The newest 1,000 on one page.', schema: RunList },
      404: { description: 'There is no such case.' },
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const { id } = await requireCase(db, scope, params.caseId)
      const runs = await listRuns(db, scope, id)
      return { status: 200, json: { items: runs.map(presentRun), next_cursor: '' } }
    },
  })
}
