// Reads the next layer of the intel set. New facts that this process pushed itself come from
// memory; the pushes of others, and changes of known facts, come from the database.

import type { AheadLayer } from '../snapshot/extend-snapshots.ts'
import { Snapshot } from '../snapshot/snapshot.ts'
import { readFewChanges } from './fact-store.ts'
import { FreshFacts, type FreshPush } from './fresh-facts.ts'
import type { IndexDeps } from './index-deps.ts'
import type { IndexJob } from './index-job.ts'
import type { IndexWorker } from './index-worker.ts'
import { DAY_SECONDS } from './intel-set.ts'
import { countChanges, listSmallPushes } from './serial-store.ts'

// At most so many subjects are read and merged in the serving thread: about 3 ms, and no thread has
// to be started for the steady small pushes of sensors.
export const SMALL = 250
// Above this, and above half of the known subjects, reading everything is quicker than reading the
// changes.
const CHANGES_MIN = 200_000

interface BuildTime {
  readonly builtAtMs: number
  readonly lookBackSeconds: number
  readonly expiredSeconds: number
}

/**
 * The time of a snapshot that is built now, the look-back of its look-ups, and the second up to
 * which expired entries are left out.
 */
export function buildTimeOf({ clock, config }: IndexDeps): BuildTime {
  const builtAtMs = clock.nowMs()
  return {
    builtAtMs,
    lookBackSeconds: config.lookBackDays * DAY_SECONDS,
    expiredSeconds: Math.max(0, Math.floor(builtAtMs / 1_000) - config.expiredDays * DAY_SECONDS),
  }
}

/** The state of the set: all changes up to the serial are in it. */
export interface KnownState {
  readonly serial: number
  readonly mark: string
  readonly seed: number
}

export interface ReadAhead {
  readonly layer: AheadLayer | null
  /** Whether no small push was left for later. */
  readonly isAll: boolean
}

export class ChangeReader {
  /** The pushes of this process. */
  readonly fresh = new FreshFacts()
  readonly #deps: IndexDeps
  readonly #worker: IndexWorker
  // Small layers that hold more than their serial says, since they were read ahead.
  #ahead: readonly AheadLayer[] = []
  // The serial up to which small pushes were read ahead.
  #readAheadTo = 0
  #slow = 0

  constructor(deps: IndexDeps, worker: IndexWorker) {
    this.#deps = deps
    this.#worker = worker
  }

  /** True while another thread reads or builds a layer, which may take seconds. */
  get isSlow(): boolean {
    return this.#slow > 0
  }

  /**
   * Reads small pushes ahead of their turn, so that they do not wait for a slow read. The layer
   * lies over the whole set and over the layer that is being read; null when there is nothing to
   * read.
   */
  async readAhead({ seed, serial, mark }: KnownState): Promise<ReadAhead> {
    const db = this.#deps.db
    const after = Math.max(serial, this.#readAheadTo)
    const pushes = await listSmallPushes(db, { after, subjectsMax: SMALL, limit: SMALL })
    let taken = 0
    let upTo = 0
    for (const push of pushes) {
      taken += push.subject_count
      if (taken > SMALL) break
      upTo = push.serial
    }
    if (upTo === 0) return { layer: null, isAll: true }
    const { layer: snapshot, seenTo } = await readFewChanges(db, {
      ...buildTimeOf(this.#deps),
      seed,
      after,
      upTo,
      small: { subjectsMax: SMALL, serial, mark },
    })
    this.#readAheadTo = upTo
    const layer = { seenTo, snapshot }
    this.#ahead = [...this.#ahead, layer]
    return { layer, isAll: upTo === pushes.at(-1)?.serial && pushes.length < SMALL }
  }

  /** Whether a layer holds more than this serial says. It must stay over layers of that serial. */
  isAhead(layer: Snapshot, serial: number): boolean {
    return this.#ahead.some(({ snapshot, seenTo }) => snapshot === layer && seenTo > serial)
  }

  /** Forgets everything: the database has another history. */
  clear(): void {
    this.fresh.clear()
    this.#ahead = []
    this.#readAheadTo = 0
  }

  async #runInThread(job: IndexJob): Promise<Snapshot> {
    this.#slow += 1
    try {
      return Snapshot.fromBuffer(await this.#worker.run(job))
    } finally {
      this.#slow -= 1
    }
  }

  /** All facts, of one transaction. */
  async readAll(seed: number): Promise<Snapshot> {
    const { connection } = this.#deps
    const options = { ...buildTimeOf(this.#deps), seed }
    return await this.#runInThread({ kind: 'read', connection, options, known: [] })
  }

  /**
   * A layer over `known`, the newest first, that leads from serial `after` towards `upTo`. It may
   * end before `upTo` or beyond it. Null when reading everything is quicker.
   */
  async readNext(
    known: readonly Snapshot[],
    after: number,
    upTo: number,
  ): Promise<Snapshot | null> {
    if (this.fresh.listAfter(after, upTo).at(-1)?.serial !== upTo) await this.fresh.whenReported()
    const run = this.fresh.listAfter(after, upTo)
    const layer =
      run.length > 0 ? await this.#extend(known, run) : await this.#read(known, after, upTo)
    if (layer === null) return null
    this.forgetUpTo(layer.serial)
    return layer
  }

  /** Forgets the pushes up to a serial that the set has reached. */
  forgetUpTo(serial: number): void {
    this.fresh.forgetUpTo(serial)
    this.#ahead = this.#ahead.filter(({ seenTo }) => seenTo > serial)
  }

  async #extend(known: readonly Snapshot[], run: readonly FreshPush[]): Promise<Snapshot> {
    const last = run.at(-1)
    if (last === undefined) throw new Error('there is nothing to extend the set by')
    const { serial, mark } = last
    const job = {
      kind: 'extend',
      options: { ...buildTimeOf(this.#deps), serial, mark, seed: seedOf(known) },
      pushes: run.map((push) => ({ serial: push.serial, log: push.log })),
      known: known.map(({ buffer }) => buffer),
      ahead: this.#ahead.map(({ seenTo, snapshot }) => ({ seenTo, buffer: snapshot.buffer })),
    } as const
    try {
      return await this.#runInThread(job)
    } catch (error) {
      // The next attempt reads it from the database.
      this.fresh.forgetUpTo(serial)
      throw error
    }
  }

  async #read(known: readonly Snapshot[], after: number, upTo: number): Promise<Snapshot | null> {
    const db = this.#deps.db
    const next = this.fresh.findNext(after)
    const end = next !== null && next <= upTo ? next - 1 : upTo
    const options = { ...buildTimeOf(this.#deps), after, seed: seedOf(known) }
    if ((await countChanges(db, { after, upTo: end })) <= SMALL) {
      const { layer, seenTo } = await readFewChanges(db, { ...options, upTo: end })
      if (seenTo > end) this.#ahead = [...this.#ahead, { seenTo, snapshot: layer }]
      return layer
    }
    const knownCount = known.at(-1)?.meta.subjectCount ?? 0
    const changes = await countChanges(db, { after, upTo })
    if (changes > Math.max(CHANGES_MIN, knownCount / 2)) return null
    const { connection } = this.#deps
    const buffers = known.map(({ buffer }) => buffer)
    return await this.#runInThread({ kind: 'read', connection, options, known: buffers })
  }
}

function seedOf(known: readonly Snapshot[]): number {
  const [newest] = known
  if (newest === undefined) throw new Error('an intel set has at least its snapshot')
  return newest.seed
}
