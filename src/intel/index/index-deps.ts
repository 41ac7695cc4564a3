// The parts of the program that the index uses.

import type { Clock } from '../../kernel/clock.ts'
import type { Config } from '../../kernel/config.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { DatabaseConnection } from '../../kernel/db/database-hosts.ts'
import type { Log } from '../../kernel/log.ts'
import type { Readiness } from '../../kernel/readiness.ts'

export interface IndexDeps {
  readonly db: Db
  /** For the thread of the index, which opens a connection of its own. */
  readonly connection: DatabaseConnection
  readonly config: Pick<Config, 'dataDir' | 'lookBackDays' | 'expiredDays' | 'ipv6RollupMin'> &
    Partial<Pick<Config, 'snapshotFrom' | 'nodeSecret'>>
  readonly clock: Clock
  readonly log: Log
  readonly readiness: Readiness
  /** On a look-up node, which writes nothing. */
  readonly isReadOnly?: boolean
}
