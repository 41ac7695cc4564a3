// Keeps the intel set of this process fresh (design, decision 6): starts it from its file or from the database, takes in what the change log
// brings, keeps the overlay short and the file recent. Heavy steps are done by threads of their own; the result is put in place by reference.

import { setTimeout as delay } from 'node:timers/promises'
import type { Foundation } from '../../kernel/foundation.ts'
import { chooseMerge } from '../snapshot/choose-merge.ts'
import { mergeSnapshots } from '../snapshot/merge-snapshots.ts'
import { Snapshot } from '../snapshot/snapshot.ts'
import { SnapshotBuilder } from '../snapshot/snapshot-builder.ts'
import { ChangeReader, momentOf, SMALL } from './change-reader.ts'
import type { FreshFacts } from './fresh-facts.ts'
import type { IndexJob } from './index-job.ts'
import { IndexWorker } from './index-worker.ts'
import { IntelSet, type IntelSetState, type Layer } from './intel-set.ts'
import { ownSnapshotFile, readOwnSnapshot, removeAbandonedSnapshots } from './own-snapshot-file.ts'
import { pruneChanges, readSerials } from './serial-store.ts'
import { buildTagCatalogue, type TagCatalogue } from './tag-catalogue.ts'
import { listTags } from './tag-store.ts'

// A start reads what changed since the file, so a file that lacks this many is made anew once nothing has changed for a while, and
// under steady changes every minute, or so seldom that it takes a sixtieth of a core.
const SETTLE_MIN = 2_000
const SETTLE_MS = 5_000
const WHOLE_MS = 60_000
const WHOLE_PAUSES = 60
// A look that takes longer goes on by itself.
const POLL_WAIT_MS = 250
// Who pushed little waits so long before it is looked whether much is being read.
const GLANCE_MS = 100
const PRUNE_MS = 600_000
// A stop writes what the file lacks, so that the next start need not read it: about 2 s for a million subjects. Docker kills after 10 s.
const STOP_MS = 6_000

/** Called after every change of the state, in the thread of the keeper. */
export type OnState = (state: IntelSetState) => void

export class IndexKeeper {
  readonly set: IntelSet
  readonly #foundation: Foundation
  readonly #file: string
  readonly #onState: OnState
  // One for changes, which must be seen within a second, and one for merges, which take longer.
  readonly #reader: IndexWorker
  readonly #changes: ChangeReader
  readonly #merger = new IndexWorker()
  #tagSerial: number
  // Of the push that has the serial of the set.
  #mark: string
  #changedAtMs: number
  #nextWholeAtMs: number
  #prunedAtMs: number
  // Up to which the file holds everything; -1 without one.
  #fileSerial: number
  // Refreshes run one after the other; whoever asks while one runs shares the one after it.
  #running: Promise<void> | null = null
  #next: Promise<void> | null = null
  #merging: Promise<void> | null = null
  #glancing: Promise<boolean> = Promise.resolve(true)
  #isClosed = false

  private constructor(foundation: Foundation, start: Start, onState: OnState) {
    const { snapshot, tags, tagSerial, reader } = start
    const nowMs = foundation.clock.nowMs()
    this.#foundation = foundation
    this.#changes = new ChangeReader(foundation, reader)
    this.#file = ownSnapshotFile(foundation)
    this.#fileSerial = start.fileSerial
    this.#onState = onState
    this.#reader = reader
    this.#tagSerial = tagSerial
    this.#mark = snapshot.meta.mark
    this.#changedAtMs = nowMs
    this.#nextWholeAtMs = nowMs + WHOLE_MS
    this.#prunedAtMs = nowMs
    this.set = new IntelSet(foundation, {
      newestFirst: [layerOf(snapshot)],
      tags,
      serial: snapshot.serial,
      checkedAtMs: nowMs,
    })
  }

