// Starts the service and stops it: data folder, database, schema, first token, areas, listeners,
// workers. The order of stopping is the reverse, so that an accepted request still finds what it
// needs. Traps of starting and stopping: design section 10.

import { makeSetupLink } from '../access/sign-in/make-setup-link.ts'
import { openMailChannels } from '../casework/reports/mail/open-mail-channels.ts'
import { type Config, isLookupNode } from '../kernel/config.ts'
import { openDataFolder } from '../kernel/data-folder.ts'
import type { DatabaseConnection } from '../kernel/db/database-hosts.ts'
import type { Log } from '../kernel/log.ts'
import { checkSecrets } from './check-secrets.ts'
import { compose, type Services } from './compose.ts'
import { type DemoCounts, hasDemo } from './demo/demo-store.ts'
import { fillDemo } from './demo/fill-demo.ts'
import { finishStart } from './finish-start.ts'
import { ensureFirstToken } from './first-token.ts'
import { createHttpParts } from './http.ts'
import { startListeners } from './listeners.ts'
import { startLookupNode } from './lookup-node/start-lookup-node.ts'
import { buildMailDeps } from './open-casework.ts'
import { openServedDatabase } from './open-database.ts'
import { startOpsListener } from './ops-listener.ts'
import { buildRoutes } from './routes.ts'
import { buildSite } from './site.ts'
import { startJobs } from './worker-jobs.ts'

export interface RunningServer {
  /** `http://HOST:PORT` with the port in use; null without the roles api and lookup. */
  readonly url: string | null
  /** Where people open the console; null without it. */
  readonly consoleUrl: string | null
  /** The URL of the intel group's own listener, when it has one. */
  readonly intelUrl: string | null
  /** The URL of the listener for monitoring, when there is one. */
  readonly opsUrl: string | null
  /**
   * The listeners for report mail (`SMTP port 2525`). Empty without the role smtp; a listener whose
   * port is taken is left out.
   */
  readonly mailLocations: readonly string[]
  readonly databaseDescription: string
  /** Resolves when a part that the service needs has ended, with one sentence that names it. */
  readonly whenBroken: Promise<string>
  readonly stop: () => Promise<void>
}

export interface StartOptions {
  /** Aborts the start between two steps; `startServer` then throws the signal's reason. */
  readonly signal: AbortSignal
  /**
   * Called at once with the administrator token if this start made one. Only its hash is stored, so
   * a later failure (a port that is taken) must not lose the one chance to show it.
   */
  readonly onFirstToken: (token: string) => void
  /** Called with the link for the first person while there is none. */
  readonly onSetupLink?: (url: string) => void
  /** Called with what becomes of the demo, where the settings ask for one. */
  readonly onDemo?: (news: DemoNews) => void
}

/**
 * Starts everything. On failure it throws an operating error with one sentence and leaves nothing
 * running.
 */
export async function startServer(
  config: Config,
  log: Log,
  options: StartOptions,
): Promise<RunningServer> {
  const closers: (() => Promise<void>)[] = []
  const stop = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed()) {
      await closer().catch((error: unknown) =>
        log.warn('A part did not stop cleanly', { error: String(error) }),
      )
    }
  }
  const opened = <Part>(part: Part, closer: () => Promise<void>): Part => {
    closers.push(closer)
    options.signal.throwIfAborted()
    return part
  }
  try {
    const begun = isLookupNode(config)
      ? await startLookupNode(config, log, opened)
      : await start(config, log, options, opened)
    return { ...begun, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function showSetupLink(
  { foundation, signIn }: Services,
  { onSetupLink }: StartOptions,
): Promise<void> {
  const { audit, clock, database } = foundation
  const by = { kind: 'program', id: 'start' } as const
  const place = { publicUrl: signIn.readPublicUrl(), nowMs: clock.nowMs(), audit, by }
  const link = await makeSetupLink(database.kysely, place)
  if (link !== null) onSetupLink?.(link.url)
}

export type DemoNews =
  | { readonly kind: 'filling' }
  | { readonly kind: 'filled'; readonly counts: DemoCounts }
  | { readonly kind: 'there' }

/** Before anything serves or works, so that no worker comes upon half a story. */
async function bringDemo(
  config: Config,
  connection: DatabaseConnection,
  { onDemo = () => undefined }: StartOptions,
): Promise<void> {
  if (await hasDemo(connection)) return onDemo({ kind: 'there' })
  onDemo({ kind: 'filling' })
  onDemo({ kind: 'filled', counts: await fillDemo({ config, connection }) })
}

/** Registers how a part is closed, as soon as it is open. */
export type Opened = <Part>(part: Part, closer: () => Promise<void>) => Part

async function start(
  config: Config,
  log: Log,
  options: StartOptions,
  opened: Opened,
): Promise<Omit<RunningServer, 'stop'>> {
  const folder = await openDataFolder({ path: config.dataDir })
  opened(folder, folder.close)
  const database = await openServedDatabase(config, log)
  opened(database, database.stop)
  await checkSecrets(config, database.connection, log)
  const firstToken = await ensureFirstToken(config, database.connection, log)
  if (firstToken !== null) options.onFirstToken(firstToken)
  if (config.demo === 'on') await bringDemo(config, database.connection, options)
  const services = await compose({ config, connection: database.connection, log })
  opened(services, services.close)
  const parts = createHttpParts(services)
  const site = buildSite(services)
  const listeners = await startListeners({ services, site, parts, connection: database.connection })
  opened(listeners, listeners.close)
  if (config.roles.includes('api')) await showSetupLink(services, options)
  const ops = await startOpsListener(services, parts)
  opened(ops, ops.close)
  if (config.roles.includes('worker')) {
    const jobs = await startJobs(services)
    opened(jobs, jobs.stop)
  }
  let mailLocations: readonly string[] = []
  if (config.roles.includes('smtp')) {
    const mail = await openMailChannels(buildMailDeps(services.casework))
    opened(mail, mail.close)
    mailLocations = mail.listLocations()
  }
  services.guardReserve()
  const { address } = database
  const http = { routes: buildRoutes(services), parts }
  await finishStart({ folder, address, services, http, opened })
  return {
    url: listeners.url,
    consoleUrl:
      listeners.url !== null && config.console === 'on'
        ? `${services.signIn.readPublicUrl()}/`
        : null,
    intelUrl: listeners.intelUrl,
    opsUrl: ops.url,
    mailLocations,
    databaseDescription: database.description,
    whenBroken: Promise.race([database.whenGone, listeners.whenBroken]),
  }
}
