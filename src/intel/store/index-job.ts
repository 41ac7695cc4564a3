// The heavy work on the intel set, as jobs for a thread of its own (index-thread.ts): whatever reads or copies many subjects.

import { createDatabase, type DatabaseConnection } from '../../kernel/db/database.ts'
import { silentLog } from '../../kernel/log.ts'
import {
  type ExtendOptions,
  extendSnapshots,
  type LoggedPush,
} from '../snapshot/extend-snapshots.ts'
import { mergeSnapshots } from '../snapshot/merge-snapshots.ts'
import { Snapshot } from '../snapshot/snapshot.ts'
import type { BuildOptions } from '../snapshot/snapshot-builder.ts'
import { writeSnapshotFile } from '../snapshot/snapshot-file.ts'
import { type ReadOptions, readSnapshot } from './fact-store.ts'

export type IndexJob =
  | {
      readonly kind: 'read'
      readonly connection: DatabaseConnection
      readonly options: Omit<ReadOptions, 'known'>
      /** What is known at `options.after`, the newest first. */
      readonly known: readonly SharedArrayBuffer[]
    }
  | {
      readonly kind: 'merge'
      /** Of snapshots, the newest first. */
      readonly buffers: readonly SharedArrayBuffer[]
      readonly builtAtMs: number
      readonly lookBackSeconds: number
      readonly isWhole: boolean
    }
  | {
      readonly kind: 'extend'
      readonly options: Pick<ExtendOptions, keyof BuildOptions | 'seed'>
      readonly pushes: readonly LoggedPush[]
      /** What is known before them, the newest first. */
      readonly known: readonly SharedArrayBuffer[]
      readonly ahead: readonly { readonly seenTo: number; readonly buffer: SharedArrayBuffer }[]
    }
  | { readonly kind: 'write'; readonly buffer: SharedArrayBuffer; readonly file: string }

/** Does the job and gives the snapshot it is about: read, merged, or written to its file. */
export async function doIndexJob(job: IndexJob): Promise<SharedArrayBuffer> {
  switch (job.kind) {
    case 'read': {
      const database = createDatabase({ connection: job.connection, poolMax: 1, log: silentLog })
      try {
        const known = job.known.map((buffer) => Snapshot.fromBuffer(buffer))
        return (await readSnapshot(database.pool, { ...job.options, known })).buffer
      } finally {
        await database.close()
      }
    }
    case 'merge': {
      const { builtAtMs, lookBackSeconds, isWhole } = job
      const newestFirst = job.buffers.map((buffer) => Snapshot.fromBuffer(buffer))
      return mergeSnapshots(newestFirst, { builtAtMs, lookBackSeconds, isWhole }).buffer
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
      await writeSnapshotFile(Snapshot.fromBuffer(job.buffer), job.file)
      return job.buffer
  }
}