  /** Resolves when look-ups see everything that was committed before. */
  static async open(foundation: Foundation, onState: OnState): Promise<IndexKeeper> {
    const db = foundation.database.kysely
    // The serial of the tags first: a change in between is then read once more, and never missed.
    const { tagSerial } = await readSerials(db, 0)
    const tags = buildTagCatalogue(await listTags(db))
    const reader = new IndexWorker()
    const known = await readOwnSnapshot(foundation)
    await removeAbandonedSnapshots(foundation)
    const snapshot = known ?? (await buildFirst(foundation, reader))
    const fileSerial = known?.serial ?? -1
    const start = { snapshot, tags, tagSerial, reader, fileSerial }
    const keeper = new IndexKeeper(foundation, start, onState)
    await keeper.refresh()
    if (known === null && snapshot.meta.subjectCount > 0) keeper.#writeLater(snapshot)
    return keeper
  }

  /** Whoever pushes tells it here, and what it pushed need not be read. */
  get fresh(): FreshFacts {
    return this.#changes.fresh
  }

  /** Takes in everything that is committed by now. Rejects when the database does not answer. */
  readonly refresh = (): Promise<void> => {
    if (this.#running === null) return this.#start(this.#tail())
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = null
        return this.#start(this.#tail())
      })
    return this.#next
  }

  #start(work: Promise<void>): Promise<void> {
    const running = work.finally(() => {
      if (this.#running === running) this.#running = null
    })
    this.#running = running
    return running
  }

  async #tail(): Promise<void> {
    if (this.#isClosed) return
    const db = this.#foundation.database.kysely
    const { serial, tagSerial, mark } = await readSerials(db, this.set.state.serial)
    const tags = tagSerial === this.#tagSerial ? null : buildTagCatalogue(await listTags(db))
    this.#tagSerial = tagSerial
    if (tags !== null) this.#replace({ tags })
    if ((mark ?? '') !== this.#mark) await this.#startAnew()
    else if (serial > this.set.state.serial) await this.#take(serial)
    this.#replace({ checkedAtMs: this.#foundation.clock.nowMs() })
    this.#tidy()
  }

  #newest(): Snapshot {
    const newest = this.set.state.newestFirst[0]
    if (newest === undefined) throw new Error('an intel set has at least its snapshot')
    return newest.snapshot
  }

  #replace(change: Partial<IntelSetState>): void {
    if (this.#isClosed) return
    this.set.replace({ ...this.set.state, ...change })
    this.#onState(this.set.state)
  }

  // The database was restored or exchanged, or its log no longer reaches back to what is held here: nothing is known to be true of it.
  async #startAnew(): Promise<void> {
    this.#foundation.log.info(
      'The intel set is read anew, since the change log does not lead on from it',
    )
    this.#changes.clear()
    await this.#readAll()
  }

  async #readAll(): Promise<void> {
    const snapshot = await this.#changes.readAll(this.#newest().seed)
    this.#changes.forgetUpTo(snapshot.serial)
    this.#place(snapshot, [])
    this.#writeLater(snapshot)
  }

  // Each layer leads at least one serial on.
  async #take(serial: number): Promise<void> {
    while (this.set.state.serial < serial && !this.#isClosed) {
      const known = this.set.state.newestFirst.map(({ snapshot }) => snapshot)
      // One layer lies over the other.
      // oxlint-disable-next-line eslint/no-await-in-loop
      const layer = await this.#changes.readNext(known, this.set.state.serial, serial)
      // oxlint-disable-next-line eslint/no-await-in-loop
      if (layer === null) return await this.#readAll()
      this.#changedAtMs = this.#foundation.clock.nowMs()
      this.#place(layer, this.set.state.newestFirst)
    }
  }

  // What was read later than the serial of the layer stays over it.
  #place(layer: Snapshot, under: readonly Layer[]): void {
    const isOver = ({ snapshot }: Layer): boolean => this.#changes.isAhead(snapshot, layer.serial)
    const over = this.set.state.newestFirst.filter(isOver)
    this.#mark = layer.meta.mark
    this.#replace({
      newestFirst: [...over, layerOf(layer), ...under.filter((one) => !isOver(one))],
      serial: layer.serial,
    })
  }

  /** Takes in what was committed by now and has so few rows, also while much is read; more rows are waited for as by `refresh`. */
  readonly seeSoon = async (rows: number): Promise<void> => {
    const seen = this.refresh()
    if (rows > SMALL) return await seen
    const isOver = seen.then(() => true)
    // Told by the race, unless a glance is quicker.
    isOver.catch(() => undefined)
    // It ends with the refresh at the latest.
    for (;;) {
      // oxlint-disable-next-line eslint/no-await-in-loop
      if (this.#changes.isSlow && (await this.#glance())) return
      // oxlint-disable-next-line eslint/no-await-in-loop
      if (await Promise.race([isOver, delay(GLANCE_MS, false, { ref: false })])) return
    }
  }

  /** One look at the change log that does not wait for the reading of much. */
  readonly poll = async (): Promise<void> => {
    if (this.#changes.isSlow) {
      await this.#glance()
      return
    }
    const refreshing = this.refresh()
    // The next look finds the same trouble.
    refreshing.catch(() => undefined)
    await Promise.race([refreshing, delay(POLL_WAIT_MS, undefined, { ref: false })])
  }

  /** True when every small push is seen. One after the other, so that the newest layer is read last. */
  #glance(): Promise<boolean> {
    const glance = this.#glancing.then(async () => {
      if (this.#isClosed) return false
      const { serial } = this.set.state
      const known = { serial, mark: this.#mark, seed: this.#newest().seed }
      const { layer, isAll } = await this.#changes.glance(known)
      if (layer !== null && layer.seenTo > this.set.state.serial) {
        this.#replace({ newestFirst: [layerOf(layer.snapshot), ...this.set.state.newestFirst] })
      }
      return isAll
    })
    this.#glancing = glance.catch(() => false)
    return glance
  }

  // What can wait: nobody waits for it, and it is tried again after the next look at the change log.
  #tidy(): void {
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
    const { newestFirst, serial } = this.set.state
    // What was read before its turn must stay where it can be told apart.
    if (newestFirst.some(({ snapshot }) => this.#changes.isAhead(snapshot, serial))) return null
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
    if (this.#exchange(run, snapshot) && job.isWhole) this.#writeLater(snapshot)
  }

  /** Puts the merged layer in the place of those it was made of; false when they are no longer there. */
  #exchange(run: readonly Layer[], merged: Snapshot): boolean {
    const { newestFirst } = this.set.state
    const at = newestFirst.findIndex((layer) => layer === run[0])
    if (at < 0 || newestFirst[at + run.length - 1] !== run.at(-1)) return false
    this.#replace({ newestFirst: newestFirst.toSpliced(at, run.length, layerOf(merged)) })
    return true
  }

  #writeLater(snapshot: Snapshot): void {
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

  /** Takes in what is committed by now and leaves a file from which a start has it at once, if that is done within seconds. */
  async close(): Promise<void> {
    const leaving = this.#leaveFile().catch((error: unknown) => {
      this.#complain('The snapshot was not written, so the next start reads more', error)
    })
    await Promise.race([leaving, delay(STOP_MS, undefined, { ref: false })])
    this.#isClosed = true
    await Promise.all([this.#reader.close(), this.#merger.close()])
    await leaving
    await this.#merging
    await this.#glancing
    await (this.#next ?? this.#running)?.catch(() => undefined)
  }

  async #leaveFile(): Promise<void> {
    // Without its database it keeps what it has.
    await this.refresh().catch(() => undefined)
    await this.#merging
    const { newestFirst } = this.set.state
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
}

interface Start {
  readonly snapshot: Snapshot
  readonly tags: TagCatalogue
  readonly tagSerial: number
  readonly reader: IndexWorker
  readonly fileSerial: number
}

let lastLayerId = 0

function layerOf(snapshot: Snapshot): Layer {
  lastLayerId += 1
  return { id: lastLayerId, snapshot }
}

// An empty database, as at the first start, needs no thread to be read.
async function buildFirst(foundation: Foundation, reader: IndexWorker): Promise<Snapshot> {
  const { kysely, connection } = foundation.database
  const options = momentOf(foundation)
  const { serial, mark } = await readSerials(kysely, 0)
  if (serial === 0 && mark !== null) {
    return new SnapshotBuilder().build({ serial, mark, ...options })
  }
  return Snapshot.fromBuffer(await reader.run({ kind: 'read', connection, options, known: [] }))
}
