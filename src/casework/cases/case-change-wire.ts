// The change of a case: one body for one case, and the same members for many (bulk-change-wire.ts).

import { type Static, Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'
import {
  CaseTags,
  CloseReason,
  CustomerStatus,
  LawClock,
  Metadata,
  Resolution,
  Severity,
  WaitingOn,
} from './case-detail-wire.ts'
import { CaseState } from './case-wire.ts'

/** What a request may change of a case; members that are left out stay. */
export const CASE_CHANGE_MEMBERS = {
  state: Type.Optional(CaseState),
  resolution: Type.Optional(Resolution),
  close_reason: Type.Optional(CloseReason),
  severity: Type.Optional(Type.Union([...Severity.anyOf, Type.Null()])),
  assignee_user_id: Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 256 }), Type.Null()]),
  ),
  metadata: Type.Optional(Metadata),
  waiting_on: Type.Optional(WaitingOn),
  customer_status: Type.Optional(CustomerStatus),
  tags: Type.Optional(
    Type.Array(CaseTags.items, {
      maxItems: 100,
      uniqueItems: true,
      description: 'All tags of the case; `add_tags` and `remove_tags` change some.',
    }),
  ),
  add_tags: Type.Optional(CaseTags),
  remove_tags: Type.Optional(CaseTags),
  aware_at: Type.Optional(
    Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'Null: when the case was opened.',
    }),
  ),
  deadline_at: Type.Optional(Type.Union([Type.String({ format: 'date-time' }), Type.Null()])),
  deadlines_met: Type.Optional(
    Type.Array(LawClock, {
      maxItems: 5,
      uniqueItems: true,
      description: 'All deadlines that are met; others are due.',
    }),
  ),
}

const CaseChange = named('CaseChange', Type.Object(CASE_CHANGE_MEMBERS))
export type CaseChangeBody = Static<typeof CaseChange>

export const CasePatch = named(
  'CasePatch',
  Type.Object(
    {
      version: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: 'The version that you decided on; or send If-Match.',
        }),
      ),
      ...CASE_CHANGE_MEMBERS,
      reason: Type.Optional(
        Type.String({ maxLength: 2_000, description: 'Why, in words; stored in the history.' }),
      ),
    },
    { additionalProperties: false },
  ),
)
