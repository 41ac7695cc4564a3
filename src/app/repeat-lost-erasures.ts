// Repeats erasures that a restored database does not know: they are in the log of erasures
// (casework/privacy/erasure/erasure-log.ts). For `casework restore`, and for `casework privacy
// erase-again` after a restore by other means.

import type { ClientBase } from 'pg'
import { nameErasureKey } from '../casework/privacy/erasure/erased-address.ts'
import { type LoggedErasure, readErasureLog } from '../casework/privacy/erasure/erasure-log.ts'
import {
  type ErasureRecord,
  insertRepeat,
  listKnownErasures,
  type TenantErasure,
} from '../casework/privacy/erasure/erasure-store.ts'
import { openRawSearcher } from '../casework/privacy/erasure/raw-searcher.ts'
import { continueRepeats, repeatErasures } from '../casework/privacy/erasure/repeat-erasures.ts'
import type { Config } from '../kernel/config.ts'
import { createDatabase } from '../kernel/db/database.ts'
import type { DatabaseConnection } from '../kernel/db/database-hosts.ts'
import { inInstance } from '../kernel/db/instance-acts.ts'
import { createIdSource } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { noErasureLog } from './errors.ts'
import { withDatabase } from './reach-database.ts'

export interface PlannedErasures {
  /** Erasures in the log that the database does not know; each is repeated. */
  readonly missing: number
  /** Erasures of another instance. Its key differs, so no address can be found with them. */
  readonly foreign: number
  /** Erasures that the database knows of already. */
  readonly known: number
}

/** Adds the missing erasures to the database, unfinished; `finishErasures` carries them out. */
export async function planErasures(
  client: ClientBase,
  logged: readonly LoggedErasure[],
): Promise<PlannedErasures> {
  const keys = await client.query<{ secret: Buffer }>('select secret from cursor_key where id = 1')
  const secret = keys.rows[0]?.secret
  const own = secret === undefined ? [] : logged.filter(({ key }) => key === nameErasureKey(secret))
  const tenants = await client.query<{ id: string }>('select id from tenant')
  const knownIds = await listKnownErasures(client)
  const ids = createIdSource()
  let missing = 0
  for (const { id: tenantId } of tenants.rows) {
    const former = own.filter((one) => one.tenantId === tenantId && !knownIds.has(one.id))
    if (secret === undefined || former.length === 0) continue
    missing += former.length
    const { replacedBy, subjects, repeats } = repeatErasures(former, { tenantId }, secret)
    const request = { replacedBy, subjects, repeats, requestedBy: 'restore' }
    await insertRepeat(client, { tenantId }, ids.nextUuid(), request)
  }
  return { missing, foreign: logged.length - own.length, known: knownIds.size }
}

export interface RepeatedErasures {
  readonly addresses: number
  /** Rows by table. */
  readonly changed: ErasureRecord['changed']
  readonly onLegalHold: ErasureRecord['onLegalHold']
  /** Ids of reports whose bytes could not be searched. */
  readonly unsearched: readonly string[]
}

// One erasure for each tenant.
const ERASURES_MAX = 10_000
// Longer than any erasure takes. After an interrupted restore, the next start finishes the
// erasures.
const BUDGET_MS = 24 * 60 * 60 * 1_000

/** Carries out the planned erasures. */
export async function finishErasures(
  connection: DatabaseConnection,
  log: Log,
): Promise<RepeatedErasures> {
  const database = createDatabase({ connection, poolMax: 2, log })
  const rawSearcher = openRawSearcher({ log })
  try {
    const limits = { erasuresMax: ERASURES_MAX, budgetMs: BUDGET_MS }
    const deps = { db: database.kysely, log, ids: createIdSource(), rawSearcher }
    const { done } = await continueRepeats(deps, limits)
    return sumUp(done)
  } finally {
    await rawSearcher.close()
    await database.close()
  }
}

function sumUp(done: readonly TenantErasure[]): RepeatedErasures {
  return {
    addresses: done.reduce((sum, { subjects }) => sum + subjects.length, 0),
    changed: addUp(done.map((one) => one.changed)),
    onLegalHold: addUp(done.map((one) => one.onLegalHold)),
    unsearched: done.flatMap((one) => one.unsearched),
  }
}

function addUp(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum: Record<string, number> = {}
  for (const [name, count] of counts.flatMap((one) => Object.entries(one))) {
    sum[name] = (sum[name] ?? 0) + count
  }
  return sum
}

/**
 * Repeats the erasures of a log that the database of this configuration does not know, beside a
 * running server or without one. Throws APP_NO_ERASURE_LOG when there is no such file.
 */
export async function eraseAgain(
  config: Config,
  log: Log,
  file: string,
): Promise<PlannedErasures & RepeatedErasures> {
  const logged = await readErasureLog(file)
  if (logged === null) throw noErasureLog(file)
  return await withDatabase(config, log, (connection) => planAndFinish(connection, log, logged))
}

async function planAndFinish(
  connection: DatabaseConnection,
  log: Log,
  logged: readonly LoggedErasure[],
): Promise<PlannedErasures & RepeatedErasures> {
  const database = createDatabase({ connection, poolMax: 1, log })
  try {
    const client = await database.pool.connect()
    try {
      const planned = await inInstance('repeat erasures', async () => {
        await client.query('begin')
        const found = await planErasures(client, logged)
        await client.query('commit')
        return found
      })
      return { ...planned, ...(await finishErasures(connection, log)) }
    } finally {
      client.release()
    }
  } finally {
    await database.close()
  }
}
