// Keeps the intel set of this process fresh (design, decision 6): starts it from its file or from
// the database and takes in what the change log brings. Heavy steps are done by threads of their
// own; the result is put in place by reference. What can wait: overlay-keeper.ts.

import { setTimeout as delay } from 'node:timers/promises'
import type { Foundation } from '../../kernel/foundation.ts'
import { buildTagCatalogue, type TagCatalogue } from '../facts/tag-catalogue.ts'
import { Snapshot } from '../snapshot/snapshot.ts'
import { SnapshotBuilder } from '../snapshot/snapshot-builder.ts'
import { ChangeReader, momentOf, SMALL } from './change-reader.ts'
import type { FreshFacts } from './fresh-facts.ts'
import { createIndexWorker, type IndexWorker } from './index-worker.ts'
import { IntelSet, type IntelSetState, type Layer, layerOf } from './intel-set.ts'
import { OverlayKeeper } from './overlay-keeper.ts'
import { readOwnSnapshot, removeAbandonedSnapshots } from './own-snapshot-file.ts'
import { readSerials } from './serial-store.ts'
import { listTags } from './tag-reader.ts'

// A look that takes longer goes on by itself.
const POLL_WAIT_MS = 250
// Who pushed little waits so long before it is looked whether much is being read.
const GLANCE_MS = 100
// A stop writes what the file lacks, so that the next start need not read it: about 2 s for a
// million subjects. Docker kills after 10 s.
const STOP_MS = 6_000

/** Called after every change of the state, in the thread of the keeper. */
export type OnState = (state: IntelSetState) => void

export class IndexKeeper {
  readonly set: IntelSet
  readonly #foundation: Foundation
  readonly #onState: OnState
  // Changes must be seen within a second; merges, which take longer, have a worker of their own.
  readonly #reader: IndexWorker
  readonly #changes: ChangeReader
  readonly #overlay: OverlayKeeper
  #tagSerial: number
  // Of the push that has the serial of the set.
  #mark: string
  // Refreshes run one after the other; whoever asks while one runs shares the one after it.
  #running: Promise<void> | null = null
  #next: Promise<void> | null = null
  #glancing: Promise<boolean> = Promise.resolve(true)
  #isClosed = false

  private constructor(foundation: Foundation, start: Start, onState: OnState) {
    const { snapshot, tags, tagSerial, reader } = start
    const nowMs = foundation.clock.nowMs()
    this.#foundation = foundation
    this.#changes = new ChangeReader(foundation, reader)
    this.#onState = onState
    this.#reader = reader
    this.#tagSerial = tagSerial
    this.#mark = snapshot.meta.mark
    this.set = new IntelSet(foundation, {
      newestFirst: [layerOf(snapshot)],
      tags,
      serial: snapshot.serial,
      checkedAtMs: nowMs,
    })
    this.#overlay = new OverlayKeeper(foundation, start.fileSerial, {
      read: () => this.set.state,
      replaceLayers: (newestFirst) => this.#replace({ newestFirst }),
      isAhead: (layer, serial) => this.#changes.isAhead(layer, serial),
    })
  }

  /** Resolves when look-ups see everything that was committed before. */
  static async open(foundation: Foundation, onState: OnState): Promise<IndexKeeper> {
    const db = foundation.database.kysely
    // The serial of the tags first: a change in between is then read once more, and never missed.
    const { tagSerial } = await readSerials(db, 0)
    const tags = buildTagCatalogue(await listTags(db))
    const reader = createIndexWorker()
    const known = await readOwnSnapshot(foundation)
    await removeAbandonedSnapshots(foundation)
    const snapshot = known ?? (await buildFirst(foundation, reader))
    const fileSerial = known?.serial ?? -1
    const start = { snapshot, tags, tagSerial, reader, fileSerial }
    const keeper = new IndexKeeper(foundation, start, onState)
    await keeper.refresh()
    if (known === null && snapshot.meta.subjectCount > 0) keeper.#overlay.writeLater(snapshot)
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
    this.#overlay.tidy()
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

  // The database was restored or exchanged, or its log no longer reaches back to what is held here:
  // nothing is known to be true of it.
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
    this.#overlay.writeLater(snapshot)
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
      this.#overlay.noteChange()
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

  /**
   * Takes in what was committed by now and has so few rows, also while much is read; more rows are
   * waited for as by `refresh`.
   */
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

  /**
   * True when every small push is seen. One after the other, so that the newest layer is read last.
   */
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

  /**
   * Takes in what is committed by now and leaves a file from which a start has it at once, if that
   * is done within seconds.
   */
  async close(): Promise<void> {
    const leaving = this.#leaveFile()
    await Promise.race([leaving, delay(STOP_MS, undefined, { ref: false })])
    this.#isClosed = true
    await Promise.all([this.#reader.close(), this.#overlay.close()])
    await leaving
    await this.#glancing
    await (this.#next ?? this.#running)?.catch(() => undefined)
  }

  async #leaveFile(): Promise<void> {
    // Without its database it keeps what it has.
    await this.refresh().catch(() => undefined)
    await this.#overlay.leaveFile()
  }
}

interface Start {
  readonly snapshot: Snapshot
  readonly tags: TagCatalogue
  readonly tagSerial: number
  readonly reader: IndexWorker
  readonly fileSerial: number
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
