// What every area is given to stand on: settings, time, ids, the database, tokens, the log and the
// metrics of this process.

import type { Registry } from 'prom-client'
import type { TokenDirectory } from '../access/token-directory.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import type { IdSource } from './ids.ts'
import type { Log } from './log.ts'

export interface Foundation {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly ids: IdSource
  readonly database: Database
  readonly tokens: TokenDirectory
  readonly metrics: Registry
  readonly readiness: Readiness
}

/** One thing that `/readyz` and `casework doctor` look at. */
interface ReadinessCheck {
  readonly name: string
  /**
   * `failed` makes the node not ready (503); `degraded` and `off` are told only. Must answer within
   * a second.
   */
  readonly check: () => Promise<ReadinessFinding>
}

export interface ReadinessFinding {
  readonly state: 'ok' | 'off' | 'degraded' | 'failed'
  /** One sentence for an operator; no secrets, no paths of other tenants' data. */
  readonly detail: string
}

export interface Readiness {
  readonly add: (check: ReadinessCheck) => void
  readonly list: () => readonly ReadinessCheck[]
}

export function createReadiness(): Readiness {
  const checks: ReadinessCheck[] = []
  return {
    add: (check) => {
      checks.push(check)
    },
    list: () => checks,
  }
}
