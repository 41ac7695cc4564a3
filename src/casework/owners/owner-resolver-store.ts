// SQL of the settings of tenants' resolvers, their last failure, and the time of the next retry
// (migration 0015).

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { lockTenant } from '../../access/tenant-store.ts'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import {
  claimByTenant,
  type DueRows,
  hasDueRows,
  listDueTenants,
  type TenantPass,
} from '../../kernel/db/due-tenants.ts'
import type { SecretCipher } from '../../kernel/secrets/secret-cipher.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { deleteSecret, findSecret, putSecret } from '../secrets/secret-store.ts'

export interface OwnerResolverSettings {
  readonly url: string
  readonly headerName: string | null
  /** A secret: it is not in the table of the resolver. */
  readonly headerValue: string | null
  readonly timeoutMs: number
  readonly cacheSeconds: number
}

export interface OwnerResolverRecord extends OwnerResolverSettings {
  /** A new id after each change of the settings. */
  readonly generation: string
  readonly updatedAt: Date
  /** The number of failures since the last answer. */
  readonly failures: number
  readonly failedAt: Date | null
  /** One public sentence. */
  readonly failure: string | null
}

const HEADER_SECRET = { owner: 'owner-resolver', name: 'header' } as const

type ResolverRow = Omit<OwnerResolverRecord, 'headerValue'>

const COLUMNS = sql`generation, url, header_name as "headerName", timeout_ms as "timeoutMs",
  cache_seconds as "cacheSeconds", updated_at as "updatedAt", failures, failed_at as "failedAt", failure`

export async function findOwnerResolver(
  db: Db,
  secrets: SecretCipher,
  scope: TenantScope,
): Promise<OwnerResolverRecord | null> {
  const found = await sql<ResolverRow>`
    select ${COLUMNS} from owner_resolver where tenant_id = ${scope.tenantId}`.execute(db)
  const [row] = found.rows
  if (row === undefined) return null
  const headerValue =
    row.headerName === null ? null : await findSecret(db, secrets, scope, HEADER_SECRET)
  return { ...row, headerValue }
}

/**
 * Stores the settings that `decide` makes of the current ones, and clears the failures. Null when
 * there is no such tenant. Errors of `decide` are thrown. `record` is called last.
 */
export async function putOwnerResolver(
  db: Db,
  secrets: SecretCipher,
  scope: TenantScope,
  decide: (current: OwnerResolverRecord | null) => OwnerResolverSettings,
  record: (tx: Tx, before: OwnerResolverRecord | null, after: OwnerResolverRecord) => Promise<void>,
): Promise<OwnerResolverRecord | null> {
  return await inTransaction(db, async (tx) => {
    // The settings and the secret are two rows, so changes of a tenant's resolver wait for each
    // other.
    if ((await lockTenant(tx, scope.tenantId)) === null) return null
    const before = await findOwnerResolver(tx, secrets, scope)
    const wanted = decide(before)
    const { url, headerName, headerValue, timeoutMs, cacheSeconds } = wanted
    if (headerValue === null) await deleteSecret(tx, scope, HEADER_SECRET)
    else await putSecret(tx, secrets, scope, HEADER_SECRET, headerValue)
    const stored = await sql<ResolverRow>`
      insert into owner_resolver (tenant_id, generation, url, header_name, timeout_ms, cache_seconds)
      values (${scope.tenantId}, ${randomUUID()}, ${url}, ${headerName}, ${timeoutMs}, ${cacheSeconds})
      on conflict (tenant_id) do update set generation = excluded.generation, url = excluded.url,
        header_name = excluded.header_name, header_value = null, timeout_ms = excluded.timeout_ms,
        cache_seconds = excluded.cache_seconds, updated_at = excluded.updated_at, failures = 0, failed_at = null, failure = null,
        retry_at = excluded.updated_at, retry_failures = 0, retry_after_id = null
      returning ${COLUMNS}`.execute(tx)
    const [row] = stored.rows
    if (row === undefined) return null
    const after = { ...row, headerValue }
    await record(tx, before, after)
    return after
  })
}

