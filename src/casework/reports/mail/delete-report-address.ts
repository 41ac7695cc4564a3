// DELETE /beta/admin/report-addresses/{address}: removes an address for report mail.

import { Type } from 'typebox'
import { reportAddressNotFound } from '../../../access/errors.ts'
import { inTransaction } from '../../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { normalizeRecipient } from './find-recipient-tenant.ts'
import type { ReportAddressDeps } from './put-report-address.ts'
import { deleteReportAddress, lockReportAddress } from './report-address-store.ts'
import { presentReportAddress } from './report-address-wire.ts'

export function deleteReportAddressRoute({ db, audit }: ReportAddressDeps): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/beta/admin/report-addresses/{address}',
    group: 'admin',
    access: { kind: 'scope', scope: 'instance:admin' },
    operationId: 'deleteReportAddress',
    summary: 'Remove a report address',
    description: 'Report mail to this address is no longer taken for a tenant.',
    params: Type.Object({ address: Type.String() }),
    responses: {
      204: { description: 'The address is removed.' },
      404: { description: 'The address belongs to no tenant.' },
    },
    async handle({ params }) {
      const address = normalizeRecipient(params.address)
      await inTransaction(db, async (tx) => {
        const before = await lockReportAddress(tx, address)
        if (before === null) throw reportAddressNotFound()
        await deleteReportAddress(tx, address)
        await audit.record(tx, 'report_address.delete', {
          tenantId: null,
          id: address,
          before: presentReportAddress(before),
        })
      })
      return { status: 204 }
    },
  })
}
