// Several snapshots, each of what changed since the one before, as one: how an overlay is kept
// short and taken into the snapshot under it.

import assert from 'node:assert/strict'
import type { Snapshot } from './snapshot.ts'
import { SnapshotBuilder } from './snapshot-builder.ts'

export interface MergeOptions {
  readonly builtAtMs: number
  readonly lookBackSeconds: number
  /**
   * True when nothing lies under the oldest: then subjects of which nothing is known are forgotten.
   */
  readonly isWhole: boolean
}

/**
 * Says of each subject what the newest that knows it says. The newest comes first; there is at
 * least one. Memory only, about 1 µs a subject.
 */
export function mergeSnapshots(newestFirst: readonly Snapshot[], options: MergeOptions): Snapshot {
  const newest = newestFirst[0]
  assert.ok(newest !== undefined)
  const builder = new SnapshotBuilder({ seed: newest.seed })
  for (const [at, snapshot] of newestFirst.entries()) {
    builder.addOlder(snapshot, options.isWhole && at === newestFirst.length - 1)
  }
  const { builtAtMs, lookBackSeconds } = options
  return builder.build({
    serial: newest.serial,
    mark: newest.meta.mark,
    builtAtMs,
    lookBackSeconds,
  })
}
