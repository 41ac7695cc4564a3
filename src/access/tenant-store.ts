// SQL of tenants.

import { type Generated, type Selectable, sql } from 'kysely'
import { type Db, inTransaction, seeTables, type Tx } from '../kernel/db/database.ts'
import type { TenantSettings } from './tenant-wire.ts'

interface TenantTables {
  tenant: {
    id: string
    name: string
    settings: TenantSettings
    created_at: Date
    share_sightings: Generated<boolean | null>
    share_sightings_origin: Generated<SharingOrigin>
  }
}

type SharingOrigin = 'default' | 'person'

export interface TenantRecord {
  readonly id: string
  readonly name: string
  readonly settings: TenantSettings
  /** Whether its reports write sightings, and who decided. */
  readonly sharing: { readonly isOn: boolean; readonly origin: SharingOrigin }
  readonly createdAt: Date
}

/** Tenants by id, those after `afterId` (null: from the start), at most `limit`. */
export async function listTenants(
  db: Db,
  afterId: string | null,
  limit: number,
): Promise<readonly TenantRecord[]> {
  let query = seeTables<TenantTables>(db)
    .selectFrom('tenant')
    .selectAll()
    .orderBy('id')
    .limit(limit)
  if (afterId !== null) query = query.where('id', '>', afterId)
  const rows = await query.execute()
  return rows.map(readTenant)
}

/** The new tenant, or null when the id is taken. */
export async function insertTenant(db: Db, id: string, name: string): Promise<TenantRecord | null> {
  return await inTransaction(db, async (tx) => {
    const tenant = await insertRow(tx, id, name)
    // Look-ups of a second tenant would show what is reported to the first.
    if (tenant !== null) await switchSharingOff(tx, { isAllowed: false })
    return tenant
  })
}

async function insertRow(tx: Tx, id: string, name: string): Promise<TenantRecord | null> {
  const row = await seeTables<TenantTables>(tx)
    .insertInto('tenant')
    .values({
      id,
      name,
      settings: sql<TenantSettings>`'{}'::jsonb`,
      created_at: sql<Date>`now()`,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : readTenant(row)
}

export async function findTenant(db: Db, id: string): Promise<TenantRecord | null> {
  const row = await seeTables<TenantTables>(db)
    .selectFrom('tenant')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : readTenant(row)
}

/** The tenant, which no other transaction changes before this one ends. */
export async function lockTenant(tx: Tx, id: string): Promise<TenantRecord | null> {
  const row = await seeTables<TenantTables>(tx)
    .selectFrom('tenant')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row === undefined ? null : readTenant(row)
}

export interface TenantPatch {
  /** Null leaves it. */
  readonly name: string | null
  /** Those that are named are set; null takes one away. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Undefined leaves it; null goes back to the default. */
  readonly shareSightings?: boolean | null | undefined
}

/** The tenant as it is afterwards, or null when there is none. */
export async function updateTenant(
  db: Db,
  id: string,
  patch: TenantPatch,
  sharing: SharingDefault,
): Promise<TenantRecord | null> {
  const { shareSightings } = patch
  const share =
    shareSightings === undefined
      ? sql``
      : sql`, share_sightings = coalesce(${shareSightings}::boolean, ${isSharedByDefault(sharing)}),
        share_sightings_origin = ${shareSightings === null ? 'default' : 'person'}`
  const changed = await sql<Selectable<TenantTables['tenant']>>`
    update tenant set name = coalesce(${patch.name}, name),
      settings = jsonb_strip_nulls(settings || ${JSON.stringify(patch.settings)}::jsonb) ${share}
    where id = ${id} returning *`.execute(db)
  const row = changed.rows[0]
  return row === undefined ? null : readTenant(row)
}

/** `isAllowed`: look-ups need a token or are bound to loopback. */
export interface SharingDefault {
  readonly isAllowed: boolean
}

function isSharedByDefault({ isAllowed }: SharingDefault) {
  // Tenants of the demo do not count: nobody works there who could see the sightings of another.
  return sql`(${isAllowed}::boolean and (select count(*) from tenant where not is_demo) = 1)`
}

/** Writes down the default of tenants that have no value yet. */
export async function decideSharing(db: Db, sharing: SharingDefault): Promise<void> {
  await sql`update tenant set share_sightings = ${isSharedByDefault(sharing)}
    where share_sightings is null`.execute(db)
}

/**
 * Switches sharing off where it is on by default and no longer may be. It stays off: only a person
 * switches it on again. Returns the tenants that are switched off.
 */
export async function switchSharingOff(
  db: Db,
  sharing: SharingDefault,
): Promise<readonly string[]> {
  const off = await sql<{ id: string }>`update tenant set share_sightings = false
    where share_sightings and share_sightings_origin = 'default' and not ${isSharedByDefault(sharing)}
    returning id`.execute(db)
  return off.rows.map(({ id }) => id)
}

/**
 * Whether the tenant requires a second factor; false when there is no such tenant. Its row stays
 * locked, so that no session is opened beside a change of the setting.
 */
export async function requiresFactor(tx: Tx, tenantId: string): Promise<boolean> {
  const { rows } = await sql<{ isRequired: boolean }>`
    select coalesce((settings ->> 'second_factor_required')::boolean, false) as "isRequired"
    from tenant where id = ${tenantId} for no key update`.execute(tx)
  return rows[0]?.isRequired === true
}

/** Whether a tenant that the person works for requires a second factor. */
export async function hasRequiringTenant(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql<{ isRequired: boolean }>`
    select exists (select from tenant_user m join tenant t on t.id = m.tenant_id
      where m.user_id = ${userId} and m.accepted_at is not null
        and (t.settings ->> 'second_factor_required')::boolean) as "isRequired"`.execute(db)
  return rows[0]?.isRequired === true
}

function readTenant(row: Selectable<TenantTables['tenant']>): TenantRecord {
  const { id, name, settings, created_at: createdAt, share_sightings_origin: origin } = row
  return { id, name, settings, createdAt, sharing: { isOn: row.share_sightings === true, origin } }
}
