// The parts that app/compose.ts opens first: settings, time, ids, the database, the log and the
// metrics of this process.

import type { Registry } from 'prom-client'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import type { IdSource } from './ids.ts'
import type { Log } from './log.ts'
import type { Readiness } from './readiness.ts'

export interface Foundation {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly ids: IdSource
  readonly database: Database
  readonly metrics: Registry
  readonly readiness: Readiness
}
