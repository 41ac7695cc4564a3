// POST /beta/casework/cases/{caseId}/merge and …/unmerge: the case takes others in, or gives them
// back as they were.

import { Type } from 'typebox'
import type { Casework } from '../../../app/open-casework.ts'
import { parseCaseId } from '../../../kernel/http/record-ids.ts'
import { defineRoute, type Route, requireCaller } from '../../../kernel/http/route.ts'
import { CaseDetail } from '../case-detail-wire.ts'
import { caseNotFound, changeNotValid } from '../errors.ts'
import { readProgress } from '../get-case.ts'
import { presentCaseDetail, presentVersion } from '../present-case.ts'
import { requireCase } from '../require-case.ts'
import { mergeCases, unmergeCases } from './merge-into-case.ts'
import { MergeBody } from './merge-wire.ts'

export function mergeCasesRoute(casework: Casework): Route {
  return defineMergeRoute(casework, 'merge', mergeCases, {
    operationId: 'mergeCases',
    summary: 'Merge cases into this one',
    description:
      'Their events and what is still to come for them go to this case; they are CLOSED as merged, and their playbook runs end.',
  })
}

export function unmergeCasesRoute(casework: Casework): Route {
  return defineMergeRoute(casework, 'unmerge', unmergeCases, {
    operationId: 'unmergeCases',
    summary: 'Undo merges into this case',
    description:
      'Each case gets the events back that came with it and is in the state it had; what arrived since stays in this case. Playbook runs that ended stay ended.',
  })
}

function defineMergeRoute(
  casework: Casework,
  word: 'merge' | 'unmerge',
  act: typeof mergeCases,
  told: { readonly operationId: string; readonly summary: string; readonly description: string },
): Route {
  const { foundation } = casework
  return defineRoute({
    method: 'POST',
    path: `/beta/casework/cases/{caseId}/${word}`,
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:merge' },
    ...told,
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
      const { id } = await requireCase(foundation.database.kysely, scope, params.caseId)
      const row = await act(foundation, scope, {
        targetId: id,
        sourceIds: readSources(id, body.from),
        actor: { kind: 'token', id: tokenId, name },
        at: new Date(foundation.clock.nowMs()),
        reason: body.reason ?? null,
        causeId: requestId,
      })
      const progress = await readProgress(casework, scope, id)
      return {
        status: 200,
        json: presentCaseDetail(row, progress),
        headers: { etag: presentVersion(row.version) },
      }
    },
  })
}

/** What can be no id names no case. */
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
