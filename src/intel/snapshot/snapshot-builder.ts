// Collects facts in any order and packs them into a snapshot. Facts are chained per subject in flat
// words while they stream in, so a million subjects cost about 40 bytes each beside the result, and
// no object lives longer than one call.

import { randomInt } from 'node:crypto'
import type { Subject } from '../../values/range.ts'
import type { Allowance, Listing, Sighting, SubjectFacts, Tagging } from '../facts/facts.ts'
import { hasFacts, isExpired } from './expired-facts.ts'
import { FactChains, NOTHING } from './fact-chains.ts'
import { OriginCollector, type Origins } from './origins.ts'
import { type BuildOptions, packSnapshot } from './pack-snapshot.ts'
import {
  eachFact,
  FACT_ALLOWANCE,
  FACT_LISTING,
  FACT_SIGHTING,
  FACT_TAGGING,
  FACT_WORDS,
  factKindOf,
  packOrigin,
} from './record.ts'
import { renumberOrigins } from './renumber-origins.ts'
import type { RecordOffset, Snapshot } from './snapshot.ts'
import { SubjectHeads } from './subject-heads.ts'

export interface SnapshotBuilderOptions {
  /** Start value of the hashes; random when absent. A test gives one to be repeatable. */
  readonly seed?: number
}

/**
 * Add everything, then `build` once. Facts of one subject may come in several calls; nothing is
 * merged or dropped.
 */
export class SnapshotBuilder {
  readonly #origins = new OriginCollector()
  readonly #chains = new FactChains()
  readonly #heads: SubjectHeads
  readonly #renumbers = new Map<Origins, (word: number) => number>()

  constructor(options: SnapshotBuilderOptions = {}) {
    this.#heads = new SubjectHeads(options.seed ?? randomInt(0x1_0000_0000))
  }

