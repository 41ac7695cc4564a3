// The whole intel set at one serial, immutable, in one shared buffer that every thread reads
// without copying (design, decision 6).

import type { Ipv6Words } from '../../values/address.ts'
import { ipv4Range, ipv6Range, type Range } from '../../values/range.ts'
import { bytesOf, decodeText, openSections } from './binary-layout.ts'
import {
  DOMAIN_ENTRY_WORDS,
  findDomain,
  findIpv4,
  findIpv6,
  firstIpv4Entry,
  IPV4_ENTRY_WORDS,
  IPV6_ENTRY_WORDS,
  nameAt,
} from './hash-tables.ts'
import { findGroup } from './ipv6-groups.ts'
import type { Origins } from './origins.ts'
import {
  IPV4_RANGE_WORDS,
  IPV6_RANGE_WORDS,
  innermostIpv4,
  innermostIpv6,
  ipv6At,
  isTouched,
  NO_RANGE,
  type Segments,
  touchedUppers,
} from './segments.ts'
import { SNAPSHOT_LAYOUT, type SnapshotMeta } from './snapshot-format.ts'

/** The number of a record; -1 where there is none. */
export type RecordOffset = number

export class Snapshot {
  /** For `Snapshot.fromBuffer` in another thread. */
  readonly buffer: SharedArrayBuffer
  readonly meta: SnapshotMeta
  /** Start value of the hashes. */
  readonly seed: number
  /** All records; a `RecordOffset` is an index of it. */
  readonly records: Uint32Array
  /** See shapes.ts. */
  readonly shapes: Uint32Array
  readonly #ipv4Slots: Uint32Array
  readonly #ipv6Slots: Uint32Array
  /** Sighted addresses by /64, see ipv6-groups.ts. */
  readonly ipv6Groups: Uint32Array
  readonly ipv6Members: Uint32Array
  readonly #domainSlots: Uint32Array
  readonly #names: Uint8Array
  readonly #ipv4Ranges: Uint32Array
  readonly #ipv6Ranges: Uint32Array
  readonly #ipv4Segments: Segments
  readonly #ipv6Segments: Segments
  readonly #ipv4Touched: Uint8Array
  readonly #ipv6Touched: Uint8Array
  // Never read nor written, so it takes no memory. V8 does not count shared memory, and would keep
  // unused snapshots until other objects fill the heap. This memory it counts.
  readonly weight: ArrayBuffer

