// Collects facts in any order and packs them into a snapshot. Facts are chained per subject in flat words while they stream in, so a million
// subjects cost about 40 bytes each beside the result, and no object lives longer than one call.

import { randomInt } from 'node:crypto'
import type { Allowance, Listing, Sighting, SubjectFacts, Tagging } from '../model/facts.ts'
import { compareIpv6 } from '../model/ipv6.ts'
import { type Ipv4Range, type Ipv6Range, type Subject, singleAddress } from '../model/range.ts'
import { allocateSections, bytesOf, encodeJson, openSections, wordsFor } from './binary-layout.ts'
import { FactChains, NOTHING } from './fact-chains.ts'
import { SNAPSHOT_LAYOUT, type SnapshotMeta } from './format.ts'
import { groupIpv6 } from './ipv6-groups.ts'
import { OriginCollector, type Origins } from './origins.ts'
import {
  eachFact,
  existing,
  FACT_ALLOWANCE,
  FACT_LISTING,
  FACT_SIGHTING,
  FACT_TAGGING,
  FACT_WORDS,
  factKindOf,
  originOf,
  packOrigin,
} from './record.ts'
import {
  type Flattened,
  flattenIpv4,
  flattenIpv6,
  IPV4_RANGE_WORDS,
  IPV6_RANGE_WORDS,
} from './segments.ts'
import { ShapeCollector } from './shapes.ts'
import {
  DOMAIN_SLOT_WORDS,
  GrowingDomainSlots,
  GrowingIpv4Slots,
  GrowingIpv6Slots,
  IPV4_GROWING_WORDS,
  IPV4_SLOT_WORDS,
  IPV6_SLOT_WORDS,
} from './slots.ts'
import { type RecordOffset, Snapshot } from './snapshot.ts'

export interface SnapshotBuilderOptions {
  /** Start value of the hashes; random when absent. A test gives one to be repeatable. */
  readonly seed?: number
}

export interface BuildOptions {
  /** Number of the change log up to which the facts are complete. */
  readonly serial: number
  /** See `SnapshotMeta`; empty in a snapshot that is of no database. */
  readonly mark?: string
  /** Facts that are no longer live now are kept, but a check need not read the others one by one until they age too. */
  readonly builtAtMs: number
  /** The look-back of the policy that checks will use; another one stays right but is slower. */
  readonly lookBackSeconds: number
}

interface RangeEntry<Range> {
  readonly range: Range
  /** The last fact added, start of its chain. */
  head: number
}

/** Add everything, then `build` once. Facts of one subject may come in several calls; nothing is merged or dropped. */
export class SnapshotBuilder {
  readonly #seed: number
  readonly #origins = new OriginCollector()
  readonly #chains = new FactChains()
  readonly #ipv4: GrowingIpv4Slots
  readonly #ipv6: GrowingIpv6Slots
  readonly #domains: GrowingDomainSlots
  readonly #ipv4Ranges = new Map<string, RangeEntry<Ipv4Range>>()
  readonly #ipv6Ranges = new Map<string, RangeEntry<Ipv6Range>>()
  readonly #renumbers = new Map<Origins, (word: number) => number>()

  constructor(options: SnapshotBuilderOptions = {}) {
    this.#seed = options.seed ?? randomInt(0x1_0000_0000)
    this.#ipv4 = new GrowingIpv4Slots(this.#seed)
    this.#ipv6 = new GrowingIpv6Slots(this.#seed)
    this.#domains = new GrowingDomainSlots(this.#seed)
  }

  get subjectCount(): number {
    return (
      this.#ipv4.count +
      this.#ipv6.count +
      this.#domains.count +
      this.#ipv4Ranges.size +
      this.#ipv6Ranges.size
    )
  }

