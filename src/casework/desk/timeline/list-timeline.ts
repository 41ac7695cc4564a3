// GET /beta/casework/cases/{caseId}/timeline: everything about a case on one axis of time.

import { Type } from 'typebox'
import { findActorNames } from '../../../access/groups/actor-name-store.ts'
import { listRoute, showRows } from '../../../access/list-route.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { scopeMissing } from '../../../kernel/errors.ts'
import type { CursorSealer } from '../../../kernel/http/cursor.ts'
import { requireValue } from '../../../kernel/http/read-filters.ts'
import type { Route } from '../../../kernel/http/route.ts'
import type { Caller } from '../../../vocabulary/caller.ts'
import { PAGE_PARAMETERS } from '../../../vocabulary/page-wire.ts'
import { requireCase } from '../../cases/case-store.ts'
import { listTimeline } from './timeline-store.ts'
import {
  presentTimelineEntry,
  readActorId,
  TIMELINE_KINDS,
  Timeline,
  type TimelineKind,
} from './timeline-wire.ts'

// As their own lists ask for it.
const NEEDS_EVENTS: ReadonlySet<TimelineKind> = new Set(['event', 'report'])

export interface ListTimelineDeps {
  readonly db: Db
  readonly cursors: CursorSealer
}

export function listTimelineRoute({ db, cursors }: ListTimelineDeps): Route {
  return listRoute({
    cursors,
    path: '/beta/casework/cases/{caseId}/timeline',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'listTimeline',
    summary: 'List the timeline of a case',
    description:
      'The newest first. Events and reports need the scope events:read too: without it they are left out, and 403 when they are asked for by name.',
    params: Type.Object({ caseId: Type.String({ description: 'Id of the case.' }) }),
    query: Type.Object({
      kinds: Type.Optional(
        Type.String({
          minLength: 1,
          description: `Only these kinds, separated by commas: ${TIMELINE_KINDS.join(', ')}. All when left out.`,
        }),
      ),
      ...PAGE_PARAMETERS,
    }),
    responses: {
      200: { description: 'A page of the timeline.', schema: Timeline },
      404: { description: 'There is no such case.' },
    },
    list: 'timeline',
    sort: 'at',
    async open({ caller, params, query }) {
      const kinds = chooseKinds(caller, query.kinds)
      const { id } = await requireCase(db, caller, params.caseId)
      return {
        filters: { id, kinds },
        async find(request) {
          const rows = await listTimeline(db, caller, id, kinds, request)
          const names = await findActorNames(db, caller.tenantId, rows.map(readActorId))
          return showRows(
            rows,
            (row) => [String(row.at_ms), row.kind, row.id],
            (row) => presentTimelineEntry(row, names),
            { kinds },
          )
        },
      }
    },
  })
}

/** In the order of TIMELINE_KINDS, each once. */
function chooseKinds(caller: Caller, text: string | undefined): readonly TimelineKind[] {
  const maySee = (kind: TimelineKind) => caller.scopes.has('events:read') || !NEEDS_EVENTS.has(kind)
  if (text === undefined) return TIMELINE_KINDS.filter(maySee)
  const words = text.split(',')
  const named = TIMELINE_KINDS.filter((kind) => words.includes(kind))
  const isKnown = words.every((word) => named.some((kind) => kind === word))
  const reason = `must be one or more of ${TIMELINE_KINDS.join(', ')}, separated by commas`
  const kinds = requireValue('kinds', isKnown ? named : null, reason)
  if (!kinds.every(maySee)) throw scopeMissing('events:read')
  return kinds
}
