// Starts a node with the role lookup: data folder, a database that it only reads, services,
// listeners. It runs no migration and no job, and makes no token.

import type { Config } from '../../kernel/config.ts'
import { openDataFolder } from '../../kernel/data-folder.ts'
import type { Log } from '../../kernel/log.ts'
import { finishStart } from '../finish-start.ts'
import { createHttpParts } from '../http.ts'
import { startListeners } from '../listeners.ts'
import { openReadDatabase } from '../open-database.ts'
import { startOpsListener } from '../ops-listener.ts'
import type { Opened, RunningServer } from '../serve.ts'
import { buildLookupSite, composeLookupNode } from './compose-lookup-node.ts'

export async function startLookupNode(
  config: Config,
  log: Log,
  opened: Opened,
): Promise<Omit<RunningServer, 'stop'>> {
  const folder = await openDataFolder({ path: config.dataDir })
  opened(folder, folder.close)
  const { connection, address, description } = await openReadDatabase(config, log)
  const services = await composeLookupNode({ config, connection, log })
  opened(services, services.close)
  const parts = createHttpParts(services)
  const site = buildLookupSite(services)
  const listeners = await startListeners({ services, site, parts, connection })
  opened(listeners, listeners.close)
  const ops = await startOpsListener(services, parts)
  opened(ops, ops.close)
  await finishStart({ folder, address, services, http: { ...site, parts }, opened })
  return {
    url: listeners.url,
    intelUrl: listeners.intelUrl,
    opsUrl: ops.url,
    consoleUrl: null,
    mailLocations: [],
    databaseDescription: `${description}, read only`,
    whenBroken: listeners.whenBroken,
  }
}
