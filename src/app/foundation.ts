// The parts that app/compose.ts opens first: settings, time, ids, the database, the log and the
// metrics of this process.

import type { Registry } from 'prom-client'
import type { AuditLog } from '../access/audit/audit-log.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Config } from '../kernel/config.ts'
import type { Database } from '../kernel/db/database.ts'
import type { IdSource } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { CountRefusal } from '../kernel/outbound/refusal-metrics.ts'
import type { Readiness } from '../kernel/readiness.ts'
import type { SecretCipher } from '../kernel/secrets/secret-cipher.ts'
import type { Tracer } from '../kernel/tracing/span.ts'

export interface Foundation {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly ids: IdSource
  readonly database: Database
  /** Encrypts what is stored to be used towards others. */
  readonly secrets: SecretCipher
  readonly audit: AuditLog
  readonly metrics: Registry
  /** For every client for outgoing requests. */
  readonly countRefusal: CountRefusal
  /** Null without a collector. */
  readonly tracer: Tracer | null
  readonly readiness: Readiness
}
