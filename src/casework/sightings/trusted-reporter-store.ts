// SQL of the reporters that a tenant trusts.

import { sql } from 'kysely'
import { type Db, type Tx } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'

// Far more than one desk knows; it bounds the list in the worker's memory.
export const TRUSTED_REPORTERS_MAX = 1_000

export interface TrustedReporterRecord {
  /** An address or a domain, in lower case. */
  readonly reporter: string
  readonly note: string | null
  readonly createdAt: Date
  readonly createdBy: string
}

export async function listTrustedReporters(
  db: Db,
  { tenantId }: TenantScope,
): Promise<readonly string[]> {
  const found = await sql<{ reporter: string }>`
    select reporter from trusted_reporter where tenant_id = ${tenantId}
    limit ${TRUSTED_REPORTERS_MAX}`.execute(db)
  return found.rows.map(({ reporter }) => reporter)
}

/** At most `limit` in their order, after `after` (null: from the start). */
export async function listTrustedReporterRecords(
  db: Db,
  { tenantId }: TenantScope,
  after: string | null,
  limit: number,
): Promise<readonly TrustedReporterRecord[]> {
  const found = await sql<TrustedReporterRecord>`
    select reporter, note, created_at as "createdAt", created_by as "createdBy" from trusted_reporter
    where tenant_id = ${tenantId} and reporter > ${after ?? ''} collate "C"
    order by reporter limit ${limit}`.execute(db)
  return found.rows
}

/** Null when it is not listed. No other transaction changes it before this one ends. */
export async function lockTrustedReporter(
  tx: Tx,
  { tenantId }: TenantScope,
  reporter: string,
): Promise<TrustedReporterRecord | null> {
  const found = await sql<TrustedReporterRecord>`
    select reporter, note, created_at as "createdAt", created_by as "createdBy" from trusted_reporter
    where tenant_id = ${tenantId} and reporter = ${reporter} for update`.execute(tx)
  return found.rows[0] ?? null
}

/** Null when there are too many. A known reporter gets the new note. */
export async function putTrustedReporter(
  tx: Tx,
  { tenantId }: TenantScope,
  { reporter, note, createdAt, createdBy }: TrustedReporterRecord,
): Promise<TrustedReporterRecord | null> {
  const done = await sql<TrustedReporterRecord>`
    insert into trusted_reporter (tenant_id, reporter, note, created_at, created_by)
    select ${tenantId}, ${reporter}, ${note}, ${createdAt}, ${createdBy}
    where (select count(*) from trusted_reporter where tenant_id = ${tenantId}) < ${TRUSTED_REPORTERS_MAX}
      or exists (select from trusted_reporter where tenant_id = ${tenantId} and reporter = ${reporter})
    on conflict (tenant_id, reporter) do update set note = excluded.note
    returning reporter, note, created_at as "createdAt", created_by as "createdBy"`.execute(tx)
  return done.rows[0] ?? null
}

export async function deleteTrustedReporter(
  tx: Tx,
  { tenantId }: TenantScope,
  reporter: string,
): Promise<void> {
  await sql`
    delete from trusted_reporter where tenant_id = ${tenantId} and reporter = ${reporter}`.execute(
    tx,
  )
}
