// POST /beta/casework/cases/{caseId}/split: some events of the case become a new case.

import { type Static, Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import type { Clock } from '../../../kernel/clock.ts'
import {
  readDomainFilter,
  readEventTypeFilter,
  readIpFilter,
  readTimeRange,
} from '../../../kernel/http/read-filters.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { parseRecordId } from '../../../values/uuid.ts'
import { CaseDetail } from '../case-detail-wire.ts'
import type { FindCaseProgress } from '../case-progress.ts'
import { showCase } from '../case-reply.ts'
import { requireCase } from '../case-store.ts'
import { changeNotValid } from '../errors.ts'
import type { MergeDeps, SplitChoice } from './merge-deps.ts'
import { SplitBody } from './merge-wire.ts'
import { splitCase } from './split-off-events.ts'

export function splitCaseRoute(
  deps: Omit<MergeDeps, 'endRuns'> & {
    readonly clock: Clock
    readonly findProgress: FindCaseProgress
  },
): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/cases/{caseId}/split',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:merge' },
    operationId: 'splitCase',
    idempotency: 'kept',
    summary: 'Split a case',
    description: 'Later events join the case that was split, not the new case.',
    params: Type.Object({ caseId: Type.String() }),
    body: SplitBody,
    responses: {
      201: { description: 'The new case; Location names it.', schema: CaseDetail },
      400: { description: 'No event of the case is chosen, or an event that is not in the case.' },
      404: { description: 'There is no such case.' },
      409: {
        description:
          'The case was merged away, no event would be left in it, or its group was deleted.',
      },
    },
    async handle({ caller, params, body, requestId }) {
      const { tenantId, tokenId, name } = requireCaller(caller)
      const scope = { tenantId }
      const { id } = await requireCase(deps.db, scope, params.caseId)
      const row = await splitCase(deps, scope, {
        caseId: id,
        choice: readChoice(body),
        actor: { kind: 'token', id: tokenId, name },
        at: new Date(deps.clock.nowMs()),
        reason: body.reason ?? null,
        causeId: requestId,
      })
      const { json, headers } = await showCase(deps.db, row, deps.findProgress)
      const location = `/beta/casework/cases/${row.id}`
      return { status: 201, json, headers: { location, ...headers } }
    },
  })
}

function readChoice({ event_ids: eventIds, filter }: Static<typeof SplitBody>): SplitChoice {
  if ((eventIds === undefined) === (filter === undefined)) {
    throw changeNotValid({ path: '/event_ids', reason: 'must be there, or filter, and not both' })
  }
  if (eventIds !== undefined) {
    const ids = eventIds.map(parseRecordId).filter((id) => id !== null)
    if (new Set(ids).size === eventIds.length) return { eventIds: ids }
    const reason = 'names an event that is not in this case, or an event twice'
    throw changeNotValid({ path: '/event_ids', reason })
  }
  const { ip, domain, event_type: eventType, event_after, event_before } = filter ?? {}
  return {
    ...(ip === undefined ? {} : { ip: readIpFilter(ip) }),
    ...(domain === undefined ? {} : { domain: readDomainFilter(domain) }),
    ...(eventType === undefined ? {} : { eventType: readEventTypeFilter(eventType) }),
    ...readTimeRange('event', event_after, event_before),
  }
}