  private constructor(buffer: SharedArrayBuffer) {
    const section = openSections(SNAPSHOT_LAYOUT, buffer)
    this.buffer = buffer
    this.weight = new ArrayBuffer(buffer.byteLength)
    this.meta = readMeta(bytesOf(section('meta')))
    this.seed = this.meta.seed
    this.records = section('records')
    this.shapes = section('ipv4Shapes')
    this.#ipv4Slots = section('ipv4Slots')
    this.#ipv6Slots = section('ipv6Slots')
    this.ipv6Groups = section('ipv6Groups')
    this.ipv6Members = section('ipv6Members')
    this.#domainSlots = section('domainSlots')
    this.#names = bytesOf(section('names'))
    this.#ipv4Ranges = section('ipv4Ranges')
    this.#ipv6Ranges = section('ipv6Ranges')
    this.#ipv4Segments = {
      starts: section('ipv4Starts'),
      innermost: section('ipv4Innermost'),
      top: section('ipv4Top'),
    }
    this.#ipv6Segments = {
      starts: section('ipv6Starts'),
      innermost: section('ipv6Innermost'),
      top: section('ipv6Top'),
    }
    this.#ipv4Touched = touchedUppers(this.#ipv4Segments)
    this.#ipv6Touched = touchedUppers(this.#ipv6Segments)
  }

  /** Throws `BinaryLayoutError` when the buffer is no snapshot of this version. */
  static fromBuffer(buffer: SharedArrayBuffer): Snapshot {
    return new Snapshot(buffer)
  }

  get serial(): number {
    return this.meta.serial
  }
  get origins(): Origins {
    return this.meta.origins
  }
  get hasDomains(): boolean {
    return this.#names.length > 0
  }

  /**
   * The table entry of the address, for the three methods below; -1 when the address itself has no
   * record.
   */
  findIpv4(value: number): number {
    return findIpv4(this.#ipv4Slots, this.seed, value)
  }
  recordOfSlot(slot: number): RecordOffset {
    return (this.#ipv4Slots[slot + 1] ?? 0) - 1
  }
  shapeOfSlot(slot: number): number {
    return this.#ipv4Slots[slot + 2] ?? 0
  }
  /** The shape of the record holds until this second. */
  liveUntilOfSlot(slot: number): number {
    return this.#ipv4Slots[slot + 3] ?? 0
  }

  /** Reads the first table entry of the address, so that it is in the cache for the search. */
  touchIpv4(value: number): number {
    return this.#ipv4Slots[firstIpv4Entry(this.#ipv4Slots, this.seed, value)] ?? 0
  }

  findIpv6(words: Ipv6Words): RecordOffset {
    return findIpv6(this.#ipv6Slots, this.seed, words)
  }

  /** The word of `ipv6Groups` at which the /64 of the address has its group, or -1. */
  findIpv6Group(words: Ipv6Words): number {
    return findGroup(this.ipv6Groups, this.seed, words[0], words[1])
  }
  /** Address and record of a member of a group. */
  ipv6Member(member: number): { readonly words: Ipv6Words; readonly record: RecordOffset } {
    const slots = this.#ipv6Slots
    const at = this.ipv6Members[member] ?? 0
    return { words: ipv6At(slots, at), record: (slots[at + 4] ?? 0) - 1 }
  }

  /**
   * The name is `text` from `start` on; `low` and `high` are its mixed hash words (see
   * `hashing.ts`).
   */
  findDomain(low: number, high: number, text: string, start: number): RecordOffset {
    return findDomain(this.#domainSlots, this.#names, low, high, text, start)
  }

  // Each of these gives every subject of its kind once, with its record, in no order.

  *ipv4Subjects(): Generator<readonly [value: number, record: RecordOffset]> {
    const slots = this.#ipv4Slots
    for (let at = 0; at < slots.length; at += IPV4_ENTRY_WORDS) {
      const stored = slots[at + 1] ?? 0
      if (stored !== 0) yield [slots[at] ?? 0, stored - 1]
    }
  }
  /** As `ipv4Subjects`, without an object for each: merges go through millions. */
  eachIpv4(take: (value: number, record: RecordOffset) => void): void {
    const slots = this.#ipv4Slots
    for (let at = 0; at < slots.length; at += IPV4_ENTRY_WORDS) {
      const stored = slots[at + 1] ?? 0
      if (stored !== 0) take(slots[at] ?? 0, stored - 1)
    }
  }
  /** The number of addresses for which the table has room. */
  get ipv4Capacity(): number {
    return this.#ipv4Slots.length / IPV4_ENTRY_WORDS
  }

  *ipv6Subjects(): Generator<readonly [words: Ipv6Words, record: RecordOffset]> {
    const slots = this.#ipv6Slots
    for (let at = 0; at < slots.length; at += IPV6_ENTRY_WORDS) {
      const stored = slots[at + 4] ?? 0
      if (stored !== 0) yield [ipv6At(slots, at), stored - 1]
    }
  }
  *domainSubjects(): Generator<readonly [name: string, record: RecordOffset]> {
    const slots = this.#domainSlots
    for (let at = 0; at < slots.length; at += DOMAIN_ENTRY_WORDS) {
      const stored = slots[at + 3] ?? 0
      if (stored !== 0) yield [nameAt(this.#names, slots[at + 2] ?? 0), stored - 1]
    }
  }
  *rangeSubjects(): Generator<readonly [range: Range, record: RecordOffset]> {
    for (let range = 0; range * IPV4_RANGE_WORDS < this.#ipv4Ranges.length; range += 1) {
      yield [ipv4Range(this.ipv4First(range), this.ipv4PrefixLength(range)), this.ipv4Record(range)]
    }
    for (let range = 0; range * IPV6_RANGE_WORDS < this.#ipv6Ranges.length; range += 1) {
      const first = ipv6At(this.#ipv6Ranges, range * IPV6_RANGE_WORDS)
      yield [ipv6Range(first, this.ipv6PrefixLength(range)), this.ipv6Record(range)]
    }
  }

  // Ranges are numbered in the order of their first addresses; of ranges with the same first
  // address the widest comes first.

  get ipv4RangeCount(): number {
    return this.#ipv4Ranges.length / IPV4_RANGE_WORDS
  }
  get ipv6RangeCount(): number {
    return this.#ipv6Ranges.length / IPV6_RANGE_WORDS
  }
  /** The first range that begins at the address or behind it; their count when there is none. */
  firstIpv4RangeFrom(value: number): number {
    let low = 0
    let high = this.ipv4RangeCount
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.ipv4First(middle) < value) low = middle + 1
      else high = middle
    }
    return low
  }
  ipv6First(range: number): Ipv6Words {
    return ipv6At(this.#ipv6Ranges, range * IPV6_RANGE_WORDS)
  }

  // A range is a number; `NO_RANGE` ends the way from the innermost outwards.

  innermostIpv4(value: number): number {
    if (!isTouched(this.#ipv4Touched, value >>> 16)) return NO_RANGE
    return innermostIpv4(this.#ipv4Segments, value)
  }
  ipv4Parent(range: number): number {
    return this.#ipv4Ranges[range * IPV4_RANGE_WORDS + 2] ?? 0
  }
  ipv4Record(range: number): RecordOffset {
    return this.#ipv4Ranges[range * IPV4_RANGE_WORDS + 3] ?? 0
  }
  ipv4First(range: number): number {
    return this.#ipv4Ranges[range * IPV4_RANGE_WORDS] ?? 0
  }
  ipv4PrefixLength(range: number): number {
    return this.#ipv4Ranges[range * IPV4_RANGE_WORDS + 1] ?? 0
  }
  ipv4RangeText(range: number): string {
    return ipv4Range(this.ipv4First(range), this.ipv4PrefixLength(range)).text
  }

  innermostIpv6(words: Ipv6Words): number {
    if (!isTouched(this.#ipv6Touched, words[0] >>> 16)) return NO_RANGE
    return innermostIpv6(this.#ipv6Segments, words)
  }
  ipv6Parent(range: number): number {
    return this.#ipv6Ranges[range * IPV6_RANGE_WORDS + 5] ?? 0
  }
  ipv6Record(range: number): RecordOffset {
    return this.#ipv6Ranges[range * IPV6_RANGE_WORDS + 6] ?? 0
  }
  ipv6PrefixLength(range: number): number {
    return this.#ipv6Ranges[range * IPV6_RANGE_WORDS + 4] ?? 0
  }
  ipv6RangeText(range: number): string {
    const first = ipv6At(this.#ipv6Ranges, range * IPV6_RANGE_WORDS)
    return ipv6Range(first, this.ipv6PrefixLength(range)).text
  }
}

// Written by the builder and protected by the checksum, so it is not checked again.
function readMeta(bytes: Uint8Array): SnapshotMeta {
  const meta: SnapshotMeta = JSON.parse(decodeText(bytes))
  return meta
}
