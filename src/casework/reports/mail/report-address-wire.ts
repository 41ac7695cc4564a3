// Wire schemas of the addresses for report mail and their tenants.

import { type Static, Type } from 'typebox'
import { named } from '../../../vocabulary/named-schema.ts'
import { pageOf } from '../../../vocabulary/page-wire.ts'
import type { ReportAddress as StoredAddress } from './report-address-store.ts'

const TRAP =
  'True for a trap: nobody complains to it, so every mail to it is read as spam and is itself the complaint. False when left out.'

export const ReportAddress = named(
  'ReportAddress',
  Type.Object({
    address: Type.String({
      description: 'abuse@example.org, or *@example.org for every address of a domain.',
    }),
    tenant_id: Type.String(),
    trap: Type.Boolean({ description: TRAP }),
  }),
)
export const ReportAddressPage = pageOf(ReportAddress)

export const ReportAddressOwner = named(
  'NewReportAddress',
  Type.Object(
    { tenant_id: Type.String(), trap: Type.Optional(Type.Boolean({ description: TRAP })) },
    { additionalProperties: false },
  ),
)

export function presentReportAddress({
  address,
  tenantId,
  isTrap,
}: StoredAddress): Static<typeof ReportAddress> {
  return { address, tenant_id: tenantId, trap: isTrap }
}
