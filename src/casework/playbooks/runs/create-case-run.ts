// POST /beta/casework/cases/{caseId}/runs: begins a run of a playbook on a case.

import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import { type Db, inTransaction } from '../../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import { named } from '../../../vocabulary/named-schema.ts'
import { requireCase } from '../../cases/case-store.ts'
import { runNotStarted } from '../errors.ts'
import { requirePlaybook } from '../require-playbook.ts'
import { startRuns } from './run-store.ts'

export interface CreateCaseRunDeps {
  readonly db: Db
  readonly ids: IdSource
  readonly wakeWorkers: () => void
}

export function createCaseRunRoute({ db, ids, wakeWorkers }: CreateCaseRunDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/cases/{caseId}/runs',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:trigger' },
    operationId: 'createCaseRun',
    idempotency: 'kept',
    summary: 'Start a playbook on a case',
    description:
      'On the active version, whatever its start node says. The case needs no group that names the playbook.',
    params: Type.Object({ caseId: Type.String() }),
    body: named(
      'NewCaseRun',
      Type.Object(
        { playbook_id: Type.String({ description: 'Id of the playbook.' }) },
        { additionalProperties: false },
      ),
    ),
    responses: {
      201: {
        description: 'The run has begun; Location names it.',
        schema: named('StartedRun', Type.Object({ run_id: Type.String() })),
      },
      404: { description: 'There is no such case or playbook.' },
      409: { description: 'The playbook has no active version, or runs on the case already.' },
    },
    async handle({ caller, params, body }) {
      const { tenantId, tokenId } = requireCaller(caller)
      const { id: caseId } = await requireCase(db, { tenantId }, params.caseId)
      const playbook = await requirePlaybook(db, { tenantId }, body.playbook_id)
      if (playbook.activeVersion === null) throw runNotStarted('not_active')
      const cases = [{ caseId, playbookId: playbook.id }]
      const [runId] = await inTransaction(db, (tx) =>
        startRuns(tx, ids, { tenantId }, cases, `token:${tokenId}`),
      )
      if (runId === undefined) throw runNotStarted('runs_already')
      wakeWorkers()
      const location = `/beta/casework/cases/${caseId}/runs/${runId}`
      return { status: 201, headers: { location }, json: { run_id: runId } }
    },
  })
}
