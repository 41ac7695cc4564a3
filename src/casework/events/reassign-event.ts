// POST /beta/casework/events/{eventId}/reassign: an event goes to another owner and case, with a
// row in the history of both.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { parseRecordId } from '../../values/uuid.ts'
import { changeNotValid, eventNotFound } from '../cases/errors.ts'
import { ReassignBody, Reassigned } from './event-replay-wire.ts'
import { type ReassignDeps, reassignEvent } from './reassign-to-owner.ts'

export function reassignEventRoute(deps: ReassignDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/events/{eventId}/reassign',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:write' },
    operationId: 'reassignEvent',
    summary: 'Reassign an event',
    description: 'Gives the event another customer, and moves it to the case that fits.',
    params: Type.Object({ eventId: Type.String() }),
    body: ReassignBody,
    responses: {
      200: { description: 'Where the event is now.', schema: Reassigned },
      400: {
        description:
          'A contract is named without its customer or is another’s; or no such customer is on record, where the tenant keeps records.',
      },
      404: { description: 'There is no such event.' },
      409: { description: 'A legal hold is on its case.' },
    },
    async handle({ caller, params, body }) {
      const { tenantId, tokenId, name } = requireCaller(caller)
      const { customer_id: customerId, contract_id: contractId = null } = body
      if (customerId === undefined && contractId !== null) {
        throw changeNotValid({ path: '/customer_id', reason: 'is missing; a contract needs it' })
      }
      const eventId = parseRecordId(params.eventId)
      if (eventId === null) throw eventNotFound()
      const request = {
        eventId,
        owner: customerId === undefined ? null : { customerId, contractId },
        reason: body.reason ?? null,
        actor: { kind: 'token', id: tokenId, name },
      } as const
      const event = await reassignEvent(deps, { tenantId }, request)
      if (event === null) throw eventNotFound()
      return {
        status: 200,
        json: {
          event_id: eventId,
          outcome: event.outcome,
          ...(event.customerId === null ? {} : { customer_id: event.customerId }),
          ...(event.contractId === null ? {} : { contract_id: event.contractId }),
          ...(event.caseId === null ? {} : { case_id: event.caseId }),
        },
      }
    },
  })
}
