// SQL of the addresses for report mail and their tenants (migrations 0008 and 0044).

import { sql } from 'kysely'
import { type Db, seeTables, type Tx } from '../../../kernel/db/database.ts'

interface ReportAddressTables {
  report_address: { address: string; tenant_id: string; created_at: Date; is_trap: boolean }
}

export interface ReportAddress {
  /** `abuse@example.org`, or `*@example.org` for every address of a domain. */
  readonly address: string
  readonly tenantId: string
  /** Nobody complains to it: every mail to it is itself the complaint. */
  readonly isTrap: boolean
}

export type AddressOwner =
  | { readonly kind: 'tenant'; readonly tenantId: string }
  /** Not registered, while other addresses are. */
  | { readonly kind: 'unknown' }
  /** No address is registered at all. */
  | { readonly kind: 'open' }

/** Both in lower case. An entry of the address itself wins over an entry of its domain. */
export async function findAddressOwner(
  db: Db,
  address: string,
  domainEntry: string,
): Promise<AddressOwner> {
  const result = await sql<{ tenantId: string | null; isEmpty: boolean }>`
    select (select tenant_id from report_address where address in (${address}, ${domainEntry})
        order by address = ${domainEntry} limit 1) as "tenantId",
      not exists (select 1 from report_address) as "isEmpty"`.execute(db)
  const row = result.rows[0]
  if (row?.isEmpty === true) return { kind: 'open' }
  return typeof row?.tenantId === 'string'
    ? { kind: 'tenant', tenantId: row.tenantId }
    : { kind: 'unknown' }
}

/** At most `limit` addresses in their order, after `after` (null: from the start). */
export async function listReportAddresses(
  db: Db,
  after: string | null,
  limit: number,
): Promise<readonly ReportAddress[]> {
  let query = seeTables<ReportAddressTables>(db)
    .selectFrom('report_address')
    .select(['address', 'tenant_id', 'is_trap'])
    .orderBy('address')
    .limit(limit)
  if (after !== null) query = query.where('address', '>', after)
  const rows = await query.execute()
  return rows.map((row) => ({
    address: row.address,
    tenantId: row.tenant_id,
    isTrap: row.is_trap,
  }))
}

/** Null when it is not registered. No other transaction changes it before this one ends. */
export async function lockReportAddress(tx: Tx, address: string): Promise<ReportAddress | null> {
  const found = await sql<ReportAddress>`
    select address, tenant_id as "tenantId", is_trap as "isTrap" from report_address
    where address = ${address} for update`.execute(tx)
  return found.rows[0] ?? null
}

/**
 * False when there is no such tenant. An address of another tenant is moved to this one.
 */
export async function putReportAddress(db: Db, entry: ReportAddress): Promise<boolean> {
  if (await changeReportAddress(db, entry)) return true
  const inserted = await sql`
    insert into report_address (address, tenant_id, is_trap)
    select ${entry.address}, id, ${entry.isTrap} from tenant where id = ${entry.tenantId}
    on conflict (address) do nothing`.execute(db)
  // Another request may have registered it between the two.
  return inserted.numAffectedRows === 1n || (await changeReportAddress(db, entry))
}

async function changeReportAddress(
  db: Db,
  { address, tenantId, isTrap }: ReportAddress,
): Promise<boolean> {
  const changed = await sql`
    update report_address set tenant_id = tenant.id, is_trap = ${isTrap}
    from tenant where tenant.id = ${tenantId} and report_address.address = ${address}`.execute(db)
  return changed.numAffectedRows === 1n
}

/** False when the address is not registered. */
export async function deleteReportAddress(db: Db, address: string): Promise<boolean> {
  const result = await seeTables<ReportAddressTables>(db)
    .deleteFrom('report_address')
    .where('address', '=', address)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}
