// One change of many cases at once (design section 10 "Casework"): the request, and the outcome for
// each case.

import { type Static, Type } from 'typebox'
import { named } from '../../../vocabulary/named-schema.ts'
import { CASE_CHANGE_MEMBERS } from '../case-change-wire.ts'
import { CommentText } from '../comments/comment-wire.ts'
import { CaseFilterBody } from '../lists/case-filter-wire.ts'
import type { ChangedCase } from './apply-bulk-change.ts'

/** For as many days a bulk change can be undone. */
export const UNDO_DAYS = 7

/** One request is one transaction. */
export const BULK_CASES_MAX = 1_000

const BulkChange = named(
  'BulkChange',
  Type.Object(
    {
      ...CASE_CHANGE_MEMBERS,
      comment: Type.Optional(CommentText),
    },
    { additionalProperties: false, minProperties: 1 },
  ),
)

export const BulkRequest = named(
  'BulkChangeRequest',
  Type.Object(
    {
      ids: Type.Optional(
        Type.Array(Type.String(), { minItems: 1, maxItems: BULK_CASES_MAX, uniqueItems: true }),
      ),
      filter: Type.Optional(CaseFilterBody),
      change: BulkChange,
      reason: Type.Optional(Type.String({ maxLength: 2_000 })),
    },
    {
      additionalProperties: false,
      description: `Either \`ids\`, or a \`filter\` that matches at most ${BULK_CASES_MAX} cases.`,
    },
  ),
)

const BulkItem = named(
  'BulkItem',
  Type.Object({
    id: Type.String(),
    outcome: Type.Union([
      Type.Literal('changed'),
      Type.Literal('unchanged'),
      Type.Literal('refused'),
      Type.Literal('not_found'),
    ]),
    version: Type.Optional(Type.Integer()),
    changes: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: '`{member: {from, to}}` of the members that differ.',
        },
      ),
    ),
    code: Type.Optional(
      Type.String({ description: 'The error that the change of this case alone would give.' }),
    ),
    detail: Type.Optional(Type.String()),
  }),
)

export const BulkResult = named(
  'BulkResult',
  Type.Object({
    preview: Type.Boolean({ description: 'True when nothing was changed.' }),
    change_id: Type.Optional(
      Type.String({
        format: 'uuid',
        description: `Undoes the change for ${UNDO_DAYS} days; absent when nothing was changed.`,
      }),
    ),
    changed: Type.Integer(),
    unchanged: Type.Integer(),
    refused: Type.Integer(),
    not_found: Type.Integer(),
    items: Type.Array(BulkItem, { description: 'In the order of `ids`, or of creation.' }),
  }),
)

/** A case as the request named it, or as the filter found it, and its outcome. */
export interface BulkOutcome {
  readonly id: string
  readonly outcome: ChangedCase
}

export function presentBulkResult(
  preview: boolean,
  changeId: string | null,
  outcomes: readonly BulkOutcome[],
): Static<typeof BulkResult> {
  const counts = { changed: 0, unchanged: 0, refused: 0, not_found: 0 }
  for (const { outcome } of outcomes) counts[outcome.kind] += 1
  const undo = changeId === null ? {} : { change_id: changeId }
  return { preview, ...undo, ...counts, items: outcomes.map(presentBulkItem) }
}

function presentBulkItem({ id, outcome }: BulkOutcome): Static<typeof BulkItem> {
  switch (outcome.kind) {
    case 'changed':
    case 'unchanged':
      return { id, outcome: outcome.kind, version: outcome.version, changes: outcome.changes }
    case 'refused':
      return {
        id,
        outcome: outcome.kind,
        code: outcome.error.code,
        detail: outcome.error.publicMessage,
      }
    case 'not_found':
      return { id, outcome: outcome.kind }
  }
}
