// Opens what app/compose.ts builds on: the database, the tokens, the log and the metrics. Commands
// of the administration need no more, so neither intel nor casework is loaded here.

import { createAuditLog } from '../access/audit/audit-log.ts'
import { createEntryCounter } from '../access/audit/audit-metrics.ts'
import { openTokenDirectory, type TokenDirectory } from '../access/token-directory.ts'
import { createTokenMetrics } from '../access/token-metrics.ts'
import { toError } from '../kernel/async/deadline.ts'
import { type Clock, systemClock } from '../kernel/clock.ts'
import { type Config, hasListeners, isLookupNode } from '../kernel/config.ts'
import { createDatabase, type DatabaseCondition } from '../kernel/db/database.ts'
import type { DatabaseConnection } from '../kernel/db/database-hosts.ts'
import { checkRole } from '../kernel/db/database-role.ts'
import { type DiskReserve, openDiskReserve } from '../kernel/db/disk-reserve.ts'
import { createPoolMetrics } from '../kernel/db/pool-metrics.ts'
import { createIdSource } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { openMetrics } from '../kernel/metrics.ts'
import { createRefusalMetrics } from '../kernel/outbound/refusal-metrics.ts'
import { findDatabaseFolder } from '../kernel/postgres/cluster-location.ts'
import { createReadiness, type ReadinessFinding } from '../kernel/readiness.ts'
import { createSecretCipher } from '../kernel/secrets/secret-cipher.ts'
import { loadSecretKeys } from '../kernel/secrets/secret-keys.ts'
import { parseCollectorHeaders } from '../kernel/setting.ts'
import type { Tracer } from '../kernel/tracing/span.ts'
import { type CountSpans, createSpanCounter, createTracer } from '../kernel/tracing/tracer.ts'
import { readPackageVersion } from '../values/resources.ts'
import type { Foundation } from './foundation.ts'
import { openSignIn, type SignIn } from './open-sign-in.ts'
import { tuneThread } from './tuning/tune-thread.ts'

export interface FoundationOptions {
  readonly config: Config
  readonly connection: DatabaseConnection
  readonly log: Log
  readonly clock?: Clock
  /** For tests of the age of the tokens; see TokenDirectoryOptions. */
  readonly elapsedMs?: () => number
}

export interface OpenedFoundation {
  readonly foundation: Foundation
  /** The API tokens of this process, for authentication. */
  readonly tokens: TokenDirectory
  readonly signIn: SignIn
  /** At the end of the start: from now on the reserve of the disk is kept (disk-reserve.ts). */
  readonly guardReserve: () => void
  /** The text of GET /metrics for all threads of this process. */
  readonly collectMetrics: () => Promise<string>
  readonly close: () => Promise<void>
}

/** Opens the foundation of both areas alone: enough for administration commands. */
export async function openFoundation(options: FoundationOptions): Promise<OpenedFoundation> {
  const { config, log } = options
  tuneThread(config)
  const clock = options.clock ?? systemClock
  const closers: (() => Promise<void>)[] = []
  const close = (): Promise<void> => closeAll(closers)
  try {
    const reserve = await openReserve(config, log)
    closers.push(reserve.close)
    const database = createDatabase({
      connection: options.connection,
      poolMax: config.databasePool,
      log,
      isShortOfRoom: reserve.isUsedUp,
    })
    closers.push(database.close)
    const tokens = await openTokenDirectory(database.kysely, log, {
      clock,
      ageMaxSeconds: config.tokenAgeMax,
      isNeededForLookups: config.intelAccess === 'token',
      sessionIdleMs: config.sessionIdleMinutes * 60_000,
      isReadOnly: isLookupNode(config),
      ...(options.elapsedMs === undefined ? {} : { elapsedMs: options.elapsedMs }),
    })
    closers.push(tokens.close)
    // With several threads the main thread counts beside them. Without listeners none starts.
    const isAlone = config.threads === 1 || !hasListeners(config)
    const metrics = openMetrics({ peers: isAlone ? 0 : config.threads })
    closers.push(async () => metrics.close())
    createPoolMetrics(metrics.registry, database.pool)
    createTokenMetrics(metrics.registry, tokens.ageMs)
    const tracer = openTracer(config, log, createSpanCounter(metrics.registry))
    if (tracer !== null) closers.push(tracer.close)
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
      tracer,
      readiness: createReadiness(),
    }
    foundation.readiness.add({
      name: 'database',
      check: async () => {
        const condition = await database.examine()
        return isLookupNode(config) ? explainStandby(condition) : explainDatabase(condition)
      },
    })
    const role = await checkRole(database.pool)
    foundation.readiness.add({ name: 'database role', check: async () => role })
    foundation.readiness.add({ name: 'tokens', check: async () => tokens.check() })
    const signIn = openSignIn(config, metrics.registry)
    return {
      foundation,
      tokens,
      signIn,
      guardReserve: reserve.guard,
      collectMetrics: metrics.collect,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Null without a collector: then there are no traces, and nothing is spent on them. */
function openTracer(config: Config, log: Log, countSpans: CountSpans): Tracer | null {
  const { otlpEndpoint: endpoint, otlpHeaders, serviceName, traceShare: share } = config
  if (endpoint === null) return null
  const headers = parseCollectorHeaders(otlpHeaders ?? '') ?? {}
  return createTracer({
    endpoint,
    headers,
    serviceName,
    version: readPackageVersion(),
    share,
    log,
    countSpans,
  })
}

/** In reverse order. One that fails keeps no other one open; its error is thrown at the end. */
export async function closeAll(closers: (() => Promise<void>)[]): Promise<void> {
  const failures: Error[] = []
  for (const closer of closers.splice(0).toReversed()) {
    await closer().catch((error: unknown) => failures.push(toError(error)))
  }
  const [first, second] = failures
  if (second !== undefined) throw new AggregateError(failures, failures.map(String).join('; '))
  if (first !== undefined) throw first
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

/** A look-up node stores nothing, whatever its database takes. */
function explainStandby(condition: DatabaseCondition): ReadinessFinding {
  const refused = 'This node has the role lookup and stores nothing.'
  return condition === 'silent'
    ? refuseWrites(`The database does not answer: look-ups go on from memory. ${refused}`)
    : { state: 'ok', refusesWrites: true, detail: `The database answers. ${refused}` }
}

function refuseWrites(detail: string): ReadinessFinding {
  return { state: 'degraded', refusesWrites: true, detail }
}

const MEGABYTE = 1024 * 1024
const NO_RESERVE: DiskReserve = {
  isUsedUp: () => false,
  guard: () => undefined,
  close: async () => undefined,
}

/** Of a database of your own the disk is not ours to watch: it says itself when it is full. */
async function openReserve(
  { databaseUrl, dataDir, diskReserveMb }: Config,
  log: Log,
): Promise<DiskReserve> {
  if (databaseUrl !== null || diskReserveMb === 0) return NO_RESERVE
  return await openDiskReserve({
    folder: findDatabaseFolder(dataDir),
    reserveBytes: diskReserveMb === null ? null : diskReserveMb * MEGABYTE,
    onChange(isUsedUp, freeBytes) {
      const freeMb = Math.floor(freeBytes / MEGABYTE)
      if (isUsedUp) {
        log.error(
          'The disk of the database is nearly full. Look-ups go on, and nothing is stored until there is room.',
          { freeMb },
        )
      } else log.info('The disk of the database has room again', { freeMb })
    },
  })
}
