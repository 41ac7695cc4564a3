// Upkeep of the intel set that no caller waits for: keeps its overlay short, its file recent and
// the change log pruned.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { chooseMerge } from '../snapshot/choose-merge.ts'
import { countExpired } from '../snapshot/expired-facts.ts'
import { mergeSnapshots } from '../snapshot/merge-snapshots.ts'
import { Snapshot } from '../snapshot/snapshot.ts'
import { buildTimeOf, SMALL } from './change-reader.ts'
import type { IndexDeps } from './index-deps.ts'
import type { IndexJob } from './index-job.ts'
import { createIndexWorker } from './index-worker.ts'
import { type IntelSetState, type Layer, layerOf } from './intel-set.ts'
import { ownSnapshotFile } from './own-snapshot-file.ts'
import { pruneChanges } from './serial-store.ts'

// A start reads the changes since the file was written. A file that lacks this many subjects is
// written again once the set is quiet. Under steady changes it is written every minute, or less
// often, so that it takes at most a sixtieth of a core.
const REWRITE_MIN = 2_000
const QUIET_MS = 5_000
const WHOLE_MS = 60_000
const WHOLE_PAUSES = 60
const PRUNE_MS = 600_000
// How often a set that nothing else merges is looked through for entries past their retention, and
// how many facts at once: about 1 ms.
const EXPIRED_MS = 3_600_000
const EXPIRED_FACTS = 200_000

/** The set whose overlay is kept. */
export interface KeptSet {
  readonly read: () => IntelSetState
  readonly replaceLayers: (newestFirst: readonly Layer[]) => void
  /** Whether a layer was read ahead and must not be merged with others yet. */
  readonly isAhead: (layer: Snapshot, serial: number) => boolean
}

export class OverlayKeeper {
  readonly #deps: IndexDeps
  readonly #kept: KeptSet
  readonly #file: string
  readonly #merger = createIndexWorker()
  #changedAtMs: number
  #nextWholeAtMs: number
  #prunedAtMs: number
  // The serial of the file; -1 without one.
  #fileSerial: number
  #merging: Promise<void> | null = null
  #nextExpiredAtMs: number
  // Some entries are past their retention, and are left out by the next merge of all.
  #hasExpired = false
  #isClosed = false

  /** `fileSerial` is the serial of the file; -1 without one. */
  constructor(deps: IndexDeps, fileSerial: number, kept: KeptSet) {
    const nowMs = deps.clock.nowMs()
    this.#deps = deps
    this.#kept = kept
    this.#file = ownSnapshotFile(deps)
    this.#fileSerial = fileSerial
    this.#changedAtMs = nowMs
    this.#nextWholeAtMs = nowMs + WHOLE_MS
    this.#prunedAtMs = nowMs
    this.#nextExpiredAtMs = nowMs
  }

  /** Puts off merging the whole set: it is not quiet. */
  noteChange(): void {
    this.#changedAtMs = this.#deps.clock.nowMs()
  }

