// The snapshot in the data folder: whether a start can use it, and the removal of unfinished files
// beside it.

import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { BinaryFileError } from '../snapshot/binary-file.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import { readSnapshotFile } from '../snapshot/snapshot-file.ts'
import type { IndexDeps } from './index-deps.ts'
import { readSerials } from './serial-store.ts'

/** Inside the data folder. */
export const SNAPSHOT_FILE = 'intel.snapshot'
// Writing takes a second; a file this old belongs to a process that was killed while it wrote.
const ABANDONED_MS = 3_600_000

export function ownSnapshotFile({ config }: Pick<IndexDeps, 'config'>): string {
  return path.join(config.dataDir, SNAPSHOT_FILE)
}

/**
 * The snapshot in the data folder; null when there is none that is whole and of this database and
 * history.
 */
export async function readOwnSnapshot(deps: IndexDeps): Promise<Snapshot | null> {
  const { log, db } = deps
  try {
    const snapshot = await readSnapshotFile(ownSnapshotFile(deps))
    const { mark } = await readSerials(db, snapshot.serial)
    if (mark === snapshot.meta.mark) return snapshot
    log.info(
      'The snapshot in the data folder is not of this database, or too old; the database is read instead',
    )
    return null
  } catch (error) {
    if (!(error instanceof BinaryFileError)) throw error
    if (error.reason !== 'missing') {
      log.warn('The snapshot in the data folder cannot be used; the database is read instead', {
        reason: error.reason,
      })
    }
    return null
  }
}

/**
 * Removes snapshots that an earlier process began to write and did not end. Never rejects: they
 * only take space.
 */
export async function removeAbandonedSnapshots({ config, clock }: IndexDeps): Promise<void> {
  try {
    for (const name of await readdir(config.dataDir)) {
      if (!name.startsWith(`${SNAPSHOT_FILE}.`) || !name.endsWith('.tmp')) continue
      const file = path.join(config.dataDir, name)
      // oxlint-disable-next-line eslint/no-await-in-loop
      const { mtimeMs } = await stat(file)
      // oxlint-disable-next-line eslint/no-await-in-loop
      if (clock.nowMs() - mtimeMs > ABANDONED_MS) await rm(file, { force: true })
    }
  } catch {
    // The folder cannot be listed, or another process was quicker.
  }
}
