// The tenants that the demo made. Nothing of them leaves the machine, and the people who administer
// the instance look at them as well.

import { sql } from 'kysely'
import type { Db, Tx } from '../kernel/db/database.ts'
import { DEFAULT_TENANT_ID } from '../vocabulary/caller.ts'

export type IsDemoTenant = (tenantId: string) => Promise<boolean>

// A tenant never becomes one of the demo, nor the other way round; the demo may be removed, and a
// real tenant of the same id made.
const KEPT_MS = 5_000

/** Asks the database seldom: each request that leaves the machine asks this. */
export function createIsDemoTenant(db: Db): IsDemoTenant {
  let known: ReadonlySet<string> = new Set()
  let readAtMs = Number.NEGATIVE_INFINITY
  return async (tenantId) => {
    if (performance.now() - readAtMs > KEPT_MS) {
      // While the database does not answer, what was known holds on.
      known = await listDemoTenants(db).catch(() => known)
      readAtMs = performance.now()
    }
    return known.has(tenantId)
  }
}

async function listDemoTenants(db: Db): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`select id from tenant where is_demo`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * False when the id is taken. Its reports are made up, so they write no sightings for others to
 * see.
 */
export async function insertDemoTenant(tx: Tx, id: string, name: string): Promise<boolean> {
  const made = await sql`insert into tenant (id, name, is_demo, share_sightings, created_at)
    values (${id}, ${name}, true, false, now() - interval '90 days')
    on conflict (id) do nothing`.execute(tx)
  return made.numAffectedRows === 1n
}

/** Deletes the tenants, in which nothing is any more. */
export async function deleteDemoTenants(tx: Tx, tenants: readonly string[]): Promise<void> {
  await sql`delete from tenant where id = any (${[...tenants]}::text[]) and is_demo`.execute(tx)
}

/**
 * Ends the sessions of real people in these tenants. The rows stay, in the tenant `default`, so
 * that all nodes learn it.
 */
export async function endSessionsIn(tx: Tx, tenants: readonly string[]): Promise<void> {
  await sql`with raised as (update api_token_serial set serial = serial + 1 returning serial)
    update user_session set tenant_id = ${DEFAULT_TENANT_ID}, ended_at = coalesce(ended_at, clock.at),
      changed_serial = raised.serial
    from raised, (select now() as at) as clock where tenant_id = any (${[...tenants]}::text[])`.execute(
    tx,
  )
}

/** The people of the demo have acted: nobody signs in as one of them. */
export async function retireUsers(db: Db, ids: readonly string[]): Promise<void> {
  await sql`update user_account set disabled_at = now(), created_at = now() - interval '90 days'
    where id = any (${[...ids]}::text[])`.execute(db)
}

/** Deletes these people but for those whom somebody has invited into a tenant that stays. */
export async function deleteUsers(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`delete from user_account u where u.id = any (${[...ids]}::text[])
    and not exists (select from tenant_user m where m.user_id = u.id)
    and not exists (select from user_session s where s.user_id = u.id)`.execute(tx)
}

// Everything of the tenant, and what is known of addresses. Not instance-admin: who administers the
// instance must still do so when the demo is gone.
const ROLES = ['tenant-admin', 'auditor', 'feeder', 'playbook-author']

/** Makes the person a member of each tenant of the demo. */
export async function joinDemoTenants(
  tx: Tx,
  { userId, name }: { readonly userId: string; readonly name: string },
): Promise<void> {
  await sql`insert into tenant_user (tenant_id, user_id, invited_name, roles, accepted_at)
    select id, ${userId}, ${name}, ${ROLES}, now() from tenant where is_demo
    on conflict (tenant_id, user_id) do nothing`.execute(tx)
}
