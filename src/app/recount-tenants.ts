// Recounts the cases of every tenant in the database of a configuration, beside a running server or
// without one: `casework doctor --recount`.

import { type Difference, recountCases } from '../casework/cases/recount/recount-cases.ts'
import { repairCases } from '../casework/cases/recount/repair-cases.ts'
import { REPAIRS } from '../casework/playbooks/runs/run-watchdog.ts'
import {
  listWrongWaits,
  repairWaits,
  type WrongWait,
} from '../casework/playbooks/runs/show-waiting.ts'
import { findStuckTokens, type StuckToken } from '../casework/playbooks/runs/stuck-token-store.ts'
import { systemClock } from '../kernel/clock.ts'
import type { Config } from '../kernel/config.ts'
import { createDatabase, type Db, inTransaction } from '../kernel/db/database.ts'
import type { DatabaseConnection } from '../kernel/db/database-hosts.ts'
import { inTenant } from '../kernel/db/row-scope.ts'
import { createIdSource, type IdSource } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { TenantScope } from '../vocabulary/caller.ts'
import { withDatabase } from './reach-database.ts'

export interface TenantRecount {
  readonly tenantId: string
  readonly cases: number
  readonly differenceCount: number
  /** The first differences. */
  readonly differences: readonly Difference[]
  readonly repaired: number
  /** The first thousand runs and tokens that nothing can wake. */
  readonly stuck: readonly (StuckToken & { readonly repair: string })[]
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
      results.push(await inTenant(scope, () => recountTenant(database.kysely, ids, scope, repair)))
    }
    return results
  } finally {
    await database.close()
  }
}

async function recountTenant(
  db: Db,
  ids: IdSource,
  scope: TenantScope,
  repair: boolean,
): Promise<TenantRecount> {
  const found = await recountCases(db, scope)
  const waits = await listWrongWaits(db, scope)
  const at = new Date(systemClock.nowMs())
  const repaired = repair
    ? (await repairCases(db, ids, scope, found.differences, at)) +
      (await repairAllWaits(db, ids, scope, waits))
    : 0
  return {
    tenantId: scope.tenantId,
    cases: found.cases,
    differenceCount: found.differenceCount + waits.length,
    differences: [...found.differences, ...waits.map(describeWait)].slice(0, DIFFERENCES_MAX),
    repaired,
    stuck: (await listStuck(db, scope)).map((one) => ({ ...one, repair: REPAIRS[one.fault] })),
  }
}

const DIFFERENCES_MAX = 2_000
const STUCK_MAX = 1_000
const RUNS_AT_ONCE = 5_000
const WAITS_AT_ONCE = 100

function describeWait({ caseId, stored, waitsFor }: WrongWait): Difference {
  const detail = `says that its runs wait for ${stored ?? 'nobody'}, and they wait for ${waitsFor ?? 'nobody'}`
  return { caseId, kind: 'waits', detail }
}

async function repairAllWaits(
  db: Db,
  ids: IdSource,
  scope: TenantScope,
  waits: readonly WrongWait[],
): Promise<number> {
  for (let at = 0; at < waits.length; at += WAITS_AT_ONCE) {
    const caseIds = waits.slice(at, at + WAITS_AT_ONCE).map(({ caseId }) => caseId)
    await inTransaction(db, (tx) => repairWaits(tx, { ids, clock: systemClock }, scope, caseIds))
  }
  return waits.length
}

async function listStuck(db: Db, scope: TenantScope): Promise<readonly StuckToken[]> {
  const stuck: StuckToken[] = []
  let after: string | null = null
  // Ends: every page starts after the last run of the page before.
  do {
    const page = await findStuckTokens(db, scope, after, RUNS_AT_ONCE)
    stuck.push(...page.stuck)
    after = page.last
  } while (after !== null && stuck.length < STUCK_MAX)
  return stuck.slice(0, STUCK_MAX)
}
