// Merges several layers into one: this keeps an overlay short and brings it into the snapshot under
// it.

import assert from 'node:assert/strict'
import type { Snapshot } from './snapshot.ts'
import { SnapshotBuilder } from './snapshot-builder.ts'

export interface MergeOptions {
  readonly builtAtMs: number
  readonly lookBackSeconds: number
  /** Entries that expired at this second or before are left out; none when absent. */
  readonly expiredSeconds?: number
  /**
   * True when the oldest is the snapshot itself. Subjects without any fact are left out then.
   */
  readonly isWhole: boolean
}

/**
 * Takes each subject from the newest layer that has it. The newest comes first; there is at least
 * one. Memory only, about 1 µs a subject.
 */
export function mergeSnapshots(newestFirst: readonly Snapshot[], options: MergeOptions): Snapshot {
  const newest = newestFirst[0]
  assert.ok(newest !== undefined)
  const builder = new SnapshotBuilder({ seed: newest.seed })
  for (const [at, snapshot] of newestFirst.entries()) {
    builder.addOlder(snapshot, {
      isOldest: options.isWhole && at === newestFirst.length - 1,
      expiredSeconds: options.expiredSeconds ?? 0,
    })
  }
  const { builtAtMs, lookBackSeconds } = options
  return builder.build({
    serial: newest.serial,
    mark: newest.meta.mark,
    builtAtMs,
    lookBackSeconds,
  })
}
