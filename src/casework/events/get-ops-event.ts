// GET /beta/ops/events/{eventId} (interface endpoint 3): the same record on the operations path.
// With the scope ops:read any tenant's event, for everyone else what endpoint 5 gives (design
// section 5.6).

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { Db } from '../../kernel/db/database.ts'
import { inInstance } from '../../kernel/db/instance-acts.ts'
import { inTenant } from '../../kernel/db/row-scope.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { parseRecordId } from '../../values/uuid.ts'
import { eventNotFound } from '../cases/errors.ts'
import { findEvent, findEventOfAnyTenant } from './event-list-store.ts'
import { EventRecord, EventRecordQuery, presentEventRecord } from './event-wire.ts'
import { findRepeats } from './fingerprint-store.ts'

export function getOpsEventRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/ops/events/{eventId}',
    group: 'casework',
    access: { kind: 'one-of', ways: [['events:read'], ['ops:read']] },
    operationId: 'getOpsEvent',
    summary: 'Get an event of any tenant',
    description: 'Takes the scope ops:read (events of every tenant) or events:read (your own).',
    params: Type.Object({ eventId: Type.String() }),
    query: EventRecordQuery,
    failsWithoutBody: true,
    responses: {
      200: { description: 'The event.', schema: EventRecord },
      403: { description: 'The token has neither scope.' },
      404: { description: 'There is no such event.' },
    },
    async handle({ caller, params, query }) {
      const reader = requireCaller(caller)
      const readsAll = reader.scopes.has('ops:read')
      const eventId = parseRecordId(params.eventId)
      if (eventId === null) throw eventNotFound()
      const event = readsAll
        ? await inInstance('read for operations', () => findEventOfAnyTenant(db, eventId))
        : await findEvent(db, reader, eventId)
      if (event === null) throw eventNotFound()
      const owner = { tenantId: event.tenant_id }
      const repeats =
        query.repeats === true
          ? await inTenant(owner, () => findRepeats(db, owner, event.event_id))
          : null
      return { status: 200, json: presentEventRecord(event, repeats, query.expand) }
    },
  })
}
