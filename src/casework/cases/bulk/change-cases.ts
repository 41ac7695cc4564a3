// POST /beta/casework/cases/bulk: one change of up to a thousand cases, given by ids or a filter.
// The answer has an outcome for each case; `?preview=true` changes nothing.

import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { scopeMissing } from '../../../kernel/errors.ts'
import { readIdempotencyKey } from '../../../kernel/http/read-idempotency-key.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { parseCaseId } from '../../../values/uuid.ts'
import type { Caller } from '../../../vocabulary/caller.ts'
import type { CaseChangeDeps } from '../apply-case-change.ts'
import { changeNotValid } from '../errors.ts'
import { listCases } from '../lists/case-list-store.ts'
import { namesForeignTenant, readCaseFilter } from '../lists/read-case-filter.ts'
import { nameAssignee } from '../name-assignee.ts'
import { readCaseChange } from '../read-case-change.ts'
import { applyBulkChange, type BulkCommand, type ChangedCase } from './apply-bulk-change.ts'
import {
  BULK_CASES_MAX,
  type BulkOutcome,
  BulkRequest,
  BulkResult,
  presentBulkResult,
} from './bulk-change-wire.ts'

// A thousand ids and a comment, with room for spaces.
const BODY_BYTES_MAX = 256 * 1_024

export function changeCasesRoute(deps: CaseChangeDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/cases/bulk',
    group: 'casework',
    access: { kind: 'one-of', ways: [['cases:write'], ['cases:write', 'cases:transition']] },
    operationId: 'changeCases',
    idempotency: 'own',
    summary: 'Change many cases',
    description:
      'A change of the state needs the scope cases:transition too. With an Idempotency-Key a repeat within 24 hours changes nothing and gives the same answer.',
    query: Type.Object({ preview: Type.Optional(Type.Boolean()) }),
    body: BulkRequest,
    bodyLimit: BODY_BYTES_MAX,
    responses: {
      200: { description: 'The outcome for each case, or its preview.', schema: BulkResult },
      400: { description: 'The change is not valid, or the filter matches too many cases.' },
      422: { description: 'The Idempotency-Key was used for another request.' },
    },
    async handle({ caller, query, body, headers, requestId }) {
      const person = requireCaller(caller)
      if (body.change.state !== undefined && !person.scopes.has('cases:transition')) {
        throw scopeMissing('cases:transition')
      }
      const scope = { tenantId: person.tenantId }
      const key = readIdempotencyKey(headers)
      const requestHash = createHash('sha256').update(JSON.stringify(body)).digest('hex')
      const operation = 'changeCases' as const
      const isPreview = query.preview === true
      const given = await findIds(deps.db, person, body)
      const caseIds = given.flatMap(({ id }) => (id === null ? [] : [id]))
      const command = {
        ...(await nameAssignee(deps.db, person, '/change', readCommand(body, deps.clock.nowMs()))),
        caseIds,
        isPreview,
        answerKey: key === null ? null : { tokenId: person.tokenId, operation, key, requestHash },
        actor: { kind: 'token', id: person.tokenId, name: person.name },
        causeId: requestId,
      } as const
      const json = await applyBulkChange(deps, scope, command, ({ items, changeId }) => {
        const outcomes = new Map(caseIds.map((id, at) => [id, items[at]]))
        return presentBulkResult(isPreview, changeId, joinOutcomes(given, outcomes))
      })
      return { status: 200, json }
    },
  })
}

interface GivenId {
  readonly text: string
  /** Null when the text is no case id. */
  readonly id: string | null
}

async function findIds(
  db: Db,
  scope: Caller,
  { ids, filter }: Static<typeof BulkRequest>,
): Promise<readonly GivenId[]> {
  if ((ids === undefined) === (filter === undefined)) {
    throw changeNotValid({ path: '/ids', reason: 'must be there, or filter, and not both' })
  }
  if (ids !== undefined) {
    const given = ids.map((text) => ({ text, id: parseCaseId(text) }))
    const different = new Set(given.map(({ text, id }) => id ?? text))
    if (different.size === given.length) return given
    throw changeNotValid({ path: '/ids', reason: 'names a case twice' })
  }
  const wanted = filter ?? {}
  if (namesForeignTenant(wanted, scope)) return []
  const page = { limit: BULK_CASES_MAX, order: 'asc', position: null } as const
  const rows = await listCases(db, scope, readCaseFilter(wanted, scope), 'created_at', page)
  if (rows.length > BULK_CASES_MAX) {
    const reason = `matches more than ${BULK_CASES_MAX} cases; narrow it, by created_before for example`
    throw changeNotValid({ path: '/filter', reason })
  }
  return rows.map(({ id }) => ({ text: id, id }))
}

/**
 * As for one case. A move of many cases that lacks its resolution would be refused for each, so the
 * request is refused.
 */
function readCommand(
  { change, reason }: Static<typeof BulkRequest>,
  nowMs: number,
): Pick<BulkCommand, 'move' | 'patch' | 'comment' | 'reason'> {
  const { state, resolution, close_reason: closeReason, comment = null } = change
  if (state === 'RESOLVED' && resolution === undefined) {
    throw changeNotValid({ path: '/change/resolution', reason: 'is missing; RESOLVED needs it' })
  }
  if (state === 'CLOSED' && closeReason === undefined) {
    throw changeNotValid({ path: '/change/close_reason', reason: 'is missing; CLOSED needs it' })
  }
  return { ...readCaseChange(change, '/change', nowMs), comment, reason: reason ?? null }
}

function joinOutcomes(
  given: readonly GivenId[],
  outcomes: ReadonlyMap<string, ChangedCase | undefined>,
): readonly BulkOutcome[] {
  return given.map(({ text, id }) => {
    const outcome = id === null ? undefined : outcomes.get(id)
    return { id: id ?? text, outcome: outcome ?? { kind: 'not_found' } }
  })
}
