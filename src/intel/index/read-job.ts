// Reading the database in the thread of the index. Apart from its other jobs, which need no
// database: loading the driver takes as long as some hundred thousand subjects.

import { createDatabase } from '../../kernel/db/database.ts'
import type { DatabaseConnection } from '../../kernel/db/database-hosts.ts'
import { silentLog } from '../../kernel/log.ts'
import { Snapshot } from '../snapshot/snapshot.ts'
import { type ReadOptions, readSnapshot } from './fact-stream.ts'

export interface ReadJob {
  readonly connection: DatabaseConnection
  readonly options: Omit<ReadOptions, 'known'>
  /** The layers at `options.after`, the newest first. */
  readonly known: readonly SharedArrayBuffer[]
}

/** See `readSnapshot`; on a connection of its own. */
export async function doReadJob({ connection, options, known }: ReadJob): Promise<Snapshot> {
  const database = createDatabase({ connection, poolMax: 1, log: silentLog })
  try {
    const newestFirst = known.map((buffer) => Snapshot.fromBuffer(buffer))
    return await readSnapshot(database.pool, { ...options, known: newestFirst })
  } finally {
    await database.close()
  }
}
