// Whether nodes may ask other systems if what was reported is still there.

import { sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'

/** The tenant setting verify_targets; false when left out. */
export async function mayVerifyTargets(db: Db, { tenantId }: TenantScope): Promise<boolean> {
  const found = await sql<{ isOn: boolean }>`
    select coalesce((settings ->> 'verify_targets')::boolean, false) as "isOn"
    from tenant where id = ${tenantId}`.execute(db)
  return found.rows[0]?.isOn ?? false
}
