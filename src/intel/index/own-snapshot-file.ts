// The snapshot in the data folder: whether a start can use it, and the removal of unfinished files
// beside it.

import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { BinaryFileError } from '../snapshot/binary-file.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import { readSnapshotFile } from '../snapshot/snapshot-file.ts'
import type { IndexDeps } from './index-deps.ts'
import { isStandby, readSerials } from './serial-store.ts'

/** Inside the data folder. */
export const SNAPSHOT_FILE = 'intel.snapshot'
// Writing takes a second; a file this old belongs to a process that was killed while it wrote.
const ABANDONED_MS = 3_600_000
// A standby is milliseconds behind its primary, or some seconds after a large transaction. One that
// is further behind is read from its tables.
const REPLAY_WAIT_MS = 30_000
const REPLAY_PAUSE_MS = 250

export function ownSnapshotFile({ config }: Pick<IndexDeps, 'config'>): string {
  return path.join(config.dataDir, SNAPSHOT_FILE)
}

/**
 * The snapshot in the data folder; null when there is none that is whole and of this database and
 * history.
 */
export async function readOwnSnapshot(deps: IndexDeps): Promise<Snapshot | null> {
  const { log } = deps
  try {
    const snapshot = await readSnapshotFile(ownSnapshotFile(deps))
    if (await isOfDatabase(deps, snapshot)) return snapshot
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
 * Whether a snapshot is of the database and its history, by the mark of its last push. A standby
 * that has not replayed that push yet is waited for.
 */
export async function isOfDatabase(
  { db }: Pick<IndexDeps, 'db'>,
  { serial, meta }: Snapshot,
): Promise<boolean> {
  const deadlineMs = performance.now() + REPLAY_WAIT_MS
  for (;;) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const newest = await readSerials(db, serial)
    if (newest.mark !== null || newest.serial >= serial) return newest.mark === meta.mark
    // oxlint-disable-next-line eslint/no-await-in-loop
    if (performance.now() >= deadlineMs || !(await isStandby(db))) return false
    // oxlint-disable-next-line eslint/no-await-in-loop
    await delay(REPLAY_PAUSE_MS)
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
