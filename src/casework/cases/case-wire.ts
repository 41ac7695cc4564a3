// A case as the case list shows it (interface 2.5).

import { Type } from 'typebox'
import { pageOf } from '../../vocabulary/page-wire.ts'

export const CaseState = Type.Union(
  [
    Type.Literal('NEW'),
    Type.Literal('IN_PROGRESS'),
    Type.Literal('RESOLVED'),
    Type.Literal('CLOSED'),
  ],
  {
    description:
      'NEW: nobody has looked yet. IN_PROGRESS: somebody works on it. RESOLVED: ended well. CLOSED: ended otherwise.',
  },
)

export const CASE_SUMMARY_MEMBERS = {
  id: Type.String({ description: '`C-` and an upper-case UUID.' }),
  state: CaseState,
  created_at: Type.String({ format: 'date-time' }),
  first_event_date: Type.String({ format: 'date-time' }),
  last_event_date: Type.String({ format: 'date-time' }),
  customer_id: Type.String(),
  tenant_id: Type.String(),
  contract_id: Type.Optional(Type.String()),
}

const Case = Type.Object(CASE_SUMMARY_MEMBERS)
export const CaseList = pageOf(Case)
