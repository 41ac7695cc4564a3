// The intel set as one thread reads it: snapshot, overlay, tags, rules, and how fresh they are.
// Its state is replaced as a whole, by index-keeper.ts or, in the other threads, by index-feed.ts.

import type { ReadinessFinding } from '../../kernel/readiness.ts'
import type { IntelPolicy } from '../facts/classify-item.ts'
import { limitRules, type SightingRule } from '../facts/sighting-rules.ts'
import type { TagCatalogue } from '../facts/tag-catalogue.ts'
import { IntelView } from '../snapshot/intel-view.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import type { IndexDeps } from './index-deps.ts'

export const DAY_SECONDS = 86_400
// How long the change log may be out of reach before `/readyz` reports it.
const STALE_MS = 5_000

/**
 * A snapshot with a number by which threads of one process name it; the newest layer has the
 * highest.
 */
export interface Layer {
  readonly id: number
  readonly snapshot: Snapshot
}

let lastLayerId = 0

export function layerOf(snapshot: Snapshot): Layer {
  lastLayerId += 1
  return { id: lastLayerId, snapshot }
}

export interface IntelSetState {
  /** The newest layer of the overlay first, the snapshot itself last; never empty. */
  readonly newestFirst: readonly Layer[]
  readonly tags: TagCatalogue
  /** The enabled rules of the table. */
  readonly rules: readonly SightingRule[]
  /** Number of the change log up to which look-ups see everything. */
  readonly serial: number
  /** When the change log was last read, ms since 1970. */
  readonly checkedAtMs: number
}

export class IntelSet {
  view: IntelView
  state: IntelSetState
  /**
   * Headers of an answer from this set: how fresh it is, and that it may change at any second. One
   * object as long as nothing changes, since every look-up sends it.
   */
  headers: Readonly<Record<string, string>>
  readonly #deps: IndexDeps
  #policy: IntelPolicy

  constructor(deps: IndexDeps, state: IntelSetState) {
    this.#deps = deps
    this.state = state
    this.#policy = this.#policyOf(state)
    this.view = this.#viewOf(state)
    this.headers = headersOf(state)
  }

  replace(next: IntelSetState): void {
    const { newestFirst, tags, rules, serial } = this.state
    const isOtherPolicy = tags !== next.tags || rules !== next.rules
    this.state = next
    if (isOtherPolicy) this.#policy = this.#policyOf(next)
    if (isOtherPolicy || newestFirst !== next.newestFirst) this.view = this.#viewOf(next)
    if (serial !== next.serial) this.headers = headersOf(next)
  }

  #policyOf({ tags, rules }: IntelSetState): IntelPolicy {
    const { lookBackDays, ipv6RollupMin } = this.#deps.config
    return {
      lookBackSeconds: lookBackDays * DAY_SECONDS,
      tagIntents: tags.intents,
      sightingRules: limitRules(rules, tags.intents),
      ipv6RollupMin,
    }
  }

  #viewOf({ newestFirst }: IntelSetState): IntelView {
    const snapshots = newestFirst.map((layer) => layer.snapshot)
    const snapshot = snapshots.pop()
    if (snapshot === undefined) throw new Error('an intel set has at least its snapshot')
    return new IntelView(snapshot, snapshots, this.#policy)
  }

  explain(): ReadinessFinding {
    const { serial, checkedAtMs, newestFirst } = this.state
    const subjectCount = newestFirst.reduce(
      (sum, { snapshot }) => sum + snapshot.meta.subjectCount,
      0,
    )
    const ageMs = this.#deps.clock.nowMs() - checkedAtMs
    const detail = `Look-ups answer from serial ${serial} (${subjectCount} subjects), compared with the database ${Math.round(ageMs / 1_000)} s ago.`
    return { state: ageMs > STALE_MS ? 'degraded' : 'ok', detail }
  }
}

function headersOf({ serial }: IntelSetState): Readonly<Record<string, string>> {
  return Object.freeze({ 'cache-control': 'no-store', 'x-casework-serial': String(serial) })
}
