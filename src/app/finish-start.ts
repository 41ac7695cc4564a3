// The last steps of the start of every node, whatever its roles: the commands of this machine are
// answered on the socket of the data folder, and memory that only the start needed is released.

import type { DataFolder } from '../kernel/data-folder.ts'
import type { LookupServices } from './compose.ts'
import { type BuildHttpOptions, buildHttp } from './http.ts'
import { LOCAL_CALLER } from './local-caller.ts'
import { answerLocally } from './local-database.ts'
import type { DatabaseAddress } from './open-database.ts'
import type { Opened } from './serve.ts'
import { releaseStartMemory } from './tuning/release-memory.ts'
import { whenQuiet } from './tuning/when-quiet.ts'

export interface FinishOptions {
  readonly folder: DataFolder
  readonly address: DatabaseAddress
  readonly services: LookupServices
  /** What the socket serves. */
  readonly http: BuildHttpOptions
  readonly opened: Opened
}

export async function finishStart(options: FinishOptions): Promise<void> {
  const { folder, address, services, http, opened } = options
  const local = buildHttp(services, { ...http, localCaller: LOCAL_CALLER })
  await local.ready()
  opened(local, () => local.close())
  folder.setRequestHandler(
    answerLocally(address, (request, response) => local.routing(request, response)),
  )
  if (services.foundation.config.tuning === 'on') {
    const release = whenQuiet(releaseStartMemory)
    opened(release, async () => release.callOff())
  }
  // What is opened last is closed first: the other parts then wait for no database that is silent.
  const { hasten } = services.foundation.database
  opened(hasten, async () => hasten())
}
