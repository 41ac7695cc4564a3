// POST /beta/casework/events/replay: unassigned events look for their owners again, up to 10,000 a
// request.

import type { Static } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { parseTimestamp } from '../../values/timestamp.ts'
import { parseRecordId } from '../../values/uuid.ts'
import { changeNotValid } from '../cases/errors.ts'
import { Replay, ReplayBody } from './event-replay-wire.ts'
import { type ReplayDeps, replayUnassigned } from './replay-unassigned.ts'
import type { UnassignedFilter } from './unassigned-store.ts'

export function replayEventsRoute(deps: ReplayDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/events/replay',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:write' },
    operationId: 'replayEvents',
    summary: 'Assign waiting events again',
    description:
      'For use after resources or settings were corrected. Events are treated like new ones, by the time at which they happened; events with an owner are left alone.',
    body: ReplayBody,
    responses: {
      200: { description: 'How many found an owner.', schema: Replay },
      400: { description: 'The filter is not valid.' },
    },
    async handle({ caller, body }) {
      const { tenantId, tokenId, name } = requireCaller(caller)
      // A person who asks has mended something and wants the resolver asked now: one that does not
      // answer costs this request one timeout.
      deps.conditionWork.requireRoom({ tenantId })
      deps.owners.endPause({ tenantId })
      const replayed = await replayUnassigned(
        deps,
        { tenantId },
        {
          filter: readFilter(body),
          afterId: body.after === undefined ? null : readId('/after', body.after),
          actor: { kind: 'token', id: tokenId, name },
        },
      )
      const { assigned, unassigned, nextAfterId } = replayed
      return { status: 200, json: { assigned, unassigned, next_after: nextAfterId ?? '' } }
    },
  })
}

function readFilter(body: Static<typeof ReplayBody>): UnassignedFilter {
  const ids = body.event_ids?.map((text, index) => readId(`/event_ids/${index}`, text))
  return {
    ...(ids === undefined ? {} : { eventIds: ids }),
    ...(body.cause === undefined ? {} : { cause: body.cause }),
    eventDate: {
      ...(body.event_after === undefined
        ? {}
        : { after: readTime('event_after', body.event_after) }),
      ...(body.event_before === undefined
        ? {}
        : { before: readTime('event_before', body.event_before) }),
    },
  }
}

/** A member of the body, not of the query: the error names its path. */
function readTime(member: string, text: string): string {
  const time = parseTimestamp(text)
  if (time !== null) return time
  throw changeNotValid({
    path: `/${member}`,
    reason: 'must be an ISO 8601 date-time with a zone',
  })
}

function readId(path: string, text: string): string {
  const id = parseRecordId(text)
  if (id === null) throw changeNotValid({ path, reason: 'must be the id of an event' })
  return id
}
