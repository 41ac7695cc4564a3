// SQL of the addresses to which nothing is sent. The hash of the address is the key: an erasure
// removes the address and leaves the hash, so that its owner still gets no mail.

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { buildPage, type PageRequest } from '../../kernel/db/page-request.ts'
import { writeWords } from '../../kernel/db/write-arrays.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'

export interface Suppression {
  readonly address: string
  readonly cause: 'person' | 'bounce' | 'complaint'
  readonly note: string
  readonly createdAt: Date
  readonly createdBy: string
}

function hashAddress(address: string): Buffer {
  return createHash('sha256').update(address.toLowerCase()).digest()
}

/** Those of the addresses that are on the list. */
export async function findSuppressed(
  db: Db,
  { tenantId }: TenantScope,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  if (addresses.length === 0) return new Set()
  const hashes = new Map(addresses.map((one) => [one, hashAddress(one).toString('hex')]))
  const found = await sql<{ hash: string }>`
    select encode(address_hash, 'hex') as hash from mail_suppression
    where tenant_id = ${tenantId} and address_hash = any(
      array(select decode(one, 'hex') from unnest(${writeWords([...hashes.values()])}::text[]) as one))`.execute(
    db,
  )
  const listed = new Set(found.rows.map(({ hash }) => hash))
  return new Set(addresses.filter((one) => listed.has(hashes.get(one) ?? '')))
}

export async function findSuppression(
  db: Db,
  { tenantId }: TenantScope,
  address: string,
): Promise<Suppression | null> {
  const found = await sql<Suppression>`
    select address, cause, note, created_at as "createdAt", created_by as "createdBy"
    from mail_suppression where tenant_id = ${tenantId} and address_hash = ${hashAddress(address)}`.execute(
    db,
  )
  return found.rows[0] ?? null
}

/** The first entry of an address stays; false when there was one. */
export async function addSuppression(
  db: Db,
  { tenantId }: TenantScope,
  { address, cause, note, createdBy }: Omit<Suppression, 'createdAt'>,
  noticeId: string | null = null,
): Promise<boolean> {
  const added = await sql`
    insert into mail_suppression (tenant_id, address_hash, address, cause, note, notice_id, created_by)
    values (${tenantId}, ${hashAddress(address)}, ${address}, ${cause}, ${note}, ${noticeId}, ${createdBy})
    on conflict (tenant_id, address_hash) do nothing`.execute(db)
  return (added.numAffectedRows ?? 0n) > 0n
}

/** The entry that was removed; null when the address is not on the list. */
export async function removeSuppression(
  db: Db,
  { tenantId }: TenantScope,
  address: string,
): Promise<Suppression | null> {
  const gone = await sql<Suppression>`
    delete from mail_suppression where tenant_id = ${tenantId} and address_hash = ${hashAddress(address)}
    returning address, cause, note, created_at as "createdAt", created_by as "createdBy"`.execute(
    db,
  )
  return gone.rows[0] ?? null
}

export async function listSuppressions(
  db: Db,
  { tenantId }: TenantScope,
  page: PageRequest,
): Promise<readonly (Suppression & { readonly key: string })[]> {
  const keyset = buildPage(
    [
      { name: 'created_at', type: 'timestamptz' },
      { name: 'key', type: 'text' },
    ],
    page,
  )
  const conditions = [sql`true`, ...keyset.conditions]
  const found = await sql<Suppression & { key: string }>`
    select address, cause, note, created_at as "createdAt", created_by as "createdBy", key
    from (select *, encode(address_hash, 'hex') as key from mail_suppression where tenant_id = ${tenantId}) as one
    where ${sql.join(conditions, sql` and `)} ${keyset.orderAndLimit}`.execute(db)
  return found.rows
}
