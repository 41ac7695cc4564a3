// GET /beta/casework/cases/{caseId}/triggers: what the case waits for, which is what endpoint 2
// takes.

import { Type } from 'typebox'
import type { Casework } from '../../app/open-casework.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import { requireCase } from '../cases/require-case.ts'
import { listWaitingNodes } from './list-waiting-nodes.ts'
import { presentWaitingNode } from './present-playbook.ts'
import { WaitingTriggerList } from './trigger-wire.ts'

export function listCaseTriggersRoute(casework: Casework): Route {
  const db = casework.foundation.database.kysely
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/cases/{caseId}/triggers',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'listCaseTriggers',
    summary: 'List the nodes at which the case waits, with their ways out',
    params: Type.Object({ caseId: Type.String() }),
    responses: {
      200: {
        description: 'All of them on one page, the oldest run first.',
        schema: WaitingTriggerList,
      },
      404: { description: 'There is no such case.' },
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const { id } = await requireCase(db, scope, params.caseId)
      const waiting = await listWaitingNodes(db, casework.graphs, scope, id)
      return { status: 200, json: { items: waiting.map(presentWaitingNode), next_cursor: '' } }
    },
  })
}
