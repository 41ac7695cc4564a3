// POST /beta/casework/cases/{caseId}/split: some of its events become a case of their own.

import { type Static, Type } from 'typebox'
import type { Casework } from '../../../app/open-casework.ts'
import {
  readDomainFilter,
  readEventTypeFilter,
  readIpFilter,
  readTimeRange,
} from '../../../kernel/http/read-filters.ts'
import { parseRecordId } from '../../../kernel/http/record-ids.ts'
import { defineRoute, type Route, requireCaller } from '../../../kernel/http/route.ts'
import { CaseDetail } from '../case-detail-wire.ts'
import { changeNotValid } from '../errors.ts'
import { readProgress } from '../get-case.ts'
import { presentCaseDetail, presentVersion } from '../present-case.ts'
import { requireCase } from '../require-case.ts'
import type { SplitChoice } from './merge-store.ts'
import { SplitBody } from './merge-wire.ts'
import { splitCase } from './split-off-events.ts'

export function splitCaseRoute(casework: Casework): Route {
  const { foundation } = casework
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/cases/{caseId}/split',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:merge' },
    operationId: 'splitCase',
    summary: 'Split a case',
    description: 'What arrives later goes on joining the case that is split, not the new one.',
    params: Type.Object({ caseId: Type.String() }),
    body: SplitBody,
    responses: {
      201: { description: 'The new case; Location names it.', schema: CaseDetail },
      400: { description: 'No event of the case is chosen, or one that is not of it.' },
      404: { description: 'There is no such case.' },
      409: {
        description:
          'The case was merged away, no event would be left in it, or its group was deleted.',
      },
    },
    async handle({ caller, params, body, requestId }) {
      const { tenantId, tokenId, name } = requireCaller(caller)
      const scope = { tenantId }
      const { id } = await requireCase(foundation.database.kysely, scope, params.caseId)
      const row = await splitCase(foundation, scope, {
        caseId: id,
        choice: readChoice(body),
        actor: { kind: 'token', id: tokenId, name },
        at: new Date(foundation.clock.nowMs()),
        reason: body.reason ?? null,
        causeId: requestId,
      })
      return {
        status: 201,
        json: presentCaseDetail(row, await readProgress(casework, scope, row.id)),
        headers: {
          location: `/beta/casework/cases/${row.id}`,
          etag: presentVersion(row.version),
        },
      }
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
    const reason = 'names what is no event of this case, or one twice'
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
