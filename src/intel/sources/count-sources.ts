// Counts the subjects with a live entry of each source: those of facts in memory, over the set that
// look-ups read; others by the store of their kind.

import type { Clock } from '../../kernel/clock.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import { RecordCounter } from '../snapshot/record-counter.ts'
import { scanAll } from '../snapshot/scan-all.ts'
import type { CountedEntryStore } from './entries/entry-store.ts'
import type { KnownSource } from './source-store.ts'

// Entries also expire with time, so an old count is not used.
const KEPT_MS = 60_000
// Counting a million subjects takes half a second of a core, in slices of a millisecond. So a set
// of this size is counted once a minute although pushes change it. It is counted at once when a
// source was fetched since (every five minutes at most) or sent its first entries, since a person
// looks right after that.
const LARGE_MIN = 100_000

interface Counted {
  readonly serial: number
  readonly atMs: number
  readonly subjects: number
  readonly entries: ReadonlyMap<string, number>
}

export interface SourceCountsDeps {
  readonly clock: Clock
  readonly index: IntelIndex
  /** The stores of the kinds whose entries are no facts. */
  readonly others: readonly CountedEntryStore[]
}

export class SourceCounts {
  readonly #deps: SourceCountsDeps
  readonly #largeMin: number
  #counted: Counted | null = null
  #running: Promise<Counted> | null = null

  constructor(deps: SourceCountsDeps, largeMin = LARGE_MIN) {
    this.#deps = deps
    this.#largeMin = largeMin
  }

  /** The number of subjects with a live entry, for each of these sources. */
  async read(sources: readonly KnownSource[]): Promise<(source: KnownSource) => number> {
    const { entries } = await this.#find(sources)
    const others = await this.#countOthers(sources)
    return (source) => others.get(source.kind)?.get(source.name) ?? entries.get(keyOf(source)) ?? 0
  }

  /** By kind and name, for the kinds that are asked about. */
  async #countOthers(
    sources: readonly KnownSource[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
    const asked = this.#deps.others.filter(({ kind }) => sources.some((one) => one.kind === kind))
    const counts = await Promise.all(
      asked.map(async (other) => [other.kind, await other.count()] as const),
    )
    return new Map(counts)
  }

  async #find(sources: readonly KnownSource[]): Promise<Counted> {
    // A count that began before this call may lack the newest push.
    await this.#running?.catch(() => undefined)
    const { serial } = this.#deps.index.state()
    const nowMs = this.#deps.clock.nowMs()
    const known = this.#counted
    if (known !== null && Math.abs(nowMs - known.atMs) < KEPT_MS) {
      if (known.serial === serial) return known
      const isLarge = known.subjects >= this.#largeMin
      if (isLarge && !sources.some((source) => isNews(source, known))) return known
    }
    this.#running ??= this.#count(serial, nowMs).finally(() => {
      this.#running = null
    })
    return await this.#running
  }

  async #count(serial: number, nowMs: number): Promise<Counted> {
    const view = this.#deps.index.view()
    const counter = new RecordCounter(view.policy, Math.floor(nowMs / 1_000))
    await scanAll([...view.overlay, view.snapshot], (snapshot, record) => {
      counter.add(snapshot, record)
    })
    const entries = new Map(counter.sources().map((source) => [keyOf(source), source.count]))
    this.#counted = { serial, atMs: nowMs, subjects: counter.subjects, entries }
    return this.#counted
  }
}

/** Whether a person expects another count of the source than this one. */
function isNews(source: KnownSource, counted: Counted): boolean {
  const { fetch, triedAtMs, trouble, heardSerial } = source
  const isFetched = fetch !== null && trouble === null && (triedAtMs ?? 0) > counted.atMs
  return isFetched || (!counted.entries.has(keyOf(source)) && (heardSerial ?? 0) > counted.serial)
}

function keyOf({ kind, name }: Pick<KnownSource, 'kind' | 'name'>): string {
  return `${kind}\0${name}`
}
