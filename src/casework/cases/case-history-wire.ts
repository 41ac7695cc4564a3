// The history of a case: one entry for each change (design section 9).

import { type Static, Type } from 'typebox'
import { omitNulls } from '../../values/omit-nulls.ts'
import { named } from '../../vocabulary/named-schema.ts'
import { pageOf } from '../../vocabulary/page-wire.ts'
import type { HistoryRow } from './case-history-store.ts'
import { CaseState } from './case-wire.ts'

const HistoryEntry = named(
  'CaseHistoryEntry',
  Type.Object({
    id: Type.String({ format: 'uuid' }),
    at: Type.String({ format: 'date-time' }),
    kind: Type.String({
      description:
        'open, move, change, comment, notice, mitigation, late_event, relapse_event, reassign, correct, trigger, run_failed, run_ended, run_overdue, run_cancelled, run_paused, run_resumed, run_migrated, merge, unmerge, split, seal, retention, hold, lift_hold or repair.',
    }),
    actor_kind: Type.Union(
      [Type.Literal('user'), Type.Literal('token'), Type.Literal('run'), Type.Literal('system')],
      { description: 'What did it: a person who signed in, a token, a playbook run, the program.' },
    ),
    actor: Type.String({ description: 'Id of the user or token, or `<run id>:<node id>`.' }),
    actor_name: Type.Optional(
      Type.String({
        description: 'The name of the user or token; `former user` once the person is gone.',
      }),
    ),
    from_state: Type.Optional(CaseState),
    to_state: Type.Optional(CaseState),
    reason: Type.Optional(Type.String()),
    cause_id: Type.Optional(Type.String()),
    changes: Type.Optional(Type.Object({}, { additionalProperties: true })),
  }),
)
export const HistoryList = pageOf(HistoryEntry)

export function presentHistoryEntry(
  row: HistoryRow,
  actorName?: string,
): Static<typeof HistoryEntry> {
  return omitNulls<Static<typeof HistoryEntry>>({
    id: row.id,
    at: row.at.toISOString(),
    kind: row.kind,
    actor_kind: readActorKind(row),
    actor: row.actor,
    actor_name: actorName ?? null,
    from_state: row.from_state,
    to_state: row.to_state,
    reason: row.reason,
    cause_id: row.cause_id,
    changes: row.changes,
  })
}

/** A row says `token` of every request; the id of a person is one of ours. */
function readActorKind({ actor_kind: kind, actor }: HistoryRow): 'user' | HistoryRow['actor_kind'] {
  return kind === 'token' && actor.startsWith('usr_') ? 'user' : kind
}
