// DELETE /beta/admin/report-addresses/{address}: removes an address for report mail.

import { Type } from 'typebox'
import { reportAddressNotFound } from '../../../access/errors.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { normalizeRecipient } from './find-recipient-tenant.ts'
import { deleteReportAddress } from './report-address-store.ts'

export function deleteReportAddressRoute({ db }: { readonly db: Db }): Route {
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
      if (!(await deleteReportAddress(db, address))) {
        throw reportAddressNotFound()
      }
      return { status: 204 }
    },
  })
}
