// Wire schemas of the addresses for report mail and their tenants.

import { Type } from 'typebox'
import { pageOf } from '../../../vocabulary/page-wire.ts'

export const ReportAddress = Type.Object({
  address: Type.String({
    description: 'abuse@example.org, or *@example.org for every address of a domain.',
  }),
  tenant_id: Type.String(),
})
export const ReportAddressPage = pageOf(ReportAddress)

export const ReportAddressOwner = Type.Object(
  { tenant_id: Type.String() },
  { additionalProperties: false },
)
