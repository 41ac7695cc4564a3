// Runs one of several HTTP threads, with its own services and listeners on the shared port.
// listeners.ts starts it after binding the port.

import { parentPort, workerData } from 'node:worker_threads'
import { type Config, isLookupNode } from '../kernel/config.ts'
import type { DatabaseConnection } from '../kernel/db/database-hosts.ts'
import { createLog } from '../kernel/log.ts'
import { type ComposeOptions, compose, type LookupServices } from './compose.ts'
import { buildHttp, createHttpParts } from './http.ts'
import { intelAddress, listen, mainAddress } from './listen.ts'
import { buildLookupSite, composeLookupNode } from './lookup-node/compose-lookup-node.ts'
import type { IntelFeed } from './open-intel.ts'
import { buildIntelSite, buildSite, type Site } from './site.ts'
import { warmUp } from './warm-up.ts'

export interface ThreadStart {
  readonly config: Config
  readonly connection: DatabaseConnection
  /** The intel of the main thread. */
  readonly intelFeed: IntelFeed
  /** The counts of the rate limits, of all threads. */
  readonly rateBuffer: SharedArrayBuffer
}

export interface ThreadMessage {
  readonly kind: 'ready'
}

if (parentPort !== null) {
  // listeners.ts passes this value.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  await runThread(workerData as ThreadStart, parentPort)
}

async function runThread(
  start: ThreadStart,
  parent: NonNullable<typeof parentPort>,
): Promise<void> {
  const { config, connection, intelFeed, rateBuffer } = start
  const log = createLog({ level: config.logLevel, isForPeople: process.stderr.isTTY })
  const { services, site } = await openNode({ config, connection, log, intelFeed })
  const parts = createHttpParts(services, rateBuffer)
  const app = buildHttp(services, { ...site, parts })
  const apps = [app]
  await warmUp(services)
  await listen(app, mainAddress(config), true)
  const intelPlace = intelAddress(config)
  if (intelPlace !== null) {
    const intelApp = buildHttp(services, { ...buildIntelSite(site), parts })
    apps.push(intelApp)
    await listen(intelApp, intelPlace, true)
  }
  parent.once('message', () => {
    services.foundation.database.hasten()
    void Promise.all(apps.map((each) => each.close()))
      .then(() => services.close())
      .finally(() => parent.close())
  })
  // The rule is about browser windows; this is a port between threads.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parent.postMessage({ kind: 'ready' } satisfies ThreadMessage)
}

async function openNode(
  options: ComposeOptions,
): Promise<{ readonly services: LookupServices; readonly site: Site }> {
  if (isLookupNode(options.config)) {
    const services = await composeLookupNode(options)
    return { services, site: buildLookupSite(services) }
  }
  const services = await compose(options)
  services.guardReserve()
  return { services, site: buildSite(services) }
}
