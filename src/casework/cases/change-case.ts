// PATCH /beta/casework/cases/{caseId}: changes the state and the members beside it, at the version
// that the caller decided on.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import { scopeMissing } from '../../kernel/errors.ts'
import { readExpectedVersion } from '../../kernel/http/entity-tag.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { applyCaseChange, type CaseChangeDeps } from './apply-case-change.ts'
import { CasePatch } from './case-change-wire.ts'
import { CaseDetail } from './case-detail-wire.ts'
import type { FindCaseProgress } from './case-progress.ts'
import { showCase } from './case-reply.ts'
import { requireCase } from './case-store.ts'
import { changeNotValid } from './errors.ts'
import { nameAssignee } from './name-assignee.ts'
import { readCaseChange } from './read-case-change.ts'

export function changeCaseRoute(
  deps: CaseChangeDeps & { readonly findProgress: FindCaseProgress },
): Route {
  return defineRoute({
    method: 'PATCH',
    path: '/beta/casework/cases/{caseId}',
    group: 'casework',
    access: { kind: 'one-of', ways: [['cases:write'], ['cases:write', 'cases:transition']] },
    operationId: 'changeCase',
    summary: 'Change a case',
    description: 'A change of the state needs the scope cases:transition too.',
    params: Type.Object({ caseId: Type.String() }),
    body: CasePatch,
    responses: {
      200: { description: 'The case as it is now.', schema: CaseDetail },
      400: { description: 'The change is not valid, or names no version.' },
      404: { description: 'There is no such case.' },
      409: {
        description:
          'The case cannot go to that state, or take that change in its state; none is opened in a group that was deleted.',
      },
      412: { description: 'The case was changed since that version.' },
    },
    async handle({ caller, params, body, headers, requestId }) {
      const person = requireCaller(caller)
      if (body.state !== undefined && !person.scopes.has('cases:transition')) {
        throw scopeMissing('cases:transition')
      }
      const scope = { tenantId: person.tenantId }
      const { id } = await requireCase(deps.db, scope, params.caseId)
      const change = readCaseChange(body, '', deps.clock.nowMs())
      const row = await applyCaseChange(deps, scope, id, {
        ...(await nameAssignee(deps.db, person, '', change)),
        reason: body.reason ?? null,
        expectedVersion: readExpectedVersion(headers['if-match'], body.version, changeNotValid),
        actor: { kind: 'token', id: person.tokenId, name: person.name },
        causeId: requestId,
      })
      return { status: 200, ...(await showCase(deps.db, row, deps.findProgress)) }
    },
  })
}
