// The administration without a running server: its routes are asked in this process. Neither
// intel nor casework is opened, so a command answers quickly however large the intel set is.

import { accessRoutes } from '../access/routes.ts'
import type { Config } from '../kernel/config.ts'
import { openDataFolder } from '../kernel/data-folder.ts'
import { ensureCursorKey } from '../kernel/db/cursor-key-store.ts'
import type { DatabaseConnection } from '../kernel/db/database-hosts.ts'
import { createCursorSealer } from '../kernel/http/cursor.ts'
import { silentLog } from '../kernel/log.ts'
import { buildHttp, createHttpParts } from './http.ts'
import { LOCAL_CALLER } from './local-caller.ts'
import { assertHasDatabase, openServedDatabase } from './open-database.ts'
import { openFoundation } from './open-foundation.ts'
import { LOCAL_ACTOR } from './record-operator-acts.ts'
import { isIntelClosed } from './share-sightings.ts'

export interface OfflineRequest {
  readonly method: string
  readonly path: string
  readonly json?: unknown
}

export interface OfflineAnswer {
  readonly status: number
  readonly text: string
}

/**
 * Opens the database, asks one request as the local administrator, and closes everything again.
 * Throws APP_NO_DATA when there is none.
 */
export async function askOffline(config: Config, request: OfflineRequest): Promise<OfflineAnswer> {
  assertHasDatabase(config)
  const folder = config.databaseUrl === null ? await openDataFolder({ path: config.dataDir }) : null
  try {
    const database = await openServedDatabase(config, silentLog, LOCAL_ACTOR)
    try {
      return await askRoutes(config, database.connection, request)
    } finally {
      await database.stop()
    }
  } finally {
    await folder?.close()
  }
}

async function askRoutes(
  config: Config,
  connection: DatabaseConnection,
  request: OfflineRequest,
): Promise<OfflineAnswer> {
  const base = await openFoundation({ config, connection, log: silentLog })
  try {
    const { foundation } = base
    const cursors = createCursorSealer(await ensureCursorKey(foundation.database.kysely))
    const routes = accessRoutes({
      db: foundation.database.kysely,
      audit: foundation.audit,
      secrets: foundation.secrets,
      clock: foundation.clock,
      ids: foundation.ids,
      cursors,
      refreshTokens: base.tokens.refresh,
      scopesOfRoles: base.tokens.scopesOfRoles,
      sharing: { isAllowed: isIntelClosed(config) },
      signIn: base.signIn,
      // Nobody signs in here.
      providers: new Map(),
    })
    const app = buildHttp(base, {
      routes,
      parts: createHttpParts(base),
      localCaller: LOCAL_CALLER,
    })
    const { method, path: url, json } = request
    const headers = { 'content-type': 'application/json' }
    const body = json === undefined ? {} : { payload: JSON.stringify(json), headers }
    // The caller of this function names a method of our own routes.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const answer = await app.inject({ method: method as 'GET', url, ...body })
    await app.close()
    return { status: answer.statusCode, text: answer.payload }
  } finally {
    await base.close()
  }
}
