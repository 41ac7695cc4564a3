// Claims go by tenant: one statement over all tenants finds those with work due, and each claim
// names one of them. So rows are locked in one tenant at a time, which is what a database that is
// distributed by tenant can do, and a tenant with much work holds up no other.

import { type RawBuilder, sql } from 'kysely'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { Db } from './database.ts'
import { inTenant } from './row-scope.ts'

/** The rows of one queue. */
export interface DueRows {
  readonly table: string
  /** True for rows that are due, such as `state = 'ready' and wake_at <= now()`. */
  readonly isDue: RawBuilder<unknown>
  /** Since when; the tenant with the earliest comes first. */
  readonly since: RawBuilder<unknown>
}

// Tenants that one claim looks at. The one whose oldest row is due longest comes first, so none is
// left out for long.
const TENANTS_MAX = 1_000

/** Whether any tenant has some (due-poll.ts). */
export function hasDueRows({ table, isDue }: DueRows): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from ${sql.table(table)} where ${isDue})`
}

/** Tenants that have some, those that wait longest first. */
export async function listDueTenants(
  db: Db,
  { table, isDue, since }: DueRows,
  limit = TENANTS_MAX,
): Promise<readonly string[]> {
  const found = await sql<{ tenantId: string }>`
    select tenant_id as "tenantId" from ${sql.table(table)} where ${isDue}
    group by tenant_id order by min(${since}), tenant_id limit ${limit}`.execute(db)
  return found.rows.map(({ tenantId }) => tenantId)
}

/** Claims up to `share` rows of one tenant. */
export type ClaimOfTenant<Row> = (tenantId: string, share: number) => Promise<readonly Row[]>

/**
 * Claims up to `limit` rows: of each tenant the same number, until there are enough. `claim` sees
 * the rows of its tenant only.
 */
export async function claimByTenant<Row>(
  tenants: readonly string[],
  limit: number,
  claim: ClaimOfTenant<Row>,
): Promise<readonly Row[]> {
  return (await claimOnce(tenants, limit, claim)).claimed
}

/** The same, and goes on with the tenants that have more until there are enough. */
export async function claimFullByTenant<Row>(
  tenants: readonly string[],
  limit: number,
  claim: ClaimOfTenant<Row>,
): Promise<readonly Row[]> {
  const all: Row[] = []
  for (let left = tenants; left.length > 0 && all.length < limit; ) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const { claimed, withMore } = await claimOnce(left, limit - all.length, claim)
    all.push(...claimed)
    left = withMore
  }
  return all
}

interface Round<Row> {
  readonly claimed: readonly Row[]
  /** Tenants that gave all that they were asked for. */
  readonly withMore: readonly string[]
}

async function claimOnce<Row>(
  tenants: readonly string[],
  limit: number,
  claim: ClaimOfTenant<Row>,
): Promise<Round<Row>> {
  const share = Math.max(1, Math.floor(limit / Math.max(1, tenants.length)))
  const claimed: Row[] = []
  const withMore: string[] = []
  for (const tenantId of tenants) {
    if (claimed.length >= limit) break
    const room = Math.min(share, limit - claimed.length)
    // oxlint-disable-next-line eslint/no-await-in-loop
    const rows = await inTenant({ tenantId }, () => claim(tenantId, room))
    claimed.push(...rows)
    if (rows.length >= room) withMore.push(tenantId)
  }
  return { claimed, withMore }
}

/**
 * For statements that lock rows which are known: tenant after tenant in the order of their ids, so
 * that all transactions lock in the same order. `work` sees the rows of its tenant only.
 */
export async function forEachTenant<Key extends TenantScope>(
  keys: readonly Key[],
  work: (tenantId: string, own: readonly Key[]) => Promise<void>,
): Promise<void> {
  const byTenant = Map.groupBy(keys, ({ tenantId }) => tenantId)
  for (const tenantId of [...byTenant.keys()].toSorted()) {
    const own = byTenant.get(tenantId) ?? []
    // oxlint-disable-next-line eslint/no-await-in-loop
    await inTenant({ tenantId }, () => work(tenantId, own))
  }
}

/** The same, with what `work` finds of each tenant. */
export async function collectByTenant<Key extends TenantScope, Row>(
  keys: readonly Key[],
  work: (tenantId: string, own: readonly Key[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const found: Row[] = []
  await forEachTenant(keys, async (tenantId, own) => {
    found.push(...(await work(tenantId, own)))
  })
  return found
}

/**
 * Removes or changes up to `limit` rows of each tenant that has some, one tenant after the other.
 * `work` returns how many it found. True when a tenant may have more.
 */
export async function workByTenant(
  db: Db,
  rows: DueRows,
  limit: number,
  work: (tenantId: string, limit: number) => Promise<number>,
): Promise<{ readonly isMore: boolean }> {
  const tenants = await listDueTenants(db, rows)
  let isMore = tenants.length === TENANTS_MAX
  for (const tenantId of tenants) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const count = await inTenant({ tenantId }, () => work(tenantId, limit))
    if (count >= limit) isMore = true
  }
  return { isMore }
}

export interface TenantTurns {
  /** As claimByTenant, of the tenants that have some now, or had some a moment ago. */
  readonly claim: <Row>(db: Db, limit: number, claim: ClaimOfTenant<Row>) => Promise<readonly Row[]>
}

// A list of tenants is used for ten times as long as it took to make it. With a long backlog, each
// claim would otherwise read all of it to find the tenants; with a short one this is no time.
const USED_FOR = 10

/** For the claims of one process on one queue. */
export function createTenantTurns(rows: DueRows): TenantTurns {
  let known: readonly string[] = []
  let usedUntilMs = 0
  const ask = async (db: Db): Promise<void> => {
    const startedMs = performance.now()
    known = await listDueTenants(db, rows)
    const nowMs = performance.now()
    usedUntilMs = nowMs + (nowMs - startedMs) * USED_FOR
  }
  return {
    async claim<Row>(db: Db, limit: number, claim: ClaimOfTenant<Row>) {
      const isKnown = known.length > 0 && performance.now() < usedUntilMs
      if (!isKnown) await ask(db)
      const claimed = await claimByTenant(known, limit, claim)
      if (claimed.length > 0 || !isKnown) return claimed
      await ask(db)
      return await claimByTenant(known, limit, claim)
    },
  }
}
