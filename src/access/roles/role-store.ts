// SQL of the roles of tenants. A new and a changed role raise the serial of the tokens in their own
// transaction, so that nodes see it as they see a changed token, within a second.

import { sql } from 'kysely'
import { type Db, seeTables, type Tx } from '../../kernel/db/database.ts'
import { isScope, type Scope } from '../../vocabulary/scopes.ts'
import { raiseTokenSerial } from '../api-token-store.ts'

interface RoleTables {
  role: {
    tenant_id: string
    name: string
    description: string
    scopes: string[]
    created_at: Date
    changed_at: Date
    changed_serial: number
  }
}

export interface RoleRecord {
  readonly tenantId: string
  readonly name: string
  readonly description: string
  readonly scopes: readonly Scope[]
  readonly createdAt: Date
  readonly changedAt: Date
}

/** A node holds them all in memory: all of 1,000 tenants that have as many as they may. */
const HELD_ROLES_MAX = 100_000

/** The roles of all tenants that changed after that serial. */
export async function listRolesChangedSince(
  db: Db,
  serial: number,
): Promise<readonly RoleRecord[]> {
  const rows = await seeTables<RoleTables>(db)
    .selectFrom('role')
    .selectAll()
    .where('changed_serial', '>', serial)
    .limit(HELD_ROLES_MAX)
    .execute()
  return rows.map(readRole)
}

/**
 * Roles of a tenant by name, at most `limit`. With `keep` none is changed or deleted before the
 * transaction ends.
 */
export async function listRoles(
  db: Db,
  tenantId: string,
  limit: number,
  use: 'read' | 'keep' = 'read',
): Promise<readonly RoleRecord[]> {
  const query = seeTables<RoleTables>(db)
    .selectFrom('role')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('name')
    .limit(limit)
  const rows = await (use === 'keep' ? query.forKeyShare() : query).execute()
  return rows.map(readRole)
}

export async function findRole(db: Db, tenantId: string, name: string): Promise<RoleRecord | null> {
  const row = await seeTables<RoleTables>(db)
    .selectFrom('role')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('name', '=', name)
    .executeTakeFirst()
  return row === undefined ? null : readRole(row)
}

/** The role, which no other transaction changes or deletes before this one ends. */
export async function lockRole(tx: Tx, tenantId: string, name: string): Promise<RoleRecord | null> {
  const row = await seeTables<RoleTables>(tx)
    .selectFrom('role')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? null : readRole(row)
}

interface NewRole {
  readonly tenantId: string
  readonly name: string
  readonly description: string
  readonly scopes: readonly Scope[]
}

/**
 * `taken`: the tenant has a role of this name. `full`: it has `max` roles. The row of the serial is
 * locked before they are counted, so two calls at once cannot pass the bound.
 */
export async function insertRole(
  tx: Tx,
  role: NewRole,
  max: number,
): Promise<RoleRecord | 'taken' | 'full'> {
  const serial = await raiseTokenSerial(tx)
  if ((await listRoles(tx, role.tenantId, max)).length >= max) return 'full'
  const row = await seeTables<RoleTables>(tx)
    .insertInto('role')
    .values({
      tenant_id: role.tenantId,
      name: role.name,
      description: role.description,
      scopes: [...role.scopes],
      created_at: sql<Date>`now()`,
      changed_at: sql<Date>`now()`,
      changed_serial: serial,
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? 'taken' : readRole(row)
}

/** The role as it is afterwards. */
export async function updateRole(
  tx: Tx,
  role: Pick<NewRole, 'tenantId' | 'name'>,
  change: Pick<NewRole, 'description' | 'scopes'>,
): Promise<RoleRecord> {
  const serial = await raiseTokenSerial(tx)
  const row = await seeTables<RoleTables>(tx)
    .updateTable('role')
    .set({
      description: change.description,
      scopes: [...change.scopes],
      changed_at: sql<Date>`now()`,
      changed_serial: serial,
    })
    .where('tenant_id', '=', role.tenantId)
    .where('name', '=', role.name)
    .returningAll()
    .executeTakeFirstOrThrow()
  return readRole(row)
}

/** Only for a role that nothing names: nodes keep its scopes, and are not told. */
export async function deleteRole(tx: Tx, tenantId: string, name: string): Promise<void> {
  await seeTables<RoleTables>(tx)
    .deleteFrom('role')
    .where('tenant_id', '=', tenantId)
    .where('name', '=', name)
    .execute()
}

function readRole(row: RoleTables['role']): RoleRecord {
  return {
    tenantId: row.tenant_id,
    name: row.name,
    description: row.description,
    // A scope that a newer program wrote is unknown here and grants nothing.
    scopes: row.scopes.filter(isScope),
    createdAt: row.created_at,
    changedAt: row.changed_at,
  }
}
