// GET /beta/casework/cases/{caseId}/runs/{runId}: one run with its visits. The Location of an
// accepted trigger.

import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { isUuid } from '../../../values/uuid.ts'
import { requireCase } from '../../cases/case-store.ts'
import { runNotFound } from '../errors.ts'
import { listAttempts } from './run-attempt-store.ts'
import { findRun, listVisits } from './run-store.ts'
import { presentRunDetail, RunDetail } from './run-wire.ts'

export function getCaseRunRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/cases/{caseId}/runs/{runId}',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'getCaseRun',
    summary: 'Get a playbook run with its newest 1,000 visits and attempts',
    params: Type.Object({ caseId: Type.String(), runId: Type.String() }),
    responses: {
      200: { description: 'The run.', schema: RunDetail },
      404: { description: 'There is no such case, or it has no such run.' },
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const { id } = await requireCase(db, scope, params.caseId)
      const run = isUuid(params.runId) ? await findRun(db, scope, id, params.runId) : null
      if (run === null) throw runNotFound()
      const visits = await listVisits(db, scope, run.runId)
      const attempts = await listAttempts(db, scope, run.runId)
      return { status: 200, json: presentRunDetail(run, visits, attempts) }
    },
  })
}
