// Keeps the intel set of this process fresh (design, decision 6): starts it from its file or from
// the database, and applies the change log. Heavy steps run in threads of their own; their result
// is swapped in by reference. Work that can wait is in overlay-keeper.ts.
//
// States of the set, and what moves it:
//
//   start ── file of this database and history ──────────────► current at the serial of the file
//     └───── no such file ── read all (thread) ──────────────► current at the newest serial
//
//   current ── poll, push ── newest serial? ── the same ─────► current
//     ├── newer, at most 250 subjects ── read here ──────────► current (one more layer)
//     ├── newer, pushed by this process ── extend (thread) ──► current (one more layer)
//     ├── newer, more subjects ── read changes (thread) ─────► current (one more layer)
//     ├── newer, too many subjects ── read all (thread) ─────► current (one snapshot)
//     └── log does not reach the own serial ── read all ─────► current (one snapshot)
//
// While a thread reads, small pushes are read ahead of their turn. Such a layer stays on top until
// the serial of the set has passed it (`isAhead`). A failed step leaves the state as it was; the
// next poll tries again. Only one refresh runs at a time.

import { setTimeout as delay } from 'node:timers/promises'
import { singleFlight } from '../../kernel/async/single-flight.ts'
import { asPoll } from '../../kernel/db/statement-limit.ts'
import type { SightingRule } from '../facts/sighting-rules.ts'
import { buildTagCatalogue, type TagCatalogue } from '../facts/tag-catalogue.ts'
import { Snapshot } from '../snapshot/snapshot.ts'
import { SnapshotBuilder } from '../snapshot/snapshot-builder.ts'
import { buildTimeOf, ChangeReader, SMALL } from './change-reader.ts'
import type { FreshFacts } from './fresh-facts.ts'
import type { IndexDeps } from './index-deps.ts'
import { createIndexWorker, type IndexWorker } from './index-worker.ts'
import { IntelSet, type IntelSetState, type Layer, layerOf } from './intel-set.ts'
import { OverlayKeeper } from './overlay-keeper.ts'
import { readOwnSnapshot, removeAbandonedSnapshots } from './own-snapshot-file.ts'
import { listEnabledRules } from './rule-reader.ts'
import { readSerials, type Serials } from './serial-store.ts'
import { listTags } from './tag-reader.ts'
import { takeSnapshot } from './take-snapshot.ts'

// A poll that takes longer goes on in the background.
const POLL_WAIT_MS = 250
// A small push waits this long before it is read ahead of a slow refresh.
const READ_AHEAD_MS = 100
// A stop completes the file, so that the next start need not read the rest: about 2 s for a million
// subjects. Docker kills after 10 s.
const STOP_MS = 6_000
// A standby that replays one large transaction is seconds behind another one.
const BEHIND_MAX_MS = 60_000

/** The newest serials, read by somebody else. */
export interface SeenSerials extends Serials {
  /** The serial of the set whose mark `mark` is. */
  readonly ownSerial: number
  /** How old the database was that said so: above 0 for a standby. */
  readonly ageMs: number
}

/** Called after every change of the state, in the thread of the keeper. */
export type OnState = (state: IntelSetState) => void

export class IndexKeeper {
  readonly set: IntelSet
  readonly #deps: IndexDeps
  readonly #onState: OnState
  // Changes must be visible within a second; merges take longer and have a thread of their own.
  readonly #reader: IndexWorker
  readonly #changes: ChangeReader
  readonly #overlay: OverlayKeeper
  #tagSerial: number
  // The mark of the push that has the serial of the set. Another mark means another history.
  #mark: string
  #readingAhead: Promise<boolean> = Promise.resolve(true)
  // Above 0 behind a standby.
  #ageMs = 0
  #behindSinceMs: number | null = null
  #isClosed = false

