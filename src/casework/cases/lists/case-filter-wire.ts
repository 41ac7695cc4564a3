// The filters of lists, counts and bulk changes of cases: as query parameters, and as members of a
// body.

import { Type } from 'typebox'
import { named } from '../../../vocabulary/named-schema.ts'
import { timeParameter } from '../../../vocabulary/page-wire.ts'
import { CaseTag, Severity, WaitingOn } from '../case-detail-wire.ts'

const Id = Type.String({ minLength: 1, maxLength: 256 })

// A URL as people paste it.
const TEXT_LENGTH_MAX = 500

// Ten years: longer than cases are kept.
const HOURS_MAX = 87_600

/** A distance from now, so that a saved view means the same every day. */
function hoursParameter(description: string) {
  return Type.Optional(Type.Integer({ minimum: 0, maximum: HOURS_MAX, description }))
}

export const CASE_FILTER_PARAMETERS = {
  state: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'NEW, IN_PROGRESS, RESOLVED, CLOSED; several are separated by commas.',
    }),
  ),
  customer_id: Type.Optional(Id),
  contract_id: Type.Optional(Id),
  tenant_id: Type.Optional(Id),
  case_group: Type.Optional(Id),
  assignee_user_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description:
        'The id of a user or group; `me` for your own cases and those of your groups, `none` for cases without an assignee.',
    }),
  ),
  severity: Type.Optional(Severity),
  waiting_on: Type.Optional(WaitingOn),
  tag: Type.Optional(CaseTag),
  deadline_before: timeParameter('Cases with a deadline before this time that is not met.'),
  deadline_after: timeParameter('Cases with a deadline at this time or later that is not met.'),
  due_within_hours: hoursParameter(
    'Cases with a deadline that is not met and passes within this many hours; deadlines that have passed are among them, with 0 no others.',
  ),
  ip: Type.Optional(
    Type.String({ description: 'Cases with an event of this address, in any spelling.' }),
  ),
  range: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Cases with an event of an address in this CIDR block, or from `first-last`.',
    }),
  ),
  domain: Type.Optional(Type.String({ description: 'Cases with an event of this domain.' })),
  reporter: Type.Optional(
    Type.String({ maxLength: 254, description: 'Cases with an event of this e-mail address.' }),
  ),
  event_type: Type.Optional(Type.String({ description: 'Cases with an event of this type.' })),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: TEXT_LENGTH_MAX,
      description:
        'Cases whose comments, or the details of whose events, contain all of these words. The last one may be the beginning of a word.',
    }),
  ),
  created_after: timeParameter('Cases created at this time or later.'),
  created_before: timeParameter('Cases created before this time.'),
  created_within_hours: hoursParameter('Cases created in the last hours, this many.'),
}

export const CaseFilterBody = named(
  'CaseFilter',
  Type.Object(CASE_FILTER_PARAMETERS, { additionalProperties: false }),
)
