// SQL of the tenants that have due tokens: workers take the same number of each, so that a tenant
// with very many holds up no other.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'

/** Tokens in the words of a partial index by tenant and time (migrations 0064 and 0065). */
export interface TokenIndex {
  readonly rows: RawBuilder<unknown>
  readonly time: RawBuilder<unknown>
}

// Tenants with such tokens that one claim looks at. Each costs some 10 µs, and the one whose oldest
// token is due longest comes first, so none is left out for long.
const TENANTS_MAX = 1_000

/** Tenants with due tokens, those that are due longest first: one look into the index for each. */
export async function listDueTenants(
  db: Db,
  { rows, time }: TokenIndex,
  limit: number,
): Promise<readonly string[]> {
  const found = await sql<{ tenantId: string }>`
    with recursive ${firstOfTenants({ rows, time })}
    select tenant_id as "tenantId" from head where due_at <= now() order by due_at limit ${limit}`.execute(
    db,
  )
  return found.rows.map(({ tenantId }) => tenantId)
}

/** Whether any tenant has some (kernel/db/due-poll.ts). */
export function hasDueTokens(index: TokenIndex): RawBuilder<boolean> {
  return sql<boolean>`exists (
    with recursive ${firstOfTenants(index)} select from head where due_at <= now()
  )`
}

function firstOfTenants({ rows, time }: TokenIndex): RawBuilder<unknown> {
  return sql`head as (
      (
        select tenant_id, ${time} as due_at, 1 as nth from run_token where ${rows}
        order by tenant_id, ${time} limit 1
      )
      union all
      select next.tenant_id, next.due_at, head.nth + 1 from head cross join lateral (
        select tenant_id, ${time} as due_at from run_token
        where ${rows} and run_token.tenant_id > head.tenant_id
        order by tenant_id, ${time} limit 1
      ) as next
      where head.nth < ${sql.lit(TENANTS_MAX)}
    )`
}
