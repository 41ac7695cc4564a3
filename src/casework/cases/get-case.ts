// GET /beta/casework/cases/{caseId}: one case in full, with its version as ETag and the nodes at
// which its playbook waits.

import { Type } from 'typebox'
import type { Casework } from '../../app/open-casework.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { findPlaybookPosition, listWaitingNodes } from '../playbooks/list-waiting-nodes.ts'
import { isHeldCase } from '../privacy/legal-holds/legal-hold-store.ts'
import { CaseDetail } from './case-detail-wire.ts'
import { type CaseProgress, presentCaseDetail, presentVersion } from './present-case.ts'
import { requireCase } from './require-case.ts'

export function getCaseRoute(casework: Casework): Route {
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
      const scope = requireCaller(caller)
      const row = await requireCase(casework.foundation.database.kysely, scope, params.caseId)
      const progress = await readProgress(casework, scope, row.id)
      return {
        status: 200,
        json: presentCaseDetail(row, progress),
        headers: { etag: presentVersion(row.version) },
      }
    },
  })
}

export async function readProgress(
  { foundation, graphs }: Casework,
  scope: TenantScope,
  caseId: string,
): Promise<CaseProgress> {
  const db = foundation.database.kysely
  return {
    position: await findPlaybookPosition(db, scope, caseId),
    waiting: await listWaitingNodes(db, graphs, scope, caseId),
    isHeld: await isHeldCase(db, scope, caseId),
  }
}
