// What can wait, since nobody waits for it: keeps the overlay of the intel set short, its file
// recent and the change log pruned.

import type { Foundation } from '../../kernel/foundation.ts'
import { chooseMerge } from '../snapshot/choose-merge.ts'
import { mergeSnapshots } from '../snapshot/merge-snapshots.ts'
import { Snapshot } from '../snapshot/snapshot.ts'
import { momentOf, SMALL } from './change-reader.ts'
import type { IndexJob } from './index-job.ts'
import { createIndexWorker } from './index-worker.ts'
import { type IntelSetState, type Layer, layerOf } from './intel-set.ts'
import { ownSnapshotFile } from './own-snapshot-file.ts'
import { pruneChanges } from './serial-store.ts'

// A start reads what changed since the file, so a file that lacks this many is made anew once
// nothing has changed for a while, and under steady changes every minute, or so seldom that it
// takes a sixtieth of a core.
const SETTLE_MIN = 2_000
const SETTLE_MS = 5_000
const WHOLE_MS = 60_000
const WHOLE_PAUSES = 60
const PRUNE_MS = 600_000

/** The set whose overlay is kept. */
export interface HeldSet {
  readonly read: () => IntelSetState
  readonly replaceLayers: (newestFirst: readonly Layer[]) => void
  /** Whether a layer was read so late that it must stay where it can be told apart. */
  readonly isAhead: (layer: Snapshot, serial: number) => boolean
}

export class OverlayKeeper {
  readonly #foundation: Foundation
  readonly #held: HeldSet
  readonly #file: string
  readonly #merger = createIndexWorker()
  #changedAtMs: number
  #nextWholeAtMs: number
  #prunedAtMs: number
  // Up to which the file holds everything; -1 without one.
  #fileSerial: number
  #merging: Promise<void> | null = null
  #isClosed = false

  /** `fileSerial` is that up to which the file holds everything; -1 without one. */
  constructor(foundation: Foundation, fileSerial: number, held: HeldSet) {
    const nowMs = foundation.clock.nowMs()
    this.#foundation = foundation
    this.#held = held
    this.#file = ownSnapshotFile(foundation)
    this.#fileSerial = fileSerial
    this.#changedAtMs = nowMs
    this.#nextWholeAtMs = nowMs + WHOLE_MS
    this.#prunedAtMs = nowMs
  }

  /** A set that changes is not merged as a whole at every pause. */
  noteChange(): void {
    this.#changedAtMs = this.#foundation.clock.nowMs()
  }

  /** What fails is tried again after the next look at the change log. */
  tidy(): void {
    if (this.#isClosed) return
    const nowMs = this.#foundation.clock.nowMs()
    if (nowMs - this.#prunedAtMs > PRUNE_MS) {
      this.#prunedAtMs = nowMs
      this.#attempt('The change log could not be pruned', () =>
        pruneChanges(this.#foundation.database.kysely),
      )
    }
    this.#merging ??= this.#mergeSome()
  }

  #mergeSome(): Promise<void> | null {
    const { newestFirst, serial } = this.#held.read()
    // What was read before its turn must stay where it can be told apart.
    if (newestFirst.some(({ snapshot }) => this.#held.isAhead(snapshot, serial))) return null
    const sizes = newestFirst.map(({ snapshot }) => snapshot.meta.subjectCount)
    const snapshotSize = sizes.pop() ?? 0
    const overlaySize = sizes.reduce((sum, size) => sum + size, 0)
    const isWorthIt = overlaySize > SETTLE_MIN && this.#isSettled()
    const count = isWorthIt ? newestFirst.length : chooseMerge(sizes, snapshotSize)
    if (count === 0) return null
    const run = newestFirst.slice(0, count)
    const isWhole = count === newestFirst.length
    const merged = { ...momentOf(this.#foundation), isWhole }
    const size = run.reduce((sum, { snapshot }) => sum + snapshot.meta.subjectCount, 0)
    if (size <= SMALL) {
      const snapshots = run.map((layer) => layer.snapshot)
      this.#exchange(run, mergeSnapshots(snapshots, merged))
      return null
    }
    const buffers = run.map((layer) => layer.snapshot.buffer)
    return this.#mergeBeside(run, { kind: 'merge', buffers, ...merged })
      .catch((error: unknown) => {
        this.#complain('Layers of the intel set could not be merged', error)
      })
      .finally(() => {
        this.#merging = null
      })
  }

  #isSettled(): boolean {
    const nowMs = this.#foundation.clock.nowMs()
    return nowMs - this.#changedAtMs > SETTLE_MS || nowMs > this.#nextWholeAtMs
  }

  async #mergeBeside(run: readonly Layer[], job: IndexJob & { kind: 'merge' }): Promise<void> {
    const { clock } = this.#foundation
    const startedMs = clock.nowMs()
    const snapshot = Snapshot.fromBuffer(await this.#merger.run(job))
    const tookMs = clock.nowMs() - startedMs
    if (job.isWhole) this.#nextWholeAtMs = clock.nowMs() + Math.max(WHOLE_MS, tookMs * WHOLE_PAUSES)
    if (this.#exchange(run, snapshot) && job.isWhole) this.writeLater(snapshot)
  }

  /**
   * Puts the merged layer in the place of those it was made of; false when they are no longer
   * there.
   */
  #exchange(run: readonly Layer[], merged: Snapshot): boolean {
    const { newestFirst } = this.#held.read()
    const at = newestFirst.findIndex((layer) => layer === run[0])
    if (at < 0 || newestFirst[at + run.length - 1] !== run.at(-1)) return false
    this.#held.replaceLayers(newestFirst.toSpliced(at, run.length, layerOf(merged)))
    return true
  }

  /** Makes the file anew from this snapshot. */
  writeLater(snapshot: Snapshot): void {
    this.#attempt('The snapshot could not be written, so the next start reads the database', () =>
      this.#write(snapshot),
    )
  }

  async #write({ buffer, serial }: Snapshot): Promise<void> {
    await this.#merger.run({ kind: 'write', buffer, file: this.#file })
    this.#fileSerial = Math.max(this.#fileSerial, serial)
  }

  #attempt(complaint: string, work: () => Promise<unknown>): void {
    void work().catch((error: unknown) => this.#complain(complaint, error))
  }

  #complain(complaint: string, error: unknown): void {
    if (!this.#isClosed) this.#foundation.log.warn(complaint, { error: String(error) })
  }

  /** Leaves a file from which a start has all that is known by now at once. Never rejects. */
  async leaveFile(): Promise<void> {
    await this.#writeLacking().catch((error: unknown) => {
      this.#complain('The snapshot was not written, so the next start reads more', error)
    })
  }

  async #writeLacking(): Promise<void> {
    await this.#merging
    const { newestFirst } = this.#held.read()
    const snapshots = newestFirst.map((layer) => layer.snapshot)
    const lacking = snapshots.filter(({ serial }) => serial > this.#fileSerial)
    const size = lacking.reduce((sum, { meta }) => sum + meta.subjectCount, 0)
    if (size <= SETTLE_MIN) return
    const [newest] = snapshots
    if (newest !== undefined && snapshots.length === 1) return await this.#write(newest)
    const buffers = snapshots.map(({ buffer }) => buffer)
    const job = { kind: 'merge', buffers, ...momentOf(this.#foundation), isWhole: true } as const
    await this.#write(Snapshot.fromBuffer(await this.#merger.run(job)))
  }

  /** Breaks off what is under way. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#merger.close()
    await this.#merging
  }
}
