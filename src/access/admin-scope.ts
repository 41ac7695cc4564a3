// Which tenants a caller may administer, and the pages of the lists of the administration.

import { Type } from 'typebox'
import type { CursorPosition, CursorSealer } from '../kernel/http/cursor.ts'
import type { Caller } from '../vocabulary/caller.ts'
import { PAGE_LIMIT_DEFAULT } from '../vocabulary/page-wire.ts'
import { adminCursorNotValid, grantBeyondOwn } from './errors.ts'

/** The tenant that the caller may administer; null, for the operator of the instance, means all. */
export function administeredTenant(caller: Caller): string | null {
  return caller.scopes.has('instance:admin') ? null : caller.tenantId
}

export const TENANT_PARAMETER = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The tenant; that of the caller when left out. Another one needs instance:admin.',
  }),
)

/** The tenant that the request is about. Whether another one exists stays open: 403 before that. */
export function chooseTenant(caller: Caller, asked: string | undefined): string {
  if (asked === undefined || asked === caller.tenantId) return caller.tenantId
  if (!caller.scopes.has('instance:admin')) throw grantBeyondOwn('access to another tenant')
  return asked
}

export interface AdminPage<Row> {
  readonly rows: readonly Row[]
  readonly nextCursor: string
}

/**
 * One page of a list. `load` is asked for one row more than `limit`: the extra row means that there
 * is a next page. Throws `adminCursorNotValid`.
 */
export async function readAdminPage<Row>(
  cursors: CursorSealer,
  binding: readonly string[],
  parameters: { readonly limit?: number; readonly cursor?: string },
  list: {
    readonly load: (after: CursorPosition | null, limit: number) => Promise<readonly Row[]>
    readonly positionOf: (row: Row) => CursorPosition
  },
): Promise<AdminPage<Row>> {
  const limit = parameters.limit ?? PAGE_LIMIT_DEFAULT
  const after = parameters.cursor === undefined ? null : cursors.open(binding, parameters.cursor)
  if (parameters.cursor !== undefined && after === null) throw adminCursorNotValid()
  const found = await list.load(after, limit + 1)
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return {
    rows,
    nextCursor:
      found.length > limit && last !== undefined
        ? cursors.seal(binding, list.positionOf(last))
        : '',
  }
}
