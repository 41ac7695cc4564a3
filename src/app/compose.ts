// Opens and closes all services of one process or HTTP thread: database, tokens, intel, casework.

import { join } from 'node:path'
import { createAuditLog } from '../access/audit/audit-log.ts'
import { createEntryCounter } from '../access/audit/audit-metrics.ts'
import { openTokenDirectory, type TokenDirectory } from '../access/token-directory.ts'
import { type Clock, systemClock } from '../kernel/clock.ts'
import type { Config } from '../kernel/config.ts'
import { createDatabase, type DatabaseCondition } from '../kernel/db/database.ts'
import type { DatabaseConnection } from '../kernel/db/database-hosts.ts'
import { checkRole } from '../kernel/db/database-role.ts'
import { createPoolMetrics } from '../kernel/db/pool-metrics.ts'
import { createIdSource } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { openMetrics } from '../kernel/metrics.ts'
import { createRefusalMetrics } from '../kernel/outbound/refusal-metrics.ts'
import { createReadiness, type ReadinessFinding } from '../kernel/readiness.ts'
import { createSecretCipher } from '../kernel/secrets/secret-cipher.ts'
import { loadSecretKeys } from '../kernel/secrets/secret-keys.ts'
import { findPackageRoot } from '../values/resources.ts'
import type { Foundation } from './foundation.ts'
import { type Casework, openCasework } from './open-casework.ts'
import { type Intel, type IntelFeed, openIntel } from './open-intel.ts'
import { openSignIn, type SignIn } from './open-sign-in.ts'
import { addOperationChecks } from './operation-checks.ts'
import { openSharing } from './share-sightings.ts'

export interface Services {
  readonly foundation: Foundation
  /** The API tokens of this process, for authentication. */
  readonly tokens: TokenDirectory
  readonly signIn: SignIn
  readonly intel: Intel
  readonly casework: Casework
  /** The text of GET /metrics for all threads of this process. */
  readonly collectMetrics: () => Promise<string>
  readonly close: () => Promise<void>
}

export interface ComposeOptions {
  readonly config: Config
  readonly connection: DatabaseConnection
  readonly log: Log
  readonly clock?: Clock
  /** For tests of the age of the tokens; see TokenDirectoryOptions. */
  readonly elapsedMs?: () => number
  /** In an HTTP thread of several: the feed of the main thread's intel. */
  readonly intelFeed?: IntelFeed
}

export const MIGRATIONS_FOLDER = join(findPackageRoot(), 'migrations')

/**
 * Opens all services on a database that is already migrated. When a later part fails, the parts
 * opened before are closed.
 */
export async function compose(options: ComposeOptions): Promise<Services> {
  const base = await openFoundation(options)
  const { foundation, tokens, signIn, collectMetrics } = base
  const closers = [base.close]
  const close = (): Promise<void> => closeAll(closers)
  try {
    const intel = await openIntel(foundation, options.intelFeed ?? null)
    closers.push(intel.close)
    const casework = await openCasework(foundation, intel)
    if (options.intelFeed === undefined) await openSharing(foundation)
    closers.push(casework.close)
    addOperationChecks(foundation, casework.waitingEvents)
    return { foundation, tokens, signIn, intel, casework, collectMetrics, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Opens the foundation of both areas alone: enough for administration commands. */
export async function openFoundation(
  options: ComposeOptions,
): Promise<Pick<Services, 'foundation' | 'tokens' | 'signIn' | 'collectMetrics' | 'close'>> {
  const { config, log } = options
  const clock = options.clock ?? systemClock
  const closers: (() => Promise<void>)[] = []
  const close = (): Promise<void> => closeAll(closers)
  try {
    const database = createDatabase({
      connection: options.connection,
      poolMax: config.databasePool,
      log,
    })
    closers.push(database.close)
    const tokens = await openTokenDirectory(database.kysely, log, {
      clock,
      ageMaxSeconds: config.tokenAgeMax,
      isNeededForLookups: config.intelAccess === 'token',
      sessionIdleMs: config.sessionIdleMinutes * 60_000,
      ...(options.elapsedMs === undefined ? {} : { elapsedMs: options.elapsedMs }),
    })
    closers.push(tokens.close)
    // With several threads the main thread counts beside them. Without the role api none starts.
    const isAlone = config.threads === 1 || !config.roles.includes('api')
    const metrics = openMetrics({ peers: isAlone ? 0 : config.threads })
    closers.push(async () => metrics.close())
    createPoolMetrics(metrics.registry, database.pool)
    const secrets = createSecretCipher(loadSecretKeys(config))
    const foundation: Foundation = {
      config,
      log,
      clock,
      ids: createIdSource(clock),
      database,
      secrets,
      audit: createAuditLog({ clock, secrets, count: createEntryCounter(metrics.registry) }),
      metrics: metrics.registry,
      countRefusal: createRefusalMetrics(metrics.registry),
      readiness: createReadiness(),
    }
    foundation.readiness.add({
      name: 'database',
      check: async () => explainDatabase(await database.examine()),
    })
    const role = await checkRole(database.pool)
    foundation.readiness.add({ name: 'database role', check: async () => role })
    foundation.readiness.add({ name: 'tokens', check: async () => tokens.check() })
    const signIn = openSignIn(config, metrics.registry)
    return { foundation, tokens, signIn, collectMetrics: metrics.collect, close }
  } catch (error) {
    await close()
    throw error
  }
}

// Close in reverse order.
async function closeAll(closers: (() => Promise<void>)[]): Promise<void> {
  for (const closer of closers.splice(0).toReversed()) await closer()
}

function explainDatabase(condition: DatabaseCondition): ReadinessFinding {
  switch (condition) {
    case 'ok':
      return { state: 'ok', detail: 'The database answers and takes writes.' }
    case 'silent':
      return refuseWrites(
        'The database does not answer: look-ups go on from memory, everything else is refused.',
      )
    case 'read_only':
      return refuseWrites('The database takes no writes; it may be a standby.')
    case 'disk_full':
      return refuseWrites('The disk of the database is full, so nothing can be stored.')
  }
}

function refuseWrites(detail: string): ReadinessFinding {
  return { state: 'degraded', refusesWrites: true, detail }
}
