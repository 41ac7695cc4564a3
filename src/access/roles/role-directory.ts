// The roles of all tenants in the memory of a process, kept fresh with its tokens.

import type { Db } from '../../kernel/db/database.ts'
import { isRoleName, ROLE_SCOPES, type Scope } from '../../vocabulary/scopes.ts'
import { listRolesChangedSince } from './role-store.ts'

export interface RoleDirectory {
  /** Grows with every change. */
  readonly changes: () => number
  /** Reads the roles that changed after that serial of the tokens. */
  readonly load: (db: Db, serial: number) => Promise<void>
  /** The scopes of these roles of a tenant. An unknown name grants nothing. */
  readonly scopesOf: (tenantId: string, names: readonly string[]) => readonly Scope[]
}

export function createRoleDirectory(): RoleDirectory {
  // A deleted role stays until it is made again: no token and no person names it.
  const scopesByKey = new Map<string, readonly Scope[]>()
  let changes = 0
  return {
    changes: () => changes,
    async load(db, serial) {
      const changed = await listRolesChangedSince(db, serial)
      if (changed.length === 0) return
      for (const { tenantId, name, scopes } of changed) {
        scopesByKey.set(keyOf(tenantId, name), scopes)
      }
      changes += 1
    },
    scopesOf: (tenantId, names) =>
      names.flatMap((name) =>
        isRoleName(name) ? ROLE_SCOPES[name] : (scopesByKey.get(keyOf(tenantId, name)) ?? []),
      ),
  }
}

/** All scopes of a token, its own and those of its roles. */
export function listGranted(
  token: {
    readonly tenantId: string
    readonly scopes: readonly Scope[]
    readonly roles: readonly string[]
  },
  scopesOf: RoleDirectory['scopesOf'],
): readonly Scope[] {
  return [...new Set([...scopesOf(token.tenantId, token.roles), ...token.scopes])]
}

// Neither part can have a space.
function keyOf(tenantId: string, name: string): string {
  return `${tenantId} ${name}`
}
