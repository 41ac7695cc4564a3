// Runs one of several HTTP threads, with its own services and listeners on the shared port.
// listeners.ts starts it after binding the port.

import { parentPort, workerData } from 'node:worker_threads'
import type { Config } from '../kernel/config.ts'
import type { DatabaseConnection } from '../kernel/db/database-hosts.ts'
import { createLog } from '../kernel/log.ts'
import { compose } from './compose.ts'
import { buildHttp, createHttpParts } from './http.ts'
import { intelAddress, listen, mainAddress } from './listen.ts'
import type { IntelFeed } from './open-intel.ts'
import { buildMainRoutes } from './routes.ts'
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
  const services = await compose({ config, connection, log, intelFeed })
  const parts = createHttpParts(services, rateBuffer)
  const routes = buildMainRoutes(services)
  const app = buildHttp(services, { routes, parts })
  const apps = [app]
  await warmUp(services)
  await listen(app, mainAddress(config), true)
  const intelPlace = intelAddress(config)
  if (intelPlace !== null) {
    const intelApp = buildHttp(services, {
      routes: routes.filter((route) => route.group === 'intel' || route.group === 'system'),
      parts,
    })
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
