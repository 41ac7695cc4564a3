// POST /beta/casework/cases/{caseId}/trigger-playbook (interface endpoint 2): 202 once the signal
// is committed; a worker does the rest.

import { Type } from 'typebox'
import type { Casework } from '../../app/open-casework.ts'
import { idempotencyKeyReused, requestNotValid } from '../../kernel/errors.ts'
import { readIdempotencyKey } from '../../kernel/http/read-idempotency-key.ts'
import { defineRoute, type Reply, type Route, requireCaller } from '../../kernel/http/route.ts'
import { isStorableText } from '../../values/storable-text.ts'
import { requireCase } from '../cases/require-case.ts'
import { triggerNotExpected, triggerNotKnown } from './errors.ts'
import { type TriggerResult, triggerPlaybook } from './send-signal.ts'
import { TriggerBody } from './trigger-wire.ts'

export function triggerPlaybookRoute(casework: Casework): Route {
  const { foundation, graphs, wakeWorkers } = casework
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/cases/{caseId}/trigger-playbook',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:trigger' },
    operationId: 'triggerPlaybook',
    summary: 'Move a run of a case on from the node at which it waits',
    params: Type.Object({ caseId: Type.String() }),
    body: TriggerBody,
    // A case that is not the caller's answers 404 whatever the body says, so the body is checked
    // after it.
    checksOwnBody: true,
    failsWithoutBody: true,
    responses: {
      202: { description: 'Accepted, now or by an earlier call; Location names the run.' },
      400: {
        description: 'A field is missing or no string, or names no node or path of the version.',
      },
      404: { description: 'There is no such case.' },
      409: { description: 'No run of the case waits at this node.' },
      422: { description: 'The Idempotency-Key was used for another trigger.' },
    },
    async handle({ caller, params, body, headers }) {
      const { tenantId, tokenId } = requireCaller(caller)
      const { id: caseId } = await requireCase(
        foundation.database.kysely,
        { tenantId },
        params.caseId,
      )
      const result = await triggerPlaybook(
        { ...foundation, graphs, wakeWorkers },
        { tenantId },
        { caseId, ...parseTrigger(body), tokenId, idempotencyKey: readIdempotencyKey(headers) },
      )
      return answer(result, caseId)
    },
  })
}

function answer(result: TriggerResult, caseId: string): Reply {
  switch (result.kind) {
    case 'accepted':
      return {
        status: 202,
        headers: { location: `/beta/casework/cases/${caseId}/runs/${result.runId}` },
      }
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

// `<playbook id>/<node id>` is 101 characters at most, and a name of a path 64.
const NAME_LENGTH_MAX = 200

/** Members beside the two of the interface are ignored. */
function parseTrigger(body: unknown): { readonly node: string; readonly path: string } {
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

/** Why it can be no name of a node or path; null when it can. */
function explainName(value: unknown): string | null {
  if (value === undefined) return 'is missing'
  if (typeof value !== 'string' || value === '') return 'must be a string that is not empty'
  if (value.length > NAME_LENGTH_MAX) return `must have at most ${NAME_LENGTH_MAX} characters`
  return isStorableText(value) ? null : 'has U+0000 or a lone surrogate'
}