/** The URL of the resolver that was deleted; null when the tenant has none. */
export async function deleteOwnerResolver(
  tx: Tx,
  scope: TenantScope,
): Promise<{ readonly url: string } | null> {
  // As above.
  await lockTenant(tx, scope.tenantId)
  await deleteSecret(tx, scope, HEADER_SECRET)
  const deleted = await sql<{ url: string }>`
    delete from owner_resolver where tenant_id = ${scope.tenantId} returning url`.execute(tx)
  return deleted.rows[0] ?? null
}

/**
 * Encrypts the values that a version before migration 0047 stored in clear. Several nodes may start
 * at once: each row is sealed once.
 */
export async function sealOldHeaderValues(db: Db, secrets: SecretCipher): Promise<void> {
  const open = await sql<TenantScope>`
    select tenant_id as "tenantId" from owner_resolver where header_value is not null`.execute(db)
  for (const scope of open.rows) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    await inTransaction(db, (tx) => sealOldHeaderValue(tx, secrets, scope))
  }
}

async function sealOldHeaderValue(
  tx: Tx,
  secrets: SecretCipher,
  scope: TenantScope,
): Promise<void> {
  const { tenantId } = scope
  const found = await sql<{ headerValue: string }>`
    select header_value as "headerValue" from owner_resolver
    where tenant_id = ${tenantId} and header_value is not null for update`.execute(tx)
  const [row] = found.rows
  if (row === undefined) return
  await putSecret(tx, secrets, scope, HEADER_SECRET, row.headerValue)
  await sql`update owner_resolver set header_value = null where tenant_id = ${tenantId}`.execute(tx)
}

/** `failure` is null when the resolver answered. */
export async function noteResolverOutcome(
  db: Db,
  scope: TenantScope,
  failure: string | null,
): Promise<void> {
  await (failure === null
    ? sql`update owner_resolver set failures = 0 where tenant_id = ${scope.tenantId} and failures > 0`
    : sql`update owner_resolver set failures = failures + 1, failed_at = now(), failure = ${failure}
        where tenant_id = ${scope.tenantId}`
  ).execute(db)
}

const DUE_RETRIES: DueRows = {
  table: 'owner_resolver',
  isDue: sql`retry_at <= now()`,
  since: sql`retry_at`,
}

/** Whether a retry is due (kernel/db/due-poll.ts). */
export const HAS_DUE_RETRIES = hasDueRows(DUE_RETRIES)

export interface ResolverRetry {
  readonly tenantId: string
  readonly failures: number
  /** The last event of the turn before; null when that one came to the end. */
  readonly afterId: string | null
}

/**
 * Claims a tenant whose unanswered events are due for a retry. No other node gets it until the
 * lease has run out.
 */
export async function claimResolverRetry(
  { db, log }: TenantPass,
  leaseSeconds: number,
): Promise<ResolverRetry | null> {
  const tenants = await listDueTenants(db, DUE_RETRIES)
  // Each attempt that finds nothing was lost to another node.
  const [claimed] = await claimByTenant({ tenants, limit: 1, log }, async (tenantId) => {
    const { rows } = await sql<ResolverRetry>`
      update owner_resolver set retry_at = now() + ${leaseSeconds} * interval '1 second'
      where tenant_id = ${tenantId} and retry_at <= now()
      returning tenant_id as "tenantId", retry_failures as failures, retry_after_id as "afterId"`.execute(
      db,
    )
    return rows
  })
  return claimed ?? null
}

export async function scheduleResolverRetry(
  db: Db,
  scope: TenantScope,
  next: Pick<ResolverRetry, 'failures' | 'afterId'> & { readonly afterSeconds: number },
): Promise<void> {
  await sql`
    update owner_resolver set retry_failures = ${next.failures}, retry_after_id = ${next.afterId}::uuid,
      retry_at = now() + ${next.afterSeconds} * interval '1 second'
    where tenant_id = ${scope.tenantId}`.execute(db)
}
