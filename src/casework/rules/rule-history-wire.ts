// The history of case groups and mute rules: who changed a rule, and its members before and after.

import { type Static, Type } from 'typebox'
import { omitNulls } from '../../values/omit-nulls.ts'
import { named } from '../../vocabulary/named-schema.ts'
import { pageOf } from '../../vocabulary/page-wire.ts'
import type { RuleHistoryRow } from './rule-history-store.ts'

const RuleHistoryEntry = named(
  'RuleHistoryEntry',
  Type.Object({
    id: Type.String({ format: 'uuid' }),
    at: Type.String({ format: 'date-time' }),
    kind: Type.Union([
      Type.Literal('create'),
      Type.Literal('change'),
      Type.Literal('delete'),
      Type.Literal('end'),
    ]),
    actor: Type.String({ description: 'Id of the user or token.' }),
    actor_name: Type.Optional(
      Type.String({
        description: 'The name of the user or token; `former user` once the person is gone.',
      }),
    ),
    changes: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'By member: `{from, to}`; null stands for no value.',
      },
    ),
  }),
)
export const RuleHistoryList = pageOf(RuleHistoryEntry)

export function presentRuleHistory(
  { id, at, kind, actor, changes }: RuleHistoryRow,
  actorName?: string,
): Static<typeof RuleHistoryEntry> {
  return omitNulls<Static<typeof RuleHistoryEntry>>({
    id,
    at: at.toISOString(),
    kind,
    actor,
    actor_name: actorName ?? null,
    changes,
  })
}
