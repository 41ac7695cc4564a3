// PUT /beta/admin/report-addresses/{address}: assigns an address for report mail to a tenant.

import { Type } from 'typebox'
import type { AuditLog } from '../../../access/audit/audit-log.ts'
import { reportAddressNotValid } from '../../../access/errors.ts'
import { type Db, inTransaction } from '../../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { isEmailAddress } from '../../../values/email.ts'
import { normalizeRecipient } from './find-recipient-tenant.ts'
import { lockReportAddress, putReportAddress } from './report-address-store.ts'
import { presentReportAddress, ReportAddress, ReportAddressOwner } from './report-address-wire.ts'

export interface ReportAddressDeps {
  readonly db: Db
  readonly audit: AuditLog
}

export function putReportAddressRoute({ db, audit }: ReportAddressDeps): Route {
  return defineRoute({
    method: 'PUT',
    path: '/beta/admin/report-addresses/{address}',
    group: 'admin',
    access: { kind: 'scope', scope: 'instance:admin' },
    operationId: 'putReportAddress',
    summary: 'Assign a report address to a tenant',
    description: 'Report mail to this address belongs to the tenant from now on.',
    params: Type.Object({ address: Type.String() }),
    body: ReportAddressOwner,
    responses: { 200: { description: 'The address.', schema: ReportAddress } },
    async handle({ params, body }) {
      const address = normalizeRecipient(params.address)
      // `*` is allowed in a local part, so `*@example.org` passes as an address.
      if (!isEmailAddress(address)) {
        const reason = 'is neither an address nor *@ and a domain'
        throw reportAddressNotValid({ path: '/address', reason })
      }
      const entry = { address, tenantId: body.tenant_id, isTrap: body.trap ?? false }
      await inTransaction(db, async (tx) => {
        const before = await lockReportAddress(tx, address)
        if (!(await putReportAddress(tx, entry))) {
          throw reportAddressNotValid({ path: '/tenant_id', reason: 'is the id of no tenant' })
        }
        await audit.record(tx, 'report_address.set', {
          tenantId: null,
          id: address,
          before: before === null ? null : presentReportAddress(before),
          after: presentReportAddress(entry),
        })
      })
      return { status: 200, json: presentReportAddress(entry) }
    },
  })
}
