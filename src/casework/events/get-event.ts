// GET /beta/casework/events/{eventId} (interface endpoint 5): one event of the tenant in full.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { Db } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { parseRecordId } from '../../values/uuid.ts'
import { eventNotFound } from '../cases/errors.ts'
import { findEvent } from './event-list-store.ts'
import { EventRecord, EventRecordQuery, presentEventRecord } from './event-wire.ts'
import { findRepeats } from './fingerprint-store.ts'

export function getEventRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/events/{eventId}',
    group: 'casework',
    access: { kind: 'scope', scope: 'events:read' },
    operationId: 'getEvent',
    summary: 'Get an event',
    description: 'The event as it was stored, with its case.',
    params: Type.Object({ eventId: Type.String() }),
    query: EventRecordQuery,
    failsWithoutBody: true,
    responses: {
      200: { description: 'The event.', schema: EventRecord },
      404: { description: 'There is no such event.' },
    },
    async handle({ caller, params, query }) {
      const scope = requireCaller(caller)
      const eventId = parseRecordId(params.eventId)
      const event = eventId === null ? null : await findEvent(db, scope, eventId)
      if (event === null) throw eventNotFound()
      const repeats = query.repeats === true ? await findRepeats(db, scope, event.event_id) : null
      return { status: 200, json: presentEventRecord(event, repeats, query.expand) }
    },
  })
}