  /** Begins the upkeep that is due. A step that fails is tried again after the next poll. */
  tidy(): void {
    if (this.#isClosed) return
    const nowMs = this.#deps.clock.nowMs()
    if (this.#deps.isReadOnly !== true && nowMs - this.#prunedAtMs > PRUNE_MS) {
      this.#prunedAtMs = nowMs
      this.#attempt('The change log could not be pruned', () => pruneChanges(this.#deps.db))
    }
    if (nowMs >= this.#nextExpiredAtMs) {
      this.#nextExpiredAtMs = nowMs + EXPIRED_MS
      this.#attempt('Expired entries could not be counted', () => this.#findExpired())
    }
    this.#merging ??= this.#mergeSome()
  }

  /** Notes that some entries are past their retention, or some subjects without any entry. */
  async #findExpired(): Promise<void> {
    const { expiredSeconds } = buildTimeOf(this.#deps)
    const { newestFirst } = this.#kept.read()
    for (const layer of newestFirst) {
      const { records } = layer.snapshot
      // What an older layer hides is no longer needed in the oldest.
      const countsEmpty = layer === newestFirst.at(-1)
      for (let from = 0; from < records.length && !this.#isClosed; ) {
        const slice = { from, factsMax: EXPIRED_FACTS, expiredSeconds, countsEmpty }
        const { expired, next } = countExpired(records, slice)
        if (expired > 0) {
          this.#hasExpired = true
          return
        }
        from = next
        // oxlint-disable-next-line eslint/no-await-in-loop
        await nextTurn()
      }
    }
  }

  /** Merges the layers that are due; null when there are none, or so few that it is done. */
  #mergeSome(): Promise<void> | null {
    const { newestFirst, serial } = this.#kept.read()
    // Layers that were read ahead must stay apart.
    if (newestFirst.some(({ snapshot }) => this.#kept.isAhead(snapshot, serial))) return null
    const sizes = newestFirst.map(({ snapshot }) => snapshot.meta.subjectCount)
    const snapshotSize = sizes.pop() ?? 0
    const overlaySize = sizes.reduce((sum, size) => sum + size, 0)
    const mergesAll = this.#hasExpired || (overlaySize > REWRITE_MIN && this.#isQuiet())
    const count = mergesAll ? newestFirst.length : chooseMerge(sizes, snapshotSize)
    if (count === 0) return null
    if (this.#hasExpired) {
      this.#hasExpired = false
      // Subjects of an upper layer that lost all entries go with the merge after this one.
      this.#nextExpiredAtMs = this.#deps.clock.nowMs() + WHOLE_MS
    }
    const layers = newestFirst.slice(0, count)
    const options = { ...buildTimeOf(this.#deps), isWhole: count === newestFirst.length }
    const size = layers.reduce((sum, { snapshot }) => sum + snapshot.meta.subjectCount, 0)
    if (size <= SMALL) {
      const snapshots = layers.map((layer) => layer.snapshot)
      this.#exchange(layers, mergeSnapshots(snapshots, options))
      return null
    }
    const buffers = layers.map((layer) => layer.snapshot.buffer)
    return this.#mergeInThread(layers, { kind: 'merge', buffers, ...options })
      .catch((error: unknown) => {
        this.#warn('Layers of the intel set could not be merged', error)
      })
      .finally(() => {
        this.#merging = null
      })
  }

  #isQuiet(): boolean {
    const nowMs = this.#deps.clock.nowMs()
    return nowMs - this.#changedAtMs > QUIET_MS || nowMs > this.#nextWholeAtMs
  }

  async #mergeInThread(layers: readonly Layer[], job: IndexJob & { kind: 'merge' }): Promise<void> {
    const { clock } = this.#deps
    const startedMs = clock.nowMs()
    const snapshot = Snapshot.fromBuffer(await this.#merger.run(job))
    const tookMs = clock.nowMs() - startedMs
    if (job.isWhole) this.#nextWholeAtMs = clock.nowMs() + Math.max(WHOLE_MS, tookMs * WHOLE_PAUSES)
    if (this.#exchange(layers, snapshot) && job.isWhole) this.writeLater(snapshot)
  }

  /**
   * Swaps the merged layer for the layers it was made of; false when they are no longer there.
   */
  #exchange(layers: readonly Layer[], merged: Snapshot): boolean {
    const { newestFirst } = this.#kept.read()
    const at = newestFirst.findIndex((layer) => layer === layers[0])
    if (at < 0 || newestFirst[at + layers.length - 1] !== layers.at(-1)) return false
    this.#kept.replaceLayers(newestFirst.toSpliced(at, layers.length, layerOf(merged)))
    return true
  }

  /** Writes the file from this snapshot, in the background. */
  writeLater(snapshot: Snapshot): void {
    this.#attempt('The snapshot could not be written, so the next start reads the database', () =>
      this.#write(snapshot),
    )
  }

  async #write({ buffer, serial }: Snapshot): Promise<void> {
    await this.#merger.run({ kind: 'write', buffer, file: this.#file })
    this.#fileSerial = Math.max(this.#fileSerial, serial)
  }

  #attempt(message: string, work: () => Promise<unknown>): void {
    void work().catch((error: unknown) => this.#warn(message, error))
  }

  #warn(message: string, error: unknown): void {
    if (!this.#isClosed) this.#deps.log.warn(message, { error: String(error) })
  }

  /** Completes the file, so that the next start need not read more. Never rejects. */
  async leaveFile(): Promise<void> {
    await this.#writeLacking().catch((error: unknown) => {
      this.#warn('The snapshot was not written, so the next start reads more', error)
    })
  }

  async #writeLacking(): Promise<void> {
    await this.#merging
    const { newestFirst } = this.#kept.read()
    const snapshots = newestFirst.map((layer) => layer.snapshot)
    const lacking = snapshots.filter(({ serial }) => serial > this.#fileSerial)
    const size = lacking.reduce((sum, { meta }) => sum + meta.subjectCount, 0)
    if (size <= REWRITE_MIN) return
    const [newest] = snapshots
    if (newest !== undefined && snapshots.length === 1) return await this.#write(newest)
    const buffers = snapshots.map(({ buffer }) => buffer)
    const job = { kind: 'merge', buffers, ...buildTimeOf(this.#deps), isWhole: true } as const
    await this.#write(Snapshot.fromBuffer(await this.#merger.run(job)))
  }

  /** Breaks off the running merge. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#merger.close()
    await this.#merging
  }
}
