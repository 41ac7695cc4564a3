// PATCH /beta/casework/cases/{caseId}: changes the state and the members beside it, at the version
// that the caller decided on.

import { type Static, Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import { scopeMissing } from '../../kernel/errors.ts'
import { readExpectedVersion } from '../../kernel/http/entity-tag.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { checkJsonObject } from '../../values/json-value.ts'
import { parseTimestamp } from '../../values/timestamp.ts'
import { applyCaseChange, type CaseChangeDeps, type CaseCommand } from './apply-case-change.ts'
import { CaseDetail, CasePatch } from './case-detail-wire.ts'
import type { FindCaseProgress } from './case-progress.ts'
import { showCase } from './case-reply.ts'
import { requireCase } from './case-store.ts'
import { changeNotValid } from './errors.ts'

// Metadata is for ids of other systems, not for documents.
const METADATA_LIMITS = {
  depthMax: 8,
  valuesMax: 500,
  textLengthMax: 4_096,
  nameLengthMax: 256,
  totalLengthMax: 32_768,
}

const CLOCK_SKEW_MS = 300_000

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
      const row = await applyCaseChange(deps, scope, id, {
        ...readCommand(body, deps.clock.nowMs()),
        expectedVersion: readExpectedVersion(headers['if-match'], body.version, changeNotValid),
        actor: { kind: 'token', id: person.tokenId, name: person.name },
        causeId: requestId,
      })
      return { status: 200, ...(await showCase(row, deps.findProgress)) }
    },
  })
}

function readCommand(
  body: Static<typeof CasePatch>,
  nowMs: number,
): Pick<CaseCommand, 'move' | 'patch' | 'reason'> {
  if (body.metadata !== undefined) {
    const problems: { path: string; reason: string }[] = []
    checkJsonObject(body.metadata, '/metadata', METADATA_LIMITS, problems)
    if (problems[0] !== undefined) throw changeNotValid(problems[0])
  }
  const { state } = body
  if (state === undefined && (body.resolution ?? body.close_reason) !== undefined) {
    throw changeNotValid({ path: '/state', reason: 'is missing; a resolution belongs to a move' })
  }
  return {
    move:
      state === undefined
        ? null
        : {
            target: state,
            resolution: body.resolution ?? null,
            closeReason: body.close_reason ?? null,
          },
    patch: {
      ...(body.severity === undefined ? {} : { severity: body.severity }),
      ...(body.assignee_user_id === undefined ? {} : { assigneeUserId: body.assignee_user_id }),
      ...(body.metadata === undefined ? {} : { metadata: { ...body.metadata } }),
      ...(body.waiting_on === undefined ? {} : { waitingOn: body.waiting_on }),
      ...(body.customer_status === undefined ? {} : { customerStatus: body.customer_status }),
      ...(body.tags === undefined ? {} : { tags: body.tags }),
      ...(body.aware_at === undefined ? {} : { awareAt: readAwareAt(body.aware_at, nowMs) }),
      ...(body.deadline_at === undefined
        ? {}
        : { deadlineAt: readTime('deadline_at', body.deadline_at) }),
      ...(body.deadlines_met === undefined ? {} : { deadlinesMet: body.deadlines_met }),
    },
    reason: body.reason ?? null,
  }
}

/** Null removes the time. */
function readTime(member: string, text: string | null): Date | null {
  if (text === null) return null
  const time = parseTimestamp(text)
  if (time !== null) return new Date(time)
  throw changeNotValid({ path: `/${member}`, reason: 'must be an ISO 8601 date-time with a zone' })
}

/** Not in the future; clocks differ a little. */
function readAwareAt(text: string | null, nowMs: number): Date | null {
  const time = readTime('aware_at', text)
  if (time === null || time.getTime() <= nowMs + CLOCK_SKEW_MS) return time
  throw changeNotValid({ path: '/aware_at', reason: 'must not be in the future' })
}
