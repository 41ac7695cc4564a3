// Counts subjects by their live facts: how many have a listing, carry a tag, are named by a source.
// It makes no object for a record, and looks up origins once for each snapshot.

import type { IntelPolicy } from '../facts/classify-item.ts'
import { ruleCovers, type SightingRule } from '../facts/sighting-rules.ts'
import { STATEMENT_SOURCE_KINDS } from '../facts/source-kinds.ts'
import {
  FACT_ALLOWANCE,
  FACT_LISTING,
  FACT_SIGHTING,
  FACT_TAGGING,
  FACT_WORDS,
  type FactKind,
  factKindOf,
  originOf,
} from './record.ts'
import type { Snapshot } from './snapshot.ts'

export interface CountedKinds {
  listing: number
  allowance: number
  tagging: number
  sighting: number
}

export interface CountedSource {
  readonly name: string
  readonly kind: string
  readonly count: number
}

/**
 * For each origin of one kind of facts, by its number, the tallies that it raises. A tally is named
 * by a number too. A subject raises each tally once.
 */
type TalliesByOrigin = readonly (readonly number[])[]

const KIND_NAMES = ['listing', 'allowance', 'tagging', 'sighting'] as const

export class RecordCounter {
  /** Subjects with facts, live or not. */
  subjects = 0
  readonly #policy: IntelPolicy
  readonly #nowSeconds: number
  readonly #numbers = new Map<string, number>()
  readonly #counts: number[] = []
  // The subject that raised each tally last.
  readonly #raisedBy: number[] = []
  readonly #tallies = new Map<Snapshot, readonly TalliesByOrigin[]>()

  constructor(policy: IntelPolicy, nowSeconds: number) {
    this.#policy = policy
    this.#nowSeconds = nowSeconds
  }

  /** False for a record without facts: those of the subject were removed. */
  add(snapshot: Snapshot, record: number): boolean {
    const { records } = snapshot
    const facts = records[record] ?? 0
    if (facts === 0) return false
    this.subjects += 1
    let tallies = this.#tallies.get(snapshot)
    if (tallies === undefined) {
      tallies = this.#tallyOrigins(snapshot)
      this.#tallies.set(snapshot, tallies)
    }
    const seenSince = this.#nowSeconds - this.#policy.lookBackSeconds
    const end = record + 1 + facts * FACT_WORDS
    for (let fact = record + 1; fact < end; fact += FACT_WORDS) {
      const word = records[fact] ?? 0
      const kind = factKindOf(word)
      const extra = records[fact + 3] ?? 0
      const isLive =
        kind === FACT_SIGHTING
          ? (records[fact + 2] ?? 0) >= seenSince
          : extra === 0 || extra > this.#nowSeconds
      if (!isLive) continue
      for (const tally of tallies[kind]?.[originOf(word)] ?? []) this.#raise(tally)
    }
    return true
  }

  #raise(tally: number): void {
    if (this.#raisedBy[tally] === this.subjects) return
    this.#raisedBy[tally] = this.subjects
    this.#counts[tally] = (this.#counts[tally] ?? 0) + 1
  }

  /** In the order of the kinds of facts. */
  #tallyOrigins({ origins }: Snapshot): readonly TalliesByOrigin[] {
    const { listing, allowance, tagging } = STATEMENT_SOURCE_KINDS
    return [
      origins.listings.map(({ source }) => this.#talliesOf(FACT_LISTING, listing, source, [])),
      origins.allowances.map(({ source }) =>
        this.#talliesOf(FACT_ALLOWANCE, allowance, source, []),
      ),
      origins.taggings.map(({ tag, source }) =>
        this.#talliesOf(FACT_TAGGING, tagging, source, [tag]),
      ),
      origins.sightings.map((origin) =>
        this.#talliesOf(FACT_SIGHTING, origin.kind, origin.source, this.#tagsOf(origin)),
      ),
    ]
  }

  #talliesOf(
    fact: FactKind,
    sourceKind: string,
    source: string,
    tags: readonly string[],
  ): readonly number[] {
    return [
      this.#tally(`kind\0${KIND_NAMES[fact]}`),
      this.#tally(`source\0${source}\0${sourceKind}`),
      ...tags.map((tag) => this.#tally(`tag\0${tag}`)),
    ]
  }

  #tagsOf(origin: Parameters<typeof ruleCovers>[1]): readonly string[] {
    return this.#policy.sightingRules
      .filter((rule) => holdsAtOnce(rule) && ruleCovers(rule, origin))
      .flatMap((rule) => rule.tags)
  }

  /** The number of the tally of this key. */
  #tally(key: string): number {
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    this.#numbers.set(key, this.#counts.length)
    return this.#counts.push(0) - 1
  }

  kinds(): CountedKinds {
    const kinds = { listing: 0, allowance: 0, tagging: 0, sighting: 0 }
    for (const [[name = ''], count] of this.#counted('kind')) {
      const kind = KIND_NAMES.find((known) => known === name)
      if (kind !== undefined) kinds[kind] = count
    }
    return kinds
  }

  /** Tags of taggings, and tags that a single sighting sets; the largest count first. */
  tags(): readonly { readonly name: string; readonly count: number }[] {
    return this.#counted('tag').map(([[name = ''], count]) => ({ name, count }))
  }

  /** The largest count first. */
  sources(): readonly CountedSource[] {
    return this.#counted('source').map(([[name = '', kind = ''], count]) => ({ name, kind, count }))
  }

  #counted(what: string): readonly (readonly [readonly string[], number])[] {
    return [...this.#numbers]
      .map(([key, number]) => [key.split('\0'), this.#counts[number] ?? 0] as const)
      .filter(([[about], count]) => about === what && count > 0)
      .map(([parts, count]) => [parts.slice(1), count] as const)
      .toSorted(([a, x], [b, y]) => y - x || ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1))
  }
}

/** A rule that one live sighting is enough for. */
function holdsAtOnce(rule: SightingRule): boolean {
  return rule.countMin <= 1 && rule.sourcesMin <= 1 && rule.withinSeconds === undefined
}
