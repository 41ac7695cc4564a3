// SQL of the roles of tenants. Every change raises the serial of the tokens in its own transaction,
// so that nodes see it as they see a changed token, within a second.

import { type Db, seeTables } from '../../kernel/db/database.ts'
import { isScope, type Scope } from '../../vocabulary/scopes.ts'

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
