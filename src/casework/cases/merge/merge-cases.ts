// POST /beta/casework/cases/{caseId}/merge and …/unmerge: other cases are merged into the case, or
// get back the state and events that they had.

import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { parseCaseId } from '../../../values/uuid.ts'
import { CaseDetail } from '../case-detail-wire.ts'
import type { FindCaseProgress } from '../case-progress.ts'
import { showCase } from '../case-reply.ts'
import { requireCase } from '../case-store.ts'
import { caseNotFound, changeNotValid } from '../errors.ts'
import type { MergeDeps } from './merge-deps.ts'
import { mergeCases, unmergeCases } from './merge-into-case.ts'
import { MergeBody } from './merge-wire.ts'

interface MergeRouteDeps extends MergeDeps {
  readonly clock: Clock
  readonly findProgress: FindCaseProgress
}

export function mergeCasesRoute(deps: MergeRouteDeps): Route {
  return defineMergeRoute(deps, 'merge', mergeCases, {
    operationId: 'mergeCases',
    summary: 'Merge cases',
    description:
      'Their events, and later events with their keys, go to this case. They are CLOSED as merged, and their playbook runs end.',
  })
}

export function unmergeCasesRoute(deps: MergeRouteDeps): Route {
  return defineMergeRoute(deps, 'unmerge', unmergeCases, {
    operationId: 'unmergeCases',
    summary: 'Undo a merge',
    description:
      'Each case gets back its events and the state it had. Events that arrived since stay in this case. Playbook runs that ended stay ended.',
  })
}

function defineMergeRoute(
  deps: MergeRouteDeps,
  word: 'merge' | 'unmerge',
  act: typeof mergeCases,
  texts: { readonly operationId: string; readonly summary: string; readonly description: string },
): Route {
  return defineRoute({
    method: 'POST',
    path: `/beta/casework/cases/{caseId}/${word}`,
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:merge' },
    ...texts,
    idempotency: 'kept',
    params: Type.Object({ caseId: Type.String() }),
    body: MergeBody,
    // A thousand ids.
    bodyLimit: 256 * 1_024,
    responses: {
      200: { description: 'This case as it is now.', schema: CaseDetail },
      400: { description: 'A case is named twice, or is this one.' },
      404: { description: 'There is no such case, or one of the others is not there.' },
      409: {
        description:
          'The cases cannot be merged or unmerged as they are, or the group of one that would be open was deleted.',
      },
    },
    async handle({ caller, params, body, requestId }) {
      const { tenantId, tokenId, name } = requireCaller(caller)
      const scope = { tenantId }
      const { id } = await requireCase(deps.db, scope, params.caseId)
      const row = await act(deps, scope, {
        targetId: id,
        sourceIds: readSources(id, body.from),
        actor: { kind: 'token', id: tokenId, name },
        at: new Date(deps.clock.nowMs()),
        reason: body.reason ?? null,
        causeId: requestId,
      })
      return { status: 200, ...(await showCase(deps.db, row, deps.findProgress)) }
    },
  })
}

/** Throws 404 for a text that is no case id. */
function readSources(targetId: string, from: readonly string[]): readonly string[] {
  const ids = from.map((text) => {
    const id = parseCaseId(text)
    if (id === null) throw caseNotFound()
    return id
  })
  if (ids.includes(targetId)) throw changeNotValid({ path: '/from', reason: 'names this case' })
  if (new Set(ids).size === ids.length) return ids.toSorted()
  throw changeNotValid({ path: '/from', reason: 'names a case twice' })
}
