// GET /beta/casework/cases/{caseId}: one case in full, with its version as ETag and the nodes at
// which its playbook waits.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { Db } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { CaseDetail } from './case-detail-wire.ts'
import type { FindCaseProgress } from './case-progress.ts'
import { showCase } from './case-reply.ts'
import { requireCase } from './case-store.ts'

export function getCaseRoute({
  db,
  findProgress,
}: {
  readonly db: Db
  readonly findProgress: FindCaseProgress
}): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/cases/{caseId}',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'getCase',
    summary: 'Get one case',
    params: Type.Object({ caseId: Type.String() }),
    responses: {
      200: { description: 'The case.', schema: CaseDetail },
      404: { description: 'There is no such case.' },
    },
    async handle({ caller, params }) {
      const row = await requireCase(db, requireCaller(caller), params.caseId)
      return { status: 200, ...(await showCase(row, findProgress)) }
    },
  })
}
