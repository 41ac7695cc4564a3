// GET /beta/casework/cases/{caseId}/triggers: the nodes at which the case waits for a trigger
// (interface endpoint 2).

import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { requireCase } from '../../cases/case-store.ts'
import { presentWaitingNode } from '../../cases/waiting-trigger-wire.ts'
import type { GraphCache } from '../graph-cache.ts'
import { listWaitingNodes } from './list-waiting-nodes.ts'
import { WaitingTriggerList } from './run-wire.ts'

export interface ListCaseTriggersDeps {
  readonly db: Db
  readonly graphs: GraphCache
}

export function listCaseTriggersRoute({ db, graphs }: ListCaseTriggersDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/cases/{caseId}/triggers',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'listCaseTriggers',
    summary: 'List waiting triggers of a case',
    description:
      'The nodes at which a playbook waits for a choice, with the question, the paths and the form.',
    params: Type.Object({ caseId: Type.String() }),
    responses: {
      200: {
        description: 'All nodes on one page, those of the oldest run first.',
        schema: WaitingTriggerList,
      },
      404: { description: 'There is no such case.' },
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const { id } = await requireCase(db, scope, params.caseId)
      const waiting = await listWaitingNodes(db, graphs, scope, id)
      return { status: 200, json: { items: waiting.map(presentWaitingNode), next_cursor: '' } }
    },
  })
}
