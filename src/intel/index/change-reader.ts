// Reads the next layer of the intel set: from what this process pushed itself, from memory; what
// others pushed, and what changed known facts, from the database.

import type { Foundation } from '../../kernel/foundation.ts'
import type { AheadLayer } from '../snapshot/extend-snapshots.ts'
import { Snapshot } from '../snapshot/snapshot.ts'
import { readFewChanges } from './fact-store.ts'
import { FreshFacts, type FreshPush } from './fresh-facts.ts'
import type { IndexJob } from './index-job.ts'
import type { IndexWorker } from './index-worker.ts'
import { DAY_SECONDS } from './intel-set.ts'
import { countChanges, listSmallPushes } from './serial-store.ts'

// So many subjects are read and merged in the serving thread: about 3 ms, and no thread has to be
// started for the trickle of sensors.
export const SMALL = 250
// So many changes, and half of what is known, are quicker read as a whole than picked out.
const CHANGES_MIN = 200_000

interface Moment {
  readonly builtAtMs: number
  readonly lookBackSeconds: number
}

/** When a snapshot is built, and the look-back of its questions. */
export function momentOf({ clock, config }: Foundation): Moment {
  return { builtAtMs: clock.nowMs(), lookBackSeconds: config.lookBackDays * DAY_SECONDS }
}

/** Up to which everything is known. */
export interface KnownMoment {
  readonly serial: number
  readonly mark: string
  readonly seed: number
}

export interface Glance {
  readonly layer: AheadLayer | null
  /** Whether no small push was left for later. */
  readonly isAll: boolean
}

export class ChangeReader {
  /** What this process pushed. */
  readonly fresh = new FreshFacts()
  readonly #foundation: Foundation
  readonly #worker: IndexWorker
  // Layers of few subjects that were read later than their serial says.
  #ahead: readonly AheadLayer[] = []
  // Up to which small pushes were read before their turn.
  #glancedTo = 0
  #slow = 0

  constructor(foundation: Foundation, worker: IndexWorker) {
    this.#foundation = foundation
    this.#worker = worker
  }

  /** True while something is read or put together beside this thread, which may take seconds. */
  get isSlow(): boolean {
    return this.#slow > 0
  }

  /**
   * Reads small pushes before their turn, so that who pushes a little does not wait for the reading
   * of much. The layer lies over all that is known and over what is being read; null when there is
   * nothing to read.
   */
  async glance({ seed, serial, mark }: KnownMoment): Promise<Glance> {
    const db = this.#foundation.database.kysely
    const after = Math.max(serial, this.#glancedTo)
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
      ...momentOf(this.#foundation),
      seed,
      after,
      upTo,
      small: { subjectsMax: SMALL, serial, mark },
    })
    this.#glancedTo = upTo
    const layer = { seenTo, snapshot }
    this.#ahead = [...this.#ahead, layer]
    return { layer, isAll: upTo === pushes.at(-1)?.serial && pushes.length < SMALL }
  }

  /**
   * Whether a layer was read so late that it holds more than this serial: it must stay over layers
   * of such.
   */
  isAhead(layer: Snapshot, serial: number): boolean {
    return this.#ahead.some(({ snapshot, seenTo }) => snapshot === layer && seenTo > serial)
  }

  /** For another history: nothing that is held here is of it. */
  clear(): void {
    this.fresh.clear()
    this.#ahead = []
    this.#glancedTo = 0
  }

  async #beside(job: IndexJob): Promise<Snapshot> {
    this.#slow += 1
    try {
      return Snapshot.fromBuffer(await this.#worker.run(job))
    } finally {
      this.#slow -= 1
    }
  }

  /** Everything there is, at one moment. */
  async readAll(seed: number): Promise<Snapshot> {
    const { connection } = this.#foundation.database
    const options = { ...momentOf(this.#foundation), seed }
    return await this.#beside({ kind: 'read', connection, options, known: [] })
  }

  /**
   * A layer over `known`, the newest first, that leads from serial `after` towards `upTo`, perhaps
   * not there and perhaps beyond; null when reading everything is quicker.
   */
  async readNext(
    known: readonly Snapshot[],
    after: number,
    upTo: number,
  ): Promise<Snapshot | null> {
    if (this.fresh.listAfter(after, upTo).at(-1)?.serial !== upTo) await this.fresh.settle()
    const run = this.fresh.listAfter(after, upTo)
    const layer =
      run.length > 0 ? await this.#extend(known, run) : await this.#read(known, after, upTo)
    if (layer === null) return null
    this.forgetUpTo(layer.serial)
    return layer
  }

  /** For a set that has come to this serial in another way. */
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
      options: { ...momentOf(this.#foundation), serial, mark, seed: seedOf(known) },
      pushes: run.map((push) => ({ serial: push.serial, log: push.log })),
      known: known.map(({ buffer }) => buffer),
      ahead: this.#ahead.map(({ seenTo, snapshot }) => ({ seenTo, buffer: snapshot.buffer })),
    } as const
    try {
      return await this.#beside(job)
    } catch (error) {
      // The next attempt reads it from the database.
      this.fresh.forgetUpTo(serial)
      throw error
    }
  }

  async #read(known: readonly Snapshot[], after: number, upTo: number): Promise<Snapshot | null> {
    const db = this.#foundation.database.kysely
    const next = this.fresh.findNext(after)
    const end = next !== null && next <= upTo ? next - 1 : upTo
    const options = { ...momentOf(this.#foundation), after, seed: seedOf(known) }
    if ((await countChanges(db, { after, upTo: end })) <= SMALL) {
      const { layer, seenTo } = await readFewChanges(db, { ...options, upTo: end })
      if (seenTo > end) this.#ahead = [...this.#ahead, { seenTo, snapshot: layer }]
      return layer
    }
    const knownCount = known.at(-1)?.meta.subjectCount ?? 0
    const changes = await countChanges(db, { after, upTo })
    if (changes > Math.max(CHANGES_MIN, knownCount / 2)) return null
    const { connection } = this.#foundation.database
    const buffers = known.map(({ buffer }) => buffer)
    return await this.#beside({ kind: 'read', connection, options, known: buffers })
  }
}

function seedOf(known: readonly Snapshot[]): number {
  const [newest] = known
  if (newest === undefined) throw new Error('an intel set has at least its snapshot')
  return newest.seed
}
