// The filters of lists, counts and bulk changes of cases: as query parameters, and as members of a
// body.

import { Type } from 'typebox'
import { named } from '../../../vocabulary/named-schema.ts'
import { timeParameter } from '../../../vocabulary/page-wire.ts'
import { CaseTag, Severity, WaitingOn } from '../case-detail-wire.ts'

const Id = Type.String({ minLength: 1, maxLength: 256 })

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
  assignee_user_id: Type.Optional(Id),
  severity: Type.Optional(Severity),
  waiting_on: Type.Optional(WaitingOn),
  tag: Type.Optional(CaseTag),
  deadline_before: timeParameter('Cases with a deadline before this time that is not met.'),
  created_after: timeParameter('Cases created at this time or later.'),
  created_before: timeParameter('Cases created before this time.'),
}

export const CaseFilterBody = named(
  'CaseFilter',
  Type.Object(CASE_FILTER_PARAMETERS, { additionalProperties: false }),
)