  private constructor(deps: IndexDeps, start: Start, onState: OnState) {
    const { snapshot, tags, rules, tagSerial, reader } = start
    const nowMs = deps.clock.nowMs()
    this.#deps = deps
    this.#changes = new ChangeReader(deps, reader)
    this.#onState = onState
    this.#reader = reader
    this.#tagSerial = tagSerial
    this.#mark = snapshot.meta.mark
    this.set = new IntelSet(deps, {
      newestFirst: [layerOf(snapshot)],
      tags,
      rules,
      serial: snapshot.serial,
      checkedAtMs: nowMs,
    })
    this.#overlay = new OverlayKeeper(deps, start.fileSerial, {
      read: () => this.set.state,
      replaceLayers: (newestFirst) => this.#replace({ newestFirst }),
      isAhead: (layer, serial) => this.#changes.isAhead(layer, serial),
    })
  }

  /** Resolves when look-ups see everything that was committed before. */
  static async open(deps: IndexDeps, onState: OnState): Promise<IndexKeeper> {
    const db = deps.db
    // The serial of tags and rules first: a change in between is then read once more, and never
    // missed.
    const { tagSerial } = await readSerials(db, 0)
    const tags = buildTagCatalogue(await listTags(db))
    const rules = await listEnabledRules(db)
    const reader = createIndexWorker()
    const known = (await readOwnSnapshot(deps)) ?? (await takeSnapshot(deps))
    await removeAbandonedSnapshots(deps)
    const snapshot = known ?? (await buildFirst(deps, reader))
    const fileSerial = known?.serial ?? -1
    const start = { snapshot, tags, rules, tagSerial, reader, fileSerial }
    const keeper = new IndexKeeper(deps, start, onState)
    await keeper.refresh()
    if (known === null && snapshot.meta.subjectCount > 0) keeper.#overlay.writeLater(snapshot)
    return keeper
  }

  /** Takes the pushes of this process, so that they need not be read from the database. */
  get fresh(): FreshFacts {
    return this.#changes.fresh
  }

  /** Applies all committed changes. Rejects when the database does not answer. */
  readonly refresh = singleFlight(() => this.#readChanges())

  /**
   * Looks at the newest serials, and reads what is new. Changes are read by serials of their own:
   * a push of this process that was committed since then must not be missed.
   */
  readonly follow = async (seen: SeenSerials): Promise<void> => {
    this.#ageMs = seen.ageMs
    if (this.#isNewest(seen)) this.#noteChecked()
    else await this.#poll()
  }

  #isNewest({ ownSerial, serial, tagSerial, mark }: SeenSerials): boolean {
    const own = this.set.state.serial
    const isSame = ownSerial === own && serial === own
    return isSame && tagSerial === this.#tagSerial && (mark ?? '') === this.#mark
  }

  #noteChecked(): void {
    this.#replace({ checkedAtMs: this.#deps.clock.nowMs() - this.#ageMs })
    this.#overlay.tidy()
  }

  async #readChanges(): Promise<void> {
    if (this.#isClosed) return
    const db = this.#deps.db
    const own = this.set.state.serial
    const { serial, tagSerial, mark } = await asPoll(() => readSerials(db, own))
    if (this.#isBehind(serial, mark)) return
    if (tagSerial !== this.#tagSerial) {
      const tags = buildTagCatalogue(await listTags(db))
      const rules = await listEnabledRules(db)
      this.#tagSerial = tagSerial
      this.#replace({ tags, rules })
    }
    if ((mark ?? '') !== this.#mark) await this.#reload()
    else if (serial > this.set.state.serial) await this.#apply(serial)
    this.#noteChecked()
  }

  /**
   * Whether a look-up node meets a standby that is behind its own set, as after a change from one
   * standby to another. The set stays as it is for a while. After that the database is taken to
   * have lost the changes, as after a restore.
   */
  #isBehind(serial: number, mark: string | null): boolean {
    const nowMs = this.#deps.clock.nowMs()
    if (this.#deps.isReadOnly !== true || mark !== null || serial >= this.set.state.serial) {
      this.#behindSinceMs = null
      return false
    }
    this.#behindSinceMs ??= nowMs
    return nowMs - this.#behindSinceMs < BEHIND_MAX_MS
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

  // The database was restored or exchanged, or its log no longer reaches back to the serial of the
  // set: no fact of the set is known to be true.
  async #reload(): Promise<void> {
    this.#deps.log.info('The intel set is read anew, since the change log does not lead on from it')
    this.#changes.clear()
    await this.#readAll()
  }

  async #readAll(): Promise<void> {
    const snapshot = await this.#changes.readAll(this.#newest().seed)
    this.#changes.forgetUpTo(snapshot.serial)
    this.#putLayer(snapshot, [])
    this.#overlay.writeLater(snapshot)
  }

  // Each layer leads at least one serial further.
  async #apply(serial: number): Promise<void> {
    while (this.set.state.serial < serial && !this.#isClosed) {
      const known = this.set.state.newestFirst.map(({ snapshot }) => snapshot)
      // One layer lies over the other.
      // oxlint-disable-next-line eslint/no-await-in-loop
      const layer = await this.#changes.readNext(known, this.set.state.serial, serial)
      // oxlint-disable-next-line eslint/no-await-in-loop
      if (layer === null) return await this.#readAll()
      this.#overlay.noteChange()
      this.#putLayer(layer, this.set.state.newestFirst)
    }
  }

  // A layer that was read later than the serial of this one stays over it.
  #putLayer(layer: Snapshot, under: readonly Layer[]): void {
    const isOver = ({ snapshot }: Layer): boolean => this.#changes.isAhead(snapshot, layer.serial)
    const over = this.set.state.newestFirst.filter(isOver)
    this.#mark = layer.meta.mark
    this.#replace({
      newestFirst: [...over, layerOf(layer), ...under.filter((one) => !isOver(one))],
      serial: layer.serial,
    })
  }

  /**
   * Resolves when a push of so many rows, committed by now, is visible. A small push does not wait
   * for a slow refresh; a larger one waits as with `refresh`.
   */
  readonly seeSoon = async (rows: number): Promise<void> => {
    const refreshing = this.refresh()
    if (rows > SMALL) return await refreshing
    const isRefreshed = refreshing.then(() => true)
    // The race reports the failure, unless reading ahead is quicker.
    isRefreshed.catch(() => undefined)
    // Ends with the refresh at the latest.
    for (;;) {
      // oxlint-disable-next-line eslint/no-await-in-loop
      if (this.#changes.isSlow && (await this.#readAhead())) return
      // oxlint-disable-next-line eslint/no-await-in-loop
      if (await Promise.race([isRefreshed, delay(READ_AHEAD_MS, false, { ref: false })])) return
    }
  }

  /** Looks at the change log once, and does not wait for a slow refresh. */
  async #poll(): Promise<void> {
    if (this.#changes.isSlow) {
      await this.#readAhead()
      return
    }
    const refreshing = this.refresh()
    // The next poll finds the same failure.
    refreshing.catch(() => undefined)
    await Promise.race([refreshing, delay(POLL_WAIT_MS, undefined, { ref: false })])
  }

  /**
   * True when every small push is visible. One read at a time, so that the newest layer is read
   * last.
   */
  #readAhead(): Promise<boolean> {
    const reading = this.#readingAhead.then(async () => {
      if (this.#isClosed) return false
      const { serial } = this.set.state
      const known = { serial, mark: this.#mark, seed: this.#newest().seed }
      const { layer, isAll } = await this.#changes.readAhead(known)
      if (layer !== null && layer.seenTo > this.set.state.serial) {
        this.#replace({ newestFirst: [layerOf(layer.snapshot), ...this.set.state.newestFirst] })
      }
      return isAll
    })
    this.#readingAhead = reading.catch(() => false)
    return reading
  }

  /**
   * Applies all committed changes and leaves a file from which the next start has them at once,
   * unless that takes more than some seconds.
   */
  async close(): Promise<void> {
    const leaving = this.#leaveFile()
    await Promise.race([leaving, delay(STOP_MS, undefined, { ref: false })])
    this.#isClosed = true
    await Promise.all([this.#reader.close(), this.#overlay.close()])
    await leaving
    await this.#readingAhead
    // Waits for the running refresh; a closed keeper begins no other.
    await this.refresh().catch(() => undefined)
  }

  async #leaveFile(): Promise<void> {
    // Without its database the set keeps its state.
    await this.refresh().catch(() => undefined)
    await this.#overlay.leaveFile()
  }
}

interface Start {
  readonly snapshot: Snapshot
  readonly tags: TagCatalogue
  readonly rules: readonly SightingRule[]
  readonly tagSerial: number
  readonly reader: IndexWorker
  readonly fileSerial: number
}

// An empty database, as at the first start, needs no thread to be read.
async function buildFirst(deps: IndexDeps, reader: IndexWorker): Promise<Snapshot> {
  const { db, connection } = deps
  const options = buildTimeOf(deps)
  const { serial, mark } = await readSerials(db, 0)
  if (serial === 0 && mark !== null) {
    return new SnapshotBuilder().build({ serial, mark, ...options })
  }
  return Snapshot.fromBuffer(await reader.run({ kind: 'read', connection, options, known: [] }))
}
