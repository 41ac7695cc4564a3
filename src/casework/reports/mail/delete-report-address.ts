// DELETE /beta/admin/report-addresses/{address}: the address belongs to no tenant from now on.

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
    summary: 'Take an address that report mail comes to from its tenant',
    params: Type.Object({ address: Type.String() }),
    responses: {
      204: { description: 'It belongs to no tenant.' },
      404: { description: 'It did not belong to one.' },
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
