// A case as lists show it (interface 2.5).

import { type Static, Type } from 'typebox'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { named } from '../../vocabulary/named-schema.ts'
import type { CaseSummaryRow } from './lists/case-list-store.ts'

export const CaseState = named(
  'CaseState',
  Type.Union(
    [
      Type.Literal('NEW'),
      Type.Literal('IN_PROGRESS'),
      Type.Literal('RESOLVED'),
      Type.Literal('CLOSED'),
    ],
    {
      description:
        'NEW: not looked at yet. IN_PROGRESS: worked on. RESOLVED: ended well. CLOSED: ended otherwise.',
    },
  ),
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

export function presentCase(
  { tenantId }: TenantScope,
  row: Omit<CaseSummaryRow, 'due_at'>,
): Static<typeof Case> {
  return {
    id: row.id,
    state: row.state,
    created_at: row.created_at.toISOString(),
    first_event_date: row.first_event_date.toISOString(),
    last_event_date: row.last_event_date.toISOString(),
    customer_id: row.customer_id,
    tenant_id: tenantId,
    ...(row.contract_id === null ? {} : { contract_id: row.contract_id }),
  }
}