  add(subject: Subject, facts: SubjectFacts): void {
    eachFact(facts, this.#origins, (origin, first, last, extra) => {
      this.#link(subject, this.#chains.push(origin, first, last, extra))
    })
  }

  /** Notes that the subject changed: without any fact added before or after this says that nothing is known of it any more. */
  addNothing(subject: Subject): void {
    const former = this.#exchangeHead(subject, NOTHING)
    if (former > NOTHING) this.#exchangeHead(subject, former)
  }

  /**
   * Adds what an older snapshot says of subjects that were not added yet. Those of which it says that nothing is known are left out
   * when it is the oldest, since they hide nothing then.
   */
  addOlder(older: Snapshot, isOldest: boolean): void {
    const { records } = older
    const renumber = renumberOrigins(older.origins, this.#origins)
    const chain = (record: number): number => {
      let head = NOTHING
      const end = record + 1 + (records[record] ?? 0) * FACT_WORDS
      for (let at = record + 1; at < end; at += FACT_WORDS) {
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
    const isKept = (record: number): boolean => !isOldest || records[record] !== 0
    this.#ipv4.reserve(older.ipv4Capacity)
    older.eachIpv4((value, record) => {
      if (isKept(record) && this.#ipv4.find(value) < 0) this.#ipv4.insert(value, chain(record))
    })
    for (const [words, record] of older.ipv6Subjects()) {
      if (isKept(record) && this.#ipv6.find(words) < 0) this.#ipv6.exchange(words, chain(record))
    }
    for (const [name, record] of older.domainSubjects()) {
      if (isKept(record) && this.#domains.find(name) < 0) {
        this.#domains.exchange(name, chain(record))
      }
    }
    for (const [range, record] of older.rangeSubjects()) {
      const isKnown = this.#ipv4Ranges.has(range.text) || this.#ipv6Ranges.has(range.text)
      if (isKept(record) && !isKnown) this.#exchangeHead(range, chain(record))
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
      const first = records[at + 1] ?? 0
      const fact = this.#chains.push(
        renumber(word),
        first,
        records[at + 2] ?? 0,
        records[at + 3] ?? 0,
      )
      this.#link(subject, fact)
    }
  }

  /** Gives the words by which the origins of another snapshot, or of a log of facts, are named here. */
  numberingOf(origins: Origins): (word: number) => number {
    const known = this.#renumbers.get(origins)
    if (known !== undefined) return known
    const renumber = renumberOrigins(origins, this.#origins)
    this.#renumbers.set(origins, renumber)
    return renumber
  }

  /** Whether anything was added of the subject, be it that nothing is known. */
  has(subject: Subject): boolean {
    return this.#findHead(subject) >= 0
  }

  /**
   * Adds a fact of an origin named as here. One of the same origin that is there already takes it in: observations are counted together, a
   * statement is said anew.
   */
  mergeFact(
    subject: Subject,
    origin: number,
    [first, last, extra]: readonly [first: number, last: number, extra: number],
  ): void {
    const head = this.#findHead(subject)
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
    this.#chains.setNext(fact, this.#exchangeHead(subject, fact))
  }

  /** The head of its chain, or -1 when nothing was added of the subject. */
  #findHead(subject: Subject): number {
    switch (subject.kind) {
      case 'ipv4':
        return this.#ipv4.find(subject.value)
      case 'ipv6':
        return this.#ipv6.find(subject.words)
      case 'domain':
        return this.#domains.find(subject.text)
      case 'ipv4-range':
        return this.#ipv4Ranges.get(subject.text)?.head ?? -1
      case 'ipv6-range':
        return this.#ipv6Ranges.get(subject.text)?.head ?? -1
    }
  }

  #exchangeHead(subject: Subject, fact: number): number {
    switch (subject.kind) {
      case 'ipv4':
        return this.#ipv4.exchange(subject.value, fact)
      case 'ipv6':
        return this.#ipv6.exchange(subject.words, fact)
      case 'domain':
        return this.#domains.exchange(subject.text, fact)
      case 'ipv4-range': {
        const item = singleAddress(subject)
        if (item !== null) return this.#exchangeHead(item, fact)
        return exchangeRangeHead(this.#ipv4Ranges, subject, fact)
      }
      case 'ipv6-range': {
        const item = singleAddress(subject)
        if (item !== null) return this.#exchangeHead(item, fact)
        return exchangeRangeHead(this.#ipv6Ranges, subject, fact)
      }
    }
  }

  /** Packs everything added so far. The builder is of no use afterwards: its tables become those of the snapshot. */
  build(options: BuildOptions): Snapshot {
    const ipv4Ranges = [...this.#ipv4Ranges.values()].toSorted(
      (a, b) => a.range.first - b.range.first || a.range.prefixLength - b.range.prefixLength,
    )
    const ipv6Ranges = [...this.#ipv6Ranges.values()].toSorted(
      (a, b) =>
        compareIpv6(a.range.first, b.range.first) || a.range.prefixLength - b.range.prefixLength,
    )
    const ipv4Table = tableOfIpv4(ipv4Ranges)
    const ipv6Table = tableOfIpv6(ipv6Ranges)
    const ipv4Flat = flattenIpv4(ipv4Table)
    const ipv6Flat = flattenIpv6(ipv6Table)
    setParents(ipv4Table, IPV4_RANGE_WORDS, 2, ipv4Flat)
    setParents(ipv6Table, IPV6_RANGE_WORDS, 5, ipv6Flat)
    const { slots, shapes } = tableOfSlots(this.#ipv4.slots, this.#chains, options)
    const ipv6Groups = groupIpv6(this.#ipv6.slots, this.#seed, (head) =>
      this.#chains.hasKind(head, FACT_SIGHTING),
    )
    const meta = encodeJson(this.#meta(options))
    const lengths = {
      meta: wordsFor(meta.length),
      ipv4Slots: slots.length,
      ipv4Shapes: shapes.length,
      ipv6Slots: this.#ipv6.slots.length,
      ipv6Groups: ipv6Groups.groups.length,
      ipv6Members: ipv6Groups.members.length,
      domainSlots: this.#domains.slots.length,
      names: wordsFor(this.#domains.nameBytes),
      ipv4Ranges: ipv4Table.length,
      ipv4Starts: ipv4Flat.segments.starts.length,
      ipv4Innermost: ipv4Flat.segments.innermost.length,
      ipv4Top: ipv4Flat.segments.top.length,
      ipv6Ranges: ipv6Table.length,
      ipv6Starts: ipv6Flat.segments.starts.length,
      ipv6Innermost: ipv6Flat.segments.innermost.length,
      ipv6Top: ipv6Flat.segments.top.length,
      records: this.#chains.recordWords(this.subjectCount),
    }
    const buffer = allocateSections(SNAPSHOT_LAYOUT, lengths)
    const section = openSections(SNAPSHOT_LAYOUT, buffer)
    bytesOf(section('meta')).set(meta)
    bytesOf(section('names')).set(this.#domains.names.subarray(0, this.#domains.nameBytes))
    section('ipv4Ranges').set(ipv4Table)
    section('ipv4Starts').set(ipv4Flat.segments.starts)
    section('ipv4Innermost').set(ipv4Flat.segments.innermost)
    section('ipv4Top').set(ipv4Flat.segments.top)
    section('ipv6Ranges').set(ipv6Table)
    section('ipv6Starts').set(ipv6Flat.segments.starts)
    section('ipv6Innermost').set(ipv6Flat.segments.innermost)
    section('ipv6Top').set(ipv6Flat.segments.top)
    section('ipv4Slots').set(slots)
    section('ipv4Shapes').set(shapes)
    section('ipv6Slots').set(this.#ipv6.slots)
    section('ipv6Groups').set(ipv6Groups.groups)
    section('ipv6Members').set(ipv6Groups.members)
    section('domainSlots').set(this.#domains.slots)
    this.#writeRecords(section)
    return Snapshot.fromBuffer(buffer)
  }

  #meta(options: BuildOptions): SnapshotMeta {
    const { listings, allowances, taggings, sightings } = this.#origins
    return {
      serial: options.serial,
      mark: options.mark ?? '',
      builtAtMs: options.builtAtMs,
      lookBackSeconds: options.lookBackSeconds,
      subjectCount: this.subjectCount,
      factCount: this.#chains.count,
      seed: this.#seed,
      origins: { listings, allowances, taggings, sightings },
    }
  }

  // Each table comes with the head of a chain where the snapshot has a record, so the chains are written out and replaced on the way.
  #writeRecords(section: (name: RecordHolder | 'records') => Uint32Array): void {
    const records = section('records')
    let end = 0
    const write = (head: number): number => {
      const offset = end
      end = this.#chains.writeRecord(head, records, offset)
      return offset
    }
    for (const [name, words, record] of SLOT_TABLES) {
      const slots = section(name)
      for (let at = record; at < slots.length; at += words) {
        const stored = slots[at] ?? 0
        if (stored !== 0) slots[at] = write(stored - 1) + 1
      }
    }
    for (const [name, words, record] of RANGE_TABLES) {
      const ranges = section(name)
      for (let at = record; at < ranges.length; at += words) ranges[at] = write(ranges[at] ?? 0)
    }
  }
}

// A word of an older record becomes one that names the same origin by its number here. Only origins that are met get one.
function renumberOrigins(from: Origins, to: OriginCollector): (word: number) => number {
  const known = new Map<number, number>()
  const numberOf = (word: number): number => {
    const at = originOf(word)
    switch (factKindOf(word)) {
      case FACT_LISTING:
        return packOrigin(FACT_LISTING, to.listing(existing(from.listings[at])))
      case FACT_ALLOWANCE:
        return packOrigin(FACT_ALLOWANCE, to.allowance(existing(from.allowances[at])))
      case FACT_TAGGING:
        return packOrigin(FACT_TAGGING, to.tagging(existing(from.taggings[at])))
      default:
        return packOrigin(FACT_SIGHTING, to.sighting(existing(from.sightings[at])))
    }
  }
  // Neighbours often have one origin; no word is negative.
  let lastWord = -1
  let lastNumber = 0
  return (word) => {
    if (word === lastWord) return lastNumber
    lastNumber = known.get(word) ?? numberOf(word)
    lastWord = word
    known.set(word, lastNumber)
    return lastNumber
  }
}

type RecordHolder = (typeof SLOT_TABLES)[number][0] | (typeof RANGE_TABLES)[number][0]

// Name, words of an entry, and which of them holds the record: with 1 added in slots, where 0 is an empty one.
const SLOT_TABLES = [
  ['ipv4Slots', IPV4_SLOT_WORDS, 1],
  ['ipv6Slots', IPV6_SLOT_WORDS, 4],
  ['domainSlots', DOMAIN_SLOT_WORDS, 3],
] as const

const RANGE_TABLES = [
  ['ipv4Ranges', IPV4_RANGE_WORDS, 3],
  ['ipv6Ranges', IPV6_RANGE_WORDS, 6],
] as const

// The slots of the snapshot are wider than those it was built with: each gets the shape of its record.
function tableOfSlots(
  growing: Uint32Array,
  chains: FactChains,
  { builtAtMs, lookBackSeconds }: BuildOptions,
): { slots: Uint32Array; shapes: Uint32Array } {
  const collector = new ShapeCollector({
    nowSeconds: Math.floor(builtAtMs / 1000),
    lookBackSeconds,
  })
  const readSingle = (origin: number, last: number, extra: number): void =>
    collector.readSingle(origin, last, extra)
  const slots = new Uint32Array((growing.length / IPV4_GROWING_WORDS) * IPV4_SLOT_WORDS)
  let record = new Uint32Array(64)
  for (let from = 0, to = 0; from < growing.length; from += IPV4_GROWING_WORDS) {
    const head = (growing[from + 1] ?? 0) - 1
    if (head >= 0) {
      if (!chains.readSingle(head, readSingle)) {
        const words = 1 + chains.lengthOf(head) * FACT_WORDS
        if (words > record.length) record = new Uint32Array(words * 2)
        chains.writeRecord(head, record, 0)
        collector.read(record, 0)
      }
      slots[to] = growing[from] ?? 0
      slots[to + 1] = head + 1
      slots[to + 2] = collector.shape
      slots[to + 3] = collector.liveUntilSeconds
    }
    to += IPV4_SLOT_WORDS
  }
  return { slots, shapes: collector.toWords() }
}

function exchangeRangeHead<Range extends { readonly text: string }>(
  entries: Map<string, RangeEntry<Range>>,
  range: Range,
  fact: number,
): number {
  const entry = entries.get(range.text)
  if (entry === undefined) {
    entries.set(range.text, { range, head: fact })
    return -1
  }
  const former = entry.head
  entry.head = fact
  return former
}

// The word of the parent is set when the segments are known; the word of the record holds the head of the chain until then.
function tableOfIpv4(entries: readonly RangeEntry<Ipv4Range>[]): Uint32Array {
  const table = new Uint32Array(entries.length * IPV4_RANGE_WORDS)
  for (const [at, { range, head }] of entries.entries()) {
    table.set([range.first, range.prefixLength, 0, head], at * IPV4_RANGE_WORDS)
  }
  return table
}

function tableOfIpv6(entries: readonly RangeEntry<Ipv6Range>[]): Uint32Array {
  const table = new Uint32Array(entries.length * IPV6_RANGE_WORDS)
  for (const [at, { range, head }] of entries.entries()) {
    table.set([...range.first, range.prefixLength, 0, head, 0], at * IPV6_RANGE_WORDS)
  }
  return table
}

function setParents(
  table: Uint32Array,
  words: number,
  parent: number,
  { parents }: Flattened,
): void {
  for (const [range, next] of parents.entries()) table[range * words + parent] = next
}
