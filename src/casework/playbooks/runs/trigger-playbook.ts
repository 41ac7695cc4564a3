// POST /beta/casework/cases/{caseId}/trigger-playbook (interface endpoint 2): answers 202 once the
// signal is committed. A worker takes the steps of the run.

import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import { idempotencyKeyReused, requestNotValid } from '../../../kernel/errors.ts'
import { readIdempotencyKey } from '../../../kernel/http/read-idempotency-key.ts'
import { defineRoute, type Reply, type Route } from '../../../kernel/http/route.ts'
import { isStorableText } from '../../../values/json-value.ts'
import { requireCase } from '../../cases/case-store.ts'
import {
  decisionFormNotValid,
  decisionRoleMissing,
  triggerNotExpected,
  triggerNotKnown,
} from '../errors.ts'
import { acceptTrigger, type TriggerDeps, type TriggerResult } from './accept-trigger.ts'
import { TriggerBody } from './run-wire.ts'

export function triggerPlaybookRoute(deps: TriggerDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/cases/{caseId}/trigger-playbook',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:trigger' },
    operationId: 'triggerPlaybook',
    idempotency: 'own',
    summary: 'Trigger a playbook',
    description:
      'Chooses a path at a node at which a playbook of the case waits. 202 means that the choice is stored; the run goes on at once.',
    params: Type.Object({ caseId: Type.String() }),
    body: TriggerBody,
    // An unknown case is answered 404 whatever the body is, so the handler checks the body itself.
    checksOwnBody: true,
    failsWithoutBody: true,
    responses: {
      202: { description: 'Accepted, by this call or an earlier one; Location names the run.' },
      400: {
        description:
          'A field is missing or not a string, or names no node or path of the version; or the node asks for a form.',
      },
      403: { description: 'The token lacks a scope, or the role that the node asks for.' },
      404: { description: 'There is no such case.' },
      409: { description: 'No run of the case waits at this node.' },
      422: { description: 'The Idempotency-Key was used for another trigger.' },
    },
    async handle({ caller, params, body, headers }) {
      const { tenantId, tokenId, scopes } = requireCaller(caller)
      const { id: caseId } = await requireCase(deps.db, { tenantId }, params.caseId)
      const trigger = { ...parseTrigger(body), idempotencyKey: readIdempotencyKey(headers) }
      const request = { caseId, tokenId, scopes, form: null, ...trigger }
      return answerTrigger(await acceptTrigger(deps, { tenantId }, request), caseId)
    },
  })
}

/** Throws the operating error of a trigger that was not accepted. */
export function answerTrigger(result: TriggerResult, caseId: string): Reply {
  switch (result.kind) {
    case 'accepted':
      return {
        status: 202,
        headers: { location: `/beta/casework/cases/${caseId}/runs/${result.runId}` },
      }
    case 'role_missing':
      throw decisionRoleMissing(result.role, result.scope)
    case 'form_not_valid':
      throw decisionFormNotValid(result.problems)
    case 'unknown_node':
      throw triggerNotKnown('node')
    case 'unknown_path':
      throw triggerNotKnown('path')
    case 'refused':
      throw triggerNotExpected(result.reason)
    case 'key_reused':
      throw idempotencyKeyReused()
  }
}

// `<playbook id>/<node id>` has at most 101 characters, and the name of a path 64.
const NAME_LENGTH_MAX = 200

/** Members beside the two of the interface are ignored. */
export function parseTrigger(body: unknown): { readonly node: string; readonly path: string } {
  const given = typeof body === 'object' && body !== null ? body : {}
  const node = 'node' in given ? given.node : undefined
  const path = 'path' in given ? given.path : undefined
  const problems = [
    { path: '/node', reason: explainName(node) },
    { path: '/path', reason: explainName(path) },
  ].flatMap((field) => (field.reason === null ? [] : [{ ...field, reason: field.reason }]))
  if (typeof node === 'string' && typeof path === 'string' && problems.length === 0) {
    return { node, path }
  }
  throw requestNotValid('The body must be an object with the strings node and path.', problems)
}

/** Why the value cannot name a node or path; null when it can. */
function explainName(value: unknown): string | null {
  if (value === undefined) return 'is missing'
  if (typeof value !== 'string' || value === '') return 'must be a string that is not empty'
  if (value.length > NAME_LENGTH_MAX) return `must have at most ${NAME_LENGTH_MAX} characters`
  return isStorableText(value) ? null : 'has U+0000 or a lone surrogate'
}
