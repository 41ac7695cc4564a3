// The timeline of a case on the wire: entries of several kinds, in one form.

import { type Static, Type } from 'typebox'
import { omitNulls } from '../../../values/omit-nulls.ts'
import { named } from '../../../vocabulary/named-schema.ts'
import type { TimelineRow } from './timeline-store.ts'

const Kind = named(
  'TimelineKind',
  Type.Union(
    [
      Type.Literal('event'),
      Type.Literal('history'),
      Type.Literal('comment'),
      Type.Literal('notice'),
      Type.Literal('mitigation'),
      Type.Literal('visit'),
      Type.Literal('attempt'),
      Type.Literal('report'),
    ],
    {
      description:
        'event: at the time of the abuse. history: a change of the case. comment: with the answers that came by mail. notice, mitigation: when it was made, with its state of now. visit: when a playbook left a node. attempt: of a call by a playbook, of sending a notice, of a mitigation. report: when it was received.',
    },
  ),
)
export type TimelineKind = Static<typeof Kind>
export const TIMELINE_KINDS: readonly TimelineKind[] = Kind.anyOf.map((one) => one.const)

const TimelineEntry = named(
  'TimelineEntry',
  Type.Object({
    kind: Kind,
    id: Type.String({
      description:
        'Of the event, notice, report and so on; of a visit `<run id>/<token>/<visit>`, of an attempt with its number behind.',
    }),
    at: Type.String({ format: 'date-time', description: 'Its place on the timeline.' }),
    what: Type.String({
      description:
        'One stable word: the type of an event, the kind of a history entry or node, the state of a notice, mitigation or report, the outcome of an attempt.',
    }),
    actor: Type.Optional(
      Type.String({ description: 'Who did it, as the resource itself names them.' }),
    ),
    actor_name: Type.Optional(
      Type.String({
        description: 'The name of that user or token; `former user` once the person is gone.',
      }),
    ),
    text: Type.Optional(
      Type.String({
        description: 'A reason, a comment, the subject of a notice, the cause of a failure.',
      }),
    ),
    is_foreign: Type.Boolean({
      description: 'True: a stranger has written the text, such as a customer by mail.',
    }),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Further members of the resource, by its kind.',
    }),
  }),
)

export const Timeline = named(
  'Timeline',
  Type.Object({
    items: Type.Array(TimelineEntry),
    next_cursor: Type.String({
      description: 'Send it as `cursor` to get the next page; empty on the last page.',
    }),
    kinds: Type.Array(Kind, {
      description: 'The kinds that were looked for: those that the token may read.',
    }),
  }),
)

export function presentTimelineEntry(
  row: TimelineRow,
  names: ReadonlyMap<string, string>,
): Static<typeof TimelineEntry> {
  return omitNulls<Static<typeof TimelineEntry>>({
    kind: row.kind,
    id: row.id,
    at: new Date(row.at_ms).toISOString(),
    what: row.what,
    actor: row.actor,
    actor_name: names.get(readActorId(row) ?? '') ?? null,
    text: row.text,
    is_foreign: row.is_foreign,
    data: row.data,
  })
}

/**
 * The id to look a name up by. A comment says of itself whether a person wrote it: the name of a
 * token may look like an id.
 */
export function readActorId({ kind, actor, data }: TimelineRow): string | null {
  if (kind !== 'comment') return actor
  const { author_user_id: author } = data
  return typeof author === 'string' ? author : null
}
