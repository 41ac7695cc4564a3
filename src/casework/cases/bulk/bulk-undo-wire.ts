// The undo of a bulk change: what went back in each case, and what did not.

import { type Static, Type } from 'typebox'
import { named } from '../../../vocabulary/named-schema.ts'
import type { KeptMember } from './bulk-undo.ts'

export const BulkUndoRequest = named(
  'BulkUndoRequest',
  Type.Object(
    {
      reason: Type.Optional(
        Type.String({ maxLength: 2_000, description: 'Why, in words; stored in the history.' }),
      ),
    },
    { additionalProperties: false },
  ),
)

const BulkUndoItem = named(
  'BulkUndoItem',
  Type.Object({
    id: Type.String({ description: 'Id of the case.' }),
    outcome: Type.Union(
      [
        Type.Literal('undone'),
        Type.Literal('partly_undone'),
        Type.Literal('kept'),
        Type.Literal('not_found'),
      ],
      {
        description:
          '`undone`: all that the bulk change did is taken back, or was already. `partly_undone`, `kept`: some or all of it stays, for the reasons in `kept`.',
      },
    ),
    version: Type.Optional(Type.Integer({ description: 'The version of the case now.' })),
    changes: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: '`{member: {from, to}}` of the members that went back.',
        },
      ),
    ),
    kept: Type.Optional(
      Type.Array(
        Type.Object({
          member: Type.String({ description: 'The member that stays as it is.' }),
          code: Type.String({
            description:
              'CASEWORK_VERSION_IS_STALE when it was changed since; else the error that the change back would give.',
          }),
          detail: Type.String({ description: 'Why, in words.' }),
        }),
        { description: 'Members that stay as they are, with the reason; absent without any.' },
      ),
    ),
  }),
)

export const BulkUndoResult = named(
  'BulkUndoResult',
  Type.Object({
    change_id: Type.String({ format: 'uuid', description: 'Id of the bulk change.' }),
    preview: Type.Boolean({ description: 'True when nothing was changed.' }),
    undone: Type.Integer({ description: 'Cases in which nothing is left of the bulk change.' }),
    partly_undone: Type.Integer({ description: 'Cases in which some members went back.' }),
    kept: Type.Integer({ description: 'Cases in which nothing went back.' }),
    not_found: Type.Integer({ description: 'Cases that are no longer there.' }),
    items: Type.Array(BulkUndoItem, {
      description: 'The cases that the bulk change changed, in the order of their creation.',
    }),
  }),
)

export type CaseUndoResult =
  | {
      readonly id: string
      readonly kind: 'undone' | 'partly_undone' | 'kept'
      readonly version: number
      readonly changes: Record<string, unknown>
      readonly kept: readonly KeptMember[]
    }
  | { readonly id: string; readonly kind: 'not_found' }

export function presentBulkUndo(
  changeId: string,
  preview: boolean,
  cases: readonly CaseUndoResult[],
): Static<typeof BulkUndoResult> {
  const counts = { undone: 0, partly_undone: 0, kept: 0, not_found: 0 }
  for (const { kind } of cases) counts[kind] += 1
  return { change_id: changeId, preview, ...counts, items: cases.map(presentItem) }
}

function presentItem(one: CaseUndoResult): Static<typeof BulkUndoItem> {
  const { id, kind: outcome } = one
  if (one.kind === 'not_found') return { id, outcome }
  const kept = one.kept.map(({ member, error }) => ({
    member,
    code: error.code,
    detail: error.publicMessage,
  }))
  return {
    id,
    outcome,
    version: one.version,
    changes: one.changes,
    ...(kept.length === 0 ? {} : { kept }),
  }
}
