// GET /beta/casework/cases/{caseId}/runs/{runId} and /beta/casework/runs/{runId}: one run with its
// tokens, visits and attempts. The former is the Location of an accepted trigger.

import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { isUuid, parseRecordId } from '../../../values/uuid.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { requireCase } from '../../cases/case-store.ts'
import { runNotFound } from '../errors.ts'
import { listAttempts } from './run-attempt-store.ts'
import { findRun, findRunOfTenant, listTokens, listVisits, type RunRecord } from './run-store.ts'
import { presentRunDetail, RunDetail } from './run-wire.ts'

export function getCaseRunRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/cases/{caseId}/runs/{runId}',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'getCaseRun',
    summary: 'Get a run of a case',
    description: 'The run with its tokens, its newest 1,000 visits and attempts.',
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
      return { status: 200, json: await describeRun(db, scope, run) }
    },
  })
}

export function getRunRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/runs/{runId}',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'getRun',
    summary: 'Get a run',
    description: 'The run with its tokens, its newest 1,000 visits and attempts.',
    params: Type.Object({ runId: Type.String() }),
    responses: {
      200: { description: 'The run.', schema: RunDetail },
      404: { description: 'There is no such run.' },
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const runId = parseRecordId(params.runId)
      const run = runId === null ? null : await findRunOfTenant(db, scope, runId)
      if (run === null) throw runNotFound()
      return { status: 200, json: await describeRun(db, scope, run) }
    },
  })
}

async function describeRun(db: Db, scope: TenantScope, run: RunRecord) {
  const tokens = await listTokens(db, scope, run.runId)
  const visits = await listVisits(db, scope, run.runId)
  const attempts = await listAttempts(db, scope, run.runId)
  return presentRunDetail(run, tokens, visits, attempts)
}
