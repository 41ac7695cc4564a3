// Claims go by tenant: one statement over all tenants finds those with work due, and each claim
// names one of them. So rows are locked in one tenant at a time, which is what a database that is
// distributed by tenant can do, and a tenant with much work holds up no other.

import { type RawBuilder, sql } from 'kysely'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { Log } from '../log.ts'
import type { Db, Tx } from './database.ts'
import { workOrPassOver } from './pass-over-tenant.ts'
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

/**
 * Claims up to `share` rows of one tenant, in a statement or transaction of its own: when it fails,
 * the failure is logged, and the claim goes on with the other tenants (pass-over-tenant.ts).
 */
export type ClaimOfTenant<Row> = (tenantId: string, share: number) => Promise<readonly Row[]>

export interface ClaimRequest {
  readonly tenants: readonly string[]
  /** Rows of all tenants together. */
  readonly limit: number
  readonly log: Log
}

/**
 * Claims up to `limit` rows: of each tenant the same number, until there are enough. `claim` sees
 * the rows of its tenant only.
 */
export async function claimByTenant<Row>(
  request: ClaimRequest,
  claim: ClaimOfTenant<Row>,
): Promise<readonly Row[]> {
  return (await claimOnce(request, claim)).claimed
}

/** The same, and goes on with the tenants that have more until there are enough. */
export async function claimFullByTenant<Row>(
  { tenants, limit, log }: ClaimRequest,
  claim: ClaimOfTenant<Row>,
): Promise<readonly Row[]> {
  const all: Row[] = []
  for (let left = tenants; left.length > 0 && all.length < limit; ) {
    const request = { tenants: left, limit: limit - all.length, log }
    // oxlint-disable-next-line eslint/no-await-in-loop
    const { claimed, withMore } = await claimOnce(request, claim)
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
  { tenants, limit, log }: ClaimRequest,
  claim: ClaimOfTenant<Row>,
): Promise<Round<Row>> {
  const share = Math.max(1, Math.floor(limit / Math.max(1, tenants.length)))
  const claimed: Row[] = []
  const withMore: string[] = []
  for (const tenantId of tenants) {
    if (claimed.length >= limit) break
    const room = Math.min(share, limit - claimed.length)
    // oxlint-disable-next-line eslint/no-await-in-loop
    const rows = await claimOf(log, tenantId, () => claim(tenantId, room))
    claimed.push(...rows)
    if (rows.length >= room) withMore.push(tenantId)
  }
  return { claimed, withMore }
}

async function claimOf<Row>(
  log: Log,
  tenantId: string,
  claim: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  // Throws when no tenant can be worked for. The leases of what was claimed run out.
  const message = 'The due work of a tenant could not be claimed'
  return (await workOrPassOver(log, { tenantId }, message, claim)) ?? []
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

/**
 * The same outside of a transaction: the failure of a tenant is logged, and the others follow, so
 * that they keep their leases.
 */
export async function renewByTenant<Key extends TenantScope>(
  log: Log,
  keys: readonly Key[],
  work: (tenantId: string, own: readonly Key[]) => Promise<void>,
): Promise<void> {
  await forEachTenant(keys, async (tenantId, own) => {
    const message = 'Leases of a tenant could not be renewed'
    await workOrPassOver(log, { tenantId }, message, () => work(tenantId, own))
  })
}

/** As forEachTenant, with what `work` finds of each tenant. */
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

/** What a pass over tenants needs. */
export interface TenantPass {
  readonly db: Db
  readonly log: Log
}

/** Works on up to `limit` rows of one tenant. Returns how many it found. */
export type WorkOfTenant = (tenantId: string, limit: number) => Promise<number>

interface Worked {
  /** A tenant may have more. */
  readonly isMore: boolean
}

/**
 * Removes or changes up to `limit` rows of each tenant that has some, one tenant after the other,
 * each in statements or a transaction of its own. The failure of one is logged, and the others
 * follow; the next pass tries it again.
 */
export async function workByTenant(
  { db, log }: TenantPass,
  rows: DueRows,
  limit: number,
  work: WorkOfTenant,
): Promise<Worked> {
  return await workInTurn(db, rows, limit, async (tenantId) => {
    const message = `Rows of a tenant that are due in ${rows.table} could not be worked on`
    return (await workOrPassOver(log, { tenantId }, message, () => work(tenantId, limit))) ?? 0
  })
}

/** The same in one transaction, which the failure of one tenant ends for all. */
export async function workByTenantInOne(
  tx: Tx,
  rows: DueRows,
  limit: number,
  work: WorkOfTenant,
): Promise<Worked> {
  return await workInTurn(tx, rows, limit, work)
}

async function workInTurn(
  db: Db,
  rows: DueRows,
  limit: number,
  work: WorkOfTenant,
): Promise<Worked> {
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
export function createTenantTurns(rows: DueRows, log: Log): TenantTurns {
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
      const claimed = await claimByTenant({ tenants: known, limit, log }, claim)
      if (claimed.length > 0 || !isKnown) return claimed
      await ask(db)
      return await claimByTenant({ tenants: known, limit, log }, claim)
    },
  }
}
