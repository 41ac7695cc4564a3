// Recounts the cases of every tenant in the database of a configuration, beside a running server or
// without one: `casework doctor --recount`.

import { type Difference, recountCases } from '../casework/cases/recount/recount-cases.ts'
import { repairCases } from '../casework/cases/recount/repair-cases.ts'
import { systemClock } from '../kernel/clock.ts'
import type { Config } from '../kernel/config.ts'
import { createDatabase } from '../kernel/db/database.ts'
import type { DatabaseConnection } from '../kernel/db/database-hosts.ts'
import { createIdSource } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { withDatabase } from './reach-database.ts'

export interface TenantRecount {
  readonly tenantId: string
  readonly cases: number
  readonly differenceCount: number
  /** The first thousand differences. */
  readonly differences: readonly Difference[]
  readonly repaired: number
}

/** One result for each tenant. Throws APP_NO_DATA when there is no database. */
export async function recountDatabase(
  config: Config,
  log: Log,
  { repair }: { readonly repair: boolean },
): Promise<readonly TenantRecount[]> {
  return await withDatabase(config, log, (connection) => recountAll(connection, log, repair))
}

// Tenants of one instance, far above real numbers; each is one row in memory.
const TENANTS_MAX = 10_000

async function recountAll(
  connection: DatabaseConnection,
  log: Log,
  repair: boolean,
): Promise<readonly TenantRecount[]> {
  const database = createDatabase({ connection, poolMax: 2, log })
  const ids = createIdSource()
  try {
    const tenants = await database.pool.query<{ id: string }>(
      'select id from tenant order by id limit $1',
      [TENANTS_MAX],
    )
    const results: TenantRecount[] = []
    for (const { id: tenantId } of tenants.rows) {
      const scope = { tenantId }
      const found = await recountCases(database.kysely, scope)
      const at = new Date(systemClock.nowMs())
      const repaired = repair
        ? await repairCases(database.kysely, ids, scope, found.differences, at)
        : 0
      results.push({ tenantId, ...found, repaired })
    }
    return results
  } finally {
    await database.close()
  }
}
