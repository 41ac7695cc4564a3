// Work that reads or copies many subjects of the intel set, as jobs for a thread of its own
// (index-thread.ts).

import {
  type ExtendOptions,
  extendSnapshots,
  type LoggedPush,
} from '../snapshot/extend-snapshots.ts'
import { mergeSnapshots } from '../snapshot/merge-snapshots.ts'
import type { BuildOptions } from '../snapshot/pack-snapshot.ts'
import { Snapshot } from '../snapshot/snapshot.ts'
import { writeSnapshotFile } from '../snapshot/snapshot-file.ts'
import type { ReadJob } from './read-job.ts'

export type IndexJob =
  | ({ readonly kind: 'read' } & ReadJob)
  | {
      readonly kind: 'merge'
      /** Of snapshots, the newest first. */
      readonly buffers: readonly SharedArrayBuffer[]
      readonly builtAtMs: number
      readonly lookBackSeconds: number
      readonly expiredSeconds: number
      readonly isWhole: boolean
    }
  | {
      readonly kind: 'extend'
      readonly options: Pick<ExtendOptions, keyof BuildOptions | 'seed'>
      readonly pushes: readonly LoggedPush[]
      /** The layers under them, the newest first. */
      readonly known: readonly SharedArrayBuffer[]
      readonly ahead: readonly { readonly seenTo: number; readonly buffer: SharedArrayBuffer }[]
    }
  | { readonly kind: 'write'; readonly buffer: SharedArrayBuffer; readonly file: string }

/** Does the job and gives its snapshot: the one read, merged, or written to its file. */
export async function doIndexJob(job: IndexJob): Promise<SharedArrayBuffer> {
  switch (job.kind) {
    case 'read': {
      const { doReadJob } = await import('./read-job.ts')
      return (await doReadJob(job)).buffer
    }
    case 'merge': {
      const { builtAtMs, lookBackSeconds, expiredSeconds, isWhole } = job
      const newestFirst = job.buffers.map((buffer) => Snapshot.fromBuffer(buffer))
      return mergeSnapshots(newestFirst, {
        builtAtMs,
        lookBackSeconds,
        expiredSeconds,
        isWhole,
      }).buffer
    }
    case 'extend': {
      const { options, pushes } = job
      const known = job.known.map((buffer) => Snapshot.fromBuffer(buffer))
      const ahead = job.ahead.map(({ seenTo, buffer }) => {
        return { seenTo, snapshot: Snapshot.fromBuffer(buffer) }
      })
      return extendSnapshots({ ...options, pushes, known, ahead }).buffer
    }
    case 'write':
      writeSnapshotFile(Snapshot.fromBuffer(job.buffer), job.file)
      return job.buffer
  }
}
