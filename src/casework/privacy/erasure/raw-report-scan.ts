// Reads the bytes of all reports of a tenant, in the order of their keys.

import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { fetchRawBytes } from '../../reports/raw-bytes.ts'

export interface RawReport {
  readonly sha256: Buffer
  readonly bytes: Buffer
}

// Longer reports are fetched in slices (raw-bytes.ts).
const WHOLE_BYTES_MAX = 524_288

/**
 * The next reports after this key (hexadecimal): at least one, and about `bytesMax` bytes. Empty at
 * the end.
 */
export async function readNextRawReports(
  db: Db,
  { tenantId }: TenantScope,
  afterKey: string,
  { rowsMax, bytesMax }: { readonly rowsMax: number; readonly bytesMax: number },
): Promise<readonly RawReport[]> {
  const found = await sql<{ sha256: Buffer; length: number; bytes: Buffer | null }>`
    select slice.sha256, length, case when length <= ${WHOLE_BYTES_MAX} then report_raw.bytes end as bytes
    from (
      select sha256, octet_length(bytes) as length, row_number() over (order by sha256) as index,
        sum(octet_length(bytes)) over (order by sha256) as total
      from report_raw where tenant_id = ${tenantId} and sha256 > decode(${afterKey}, 'hex')
      order by sha256 limit ${rowsMax}
    ) as slice
    join report_raw on report_raw.tenant_id = ${tenantId} and report_raw.sha256 = slice.sha256
    where index = 1 or total <= ${bytesMax}
    order by slice.sha256`.execute(db)
  const reports: RawReport[] = []
  for (const { sha256, length, bytes } of found.rows) {
    // On one connection.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const whole = bytes ?? (await fetchRawBytes(db, { tenantId, sha256, byteLength: length }))
    // Its bytes were removed meanwhile.
    reports.push({ sha256, bytes: whole ?? Buffer.alloc(0) })
  }
  return reports
}

// Equal bytes of more reports are one mail that was sent again and again.
const REPORTS_MAX = 100

/** Ids of the reports with these bytes. */
export async function listReportsOfBytes(
  db: Db,
  { tenantId }: TenantScope,
  sha256: Buffer,
): Promise<readonly string[]> {
  const found = await sql<{ id: string }>`
    select id::text as id from report
    where tenant_id = ${tenantId} and sha256 = ${sha256} and not is_raw_removed
    order by id limit ${REPORTS_MAX}`.execute(db)
  return found.rows.map(({ id }) => id)
}
