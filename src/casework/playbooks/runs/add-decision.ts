// POST /beta/casework/cases/{caseId}/decisions: chooses the path of a waiting node as
// trigger-playbook does, and takes the form that a manual node asks for.

import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import { readIdempotencyKey } from '../../../kernel/http/read-idempotency-key.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { requireCase } from '../../cases/case-store.ts'
import { acceptTrigger, type TriggerDeps } from './accept-trigger.ts'
import { DecisionAnswer, DecisionBody } from './run-wire.ts'
import { answerTrigger, parseTrigger } from './trigger-playbook.ts'

export function addDecisionRoute(deps: TriggerDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/cases/{caseId}/decisions',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:trigger' },
    operationId: 'addDecision',
    idempotency: 'own',
    summary: 'Decide at a waiting node',
    description:
      'As trigger-playbook, for nodes that ask for a form. A node with `four_eyes` is left when a second caller has chosen the same path with the same form; the first choice is shown by `GET …/triggers`.',
    params: Type.Object({ caseId: Type.String() }),
    body: DecisionBody,
    responses: {
      202: {
        description: 'Accepted, by this call or an earlier one; Location names the run.',
        schema: DecisionAnswer,
      },
      400: {
        description:
          'A field is missing, or names no node or path of the version, or the form is not filled in as the node asks.',
      },
      403: { description: 'The token lacks a scope, or the role that the node asks for.' },
      404: { description: 'There is no such case.' },
      409: { description: 'No run of the case waits at this node.' },
      422: { description: 'The Idempotency-Key was used for another decision.' },
    },
    async handle({ caller, params, body, headers }) {
      const { tenantId, tokenId, scopes } = requireCaller(caller)
      const { id: caseId } = await requireCase(deps.db, { tenantId }, params.caseId)
      const { node, path } = parseTrigger(body)
      const { form = null } = body
      const idempotencyKey = readIdempotencyKey(headers)
      const request = { caseId, tokenId, scopes, node, path, form, idempotencyKey }
      const result = await acceptTrigger(deps, { tenantId }, request)
      const answer = answerTrigger(result, caseId)
      if (result.kind !== 'accepted') return answer
      return { ...answer, json: { run_id: result.runId, decided: result.isDecided } }
    },
  })
}