  add(subject: Subject, facts: SubjectFacts): void {
    eachFact(facts, this.#origins, (origin, first, last, extra) => {
      this.#link(subject, this.#chains.push(origin, first, last, extra))
    })
  }

  /**
   * Notes that the subject changed. Without any fact added, before or after, its layer then hides
   * all older facts of the subject.
   */
  addNothing(subject: Subject): void {
    const former = this.#heads.exchange(subject, NOTHING)
    // Facts that were added before stay.
    if (former > NOTHING) this.#heads.exchange(subject, former)
  }

  /**
   * Adds the subjects of an older snapshot that were not added yet, without the entries that
   * expired by `expiredSeconds`. Subjects without facts are left out when it is the oldest, since
   * there is nothing to hide then.
   */
  addOlder(
    older: Snapshot,
    { isOldest, expiredSeconds }: { readonly isOldest: boolean; readonly expiredSeconds: number },
  ): void {
    const { records } = older
    const renumber = renumberOrigins(older.origins, this.#origins)
    /** Copies the facts of a record, and returns the head of their chain. */
    const copyRecord = (record: number): number => {
      let head = NOTHING
      const end = record + 1 + (records[record] ?? 0) * FACT_WORDS
      for (let at = record + 1; at < end; at += FACT_WORDS) {
        if (isExpired(records, at, expiredSeconds)) continue
        const origin = renumber(records[at] ?? 0)
        const fact = this.#chains.push(
          origin,
          records[at + 1] ?? 0,
          records[at + 2] ?? 0,
          records[at + 3] ?? 0,
        )
        this.#chains.setNext(fact, head)
        head = fact
      }
      return head
    }
    const isKept = (record: number): boolean =>
      !isOldest || hasFacts(records, record, expiredSeconds)
    const { ipv4, ipv6, domains, ipv4Ranges, ipv6Ranges } = this.#heads
    ipv4.reserve(older.ipv4Capacity)
    older.eachIpv4((value, record) => {
      if (isKept(record) && ipv4.find(value) < 0) ipv4.insert(value, copyRecord(record))
    })
    for (const [words, record] of older.ipv6Subjects()) {
      if (isKept(record) && ipv6.find(words) < 0) ipv6.exchange(words, copyRecord(record))
    }
    for (const [name, record] of older.domainSubjects()) {
      if (isKept(record) && domains.find(name) < 0) {
        domains.exchange(name, copyRecord(record))
      }
    }
    for (const [range, record] of older.rangeSubjects()) {
      const isKnown = ipv4Ranges.has(range.text) || ipv6Ranges.has(range.text)
      if (isKept(record) && !isKnown) this.#heads.exchange(range, copyRecord(record))
    }
  }

  /** Adds the facts of one record of another snapshot whose kind is wanted. */
  addRecord(
    subject: Subject,
    { records, origins }: Snapshot,
    record: RecordOffset,
    isWanted: (kind: number) => boolean,
  ): void {
    const renumber = this.numberingOf(origins)
    const end = record + 1 + (records[record] ?? 0) * FACT_WORDS
    for (let at = record + 1; at < end; at += FACT_WORDS) {
      const word = records[at] ?? 0
      if (!isWanted(factKindOf(word))) continue
      const fact = this.#chains.push(
        renumber(word),
        records[at + 1] ?? 0,
        records[at + 2] ?? 0,
        records[at + 3] ?? 0,
      )
      this.#link(subject, fact)
    }
  }

  /**
   * Translates the origins of another snapshot, or of a log of facts, into origins of this one.
   */
  numberingOf(origins: Origins): (word: number) => number {
    const known = this.#renumbers.get(origins)
    if (known !== undefined) return known
    const renumber = renumberOrigins(origins, this.#origins)
    this.#renumbers.set(origins, renumber)
    return renumber
  }

  /** Whether the subject was added, with or without facts. */
  has(subject: Subject): boolean {
    return this.#heads.find(subject) >= 0
  }

  /**
   * Adds a fact of an origin of this snapshot. An earlier fact of the same origin absorbs it:
   * observations are counted together, a statement gets the new times.
   */
  mergeFact(
    subject: Subject,
    origin: number,
    [first, last, extra]: readonly [first: number, last: number, extra: number],
  ): void {
    const head = this.#heads.find(subject)
    const fact = head > NOTHING ? this.#chains.findOrigin(head, origin) : NOTHING
    if (fact === NOTHING) {
      this.#link(subject, this.#chains.push(origin, first, last, extra))
    } else if (factKindOf(origin) === FACT_SIGHTING) {
      this.#chains.widen(fact, first, last, extra)
    } else {
      this.#chains.replace(fact, first, last, extra)
    }
  }

  addListing(subject: Subject, fact: Listing): void {
    const origin = packOrigin(FACT_LISTING, this.#origins.listing(fact))
    const { firstSeenSeconds, lastSeenSeconds, expiresSeconds } = fact
    this.#link(
      subject,
      this.#chains.push(origin, firstSeenSeconds, lastSeenSeconds, expiresSeconds),
    )
  }

  addAllowance(subject: Subject, fact: Allowance): void {
    const origin = packOrigin(FACT_ALLOWANCE, this.#origins.allowance(fact))
    const { firstSeenSeconds, lastSeenSeconds, expiresSeconds } = fact
    this.#link(
      subject,
      this.#chains.push(origin, firstSeenSeconds, lastSeenSeconds, expiresSeconds),
    )
  }

  addTagging(subject: Subject, fact: Tagging): void {
    const origin = packOrigin(FACT_TAGGING, this.#origins.tagging(fact))
    const { firstSeenSeconds, lastSeenSeconds, expiresSeconds } = fact
    this.#link(
      subject,
      this.#chains.push(origin, firstSeenSeconds, lastSeenSeconds, expiresSeconds),
    )
  }

  addSighting(subject: Subject, fact: Sighting): void {
    const origin = packOrigin(FACT_SIGHTING, this.#origins.sighting(fact))
    this.#link(
      subject,
      this.#chains.push(origin, fact.firstSeenSeconds, fact.lastSeenSeconds, fact.count),
    )
  }

  // The new fact becomes the head of its subject's chain and names the former head.
  #link(subject: Subject, fact: number): void {
    this.#chains.setNext(fact, this.#heads.exchange(subject, fact))
  }

  /**
   * Packs all added facts. The builder cannot be used afterwards: its tables become the tables of
   * the snapshot.
   */
  build(options: BuildOptions): Snapshot {
    return packSnapshot(this.#heads, this.#chains, this.#origins, options)
  }
}
