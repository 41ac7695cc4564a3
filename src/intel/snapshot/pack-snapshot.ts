// Packs collected facts into the flat words of a snapshot: tables of subjects, and the records that
// they name.

import { compareIpv6 } from '../../values/address.ts'
import type { Ipv4Range, Ipv6Range } from '../../values/range.ts'
import { allocateSections, bytesOf, encodeJson, openSections, wordsFor } from './binary-layout.ts'
import type { FactChains } from './fact-chains.ts'
import {
  DOMAIN_ENTRY_WORDS,
  IPV4_ENTRY_WORDS,
  IPV4_GROWING_WORDS,
  IPV6_ENTRY_WORDS,
} from './hash-tables.ts'
import { groupIpv6 } from './ipv6-groups.ts'
import type { Origins } from './origins.ts'
import { FACT_SIGHTING, FACT_WORDS } from './record.ts'
import { flattenIpv4, flattenIpv6, IPV4_RANGE_WORDS, IPV6_RANGE_WORDS } from './segments.ts'
import { ShapeCollector } from './shapes.ts'
import { Snapshot } from './snapshot.ts'
import { SNAPSHOT_LAYOUT, type SnapshotMeta } from './snapshot-format.ts'
import type { RangeHead, SubjectHeads } from './subject-heads.ts'

export interface BuildOptions {
  /** The serial up to which the facts are complete. */
  readonly serial: number
  /** See `SnapshotMeta`; empty in a snapshot without a database. */
  readonly mark?: string
  /**
   * The time for which shapes are made (shapes.ts). Facts that are not live then are kept, unless
   * their retention is over (`MergeOptions`).
   */
  readonly builtAtMs: number
  /** The look-back of the policy of checks. With another one checks are right but slower. */
  readonly lookBackSeconds: number
}

/**
 * Packs the facts under the heads. The heads cannot be used afterwards: their tables become the
 * tables of the snapshot.
 */
export function packSnapshot(
  heads: SubjectHeads,
  chains: FactChains,
  origins: Origins,
  options: BuildOptions,
): Snapshot {
  const { domains, seed } = heads
  const meta = encodeJson(buildMeta(heads, chains, origins, options))
  const tables = {
    ...packIpv4Slots(heads.ipv4.slots, chains, options),
    ...packIpv6Slots(heads.ipv6.slots, chains, seed),
    domainSlots: domains.slots,
    ...packIpv4Ranges([...heads.ipv4Ranges.values()]),
    ...packIpv6Ranges([...heads.ipv6Ranges.values()]),
  }
  const buffer = allocateSections(SNAPSHOT_LAYOUT, {
    ...lengthsOf(tables),
    meta: wordsFor(meta.length),
    names: wordsFor(domains.nameBytes),
    records: chains.recordWords(heads.count),
  })
  const section = openSections(SNAPSHOT_LAYOUT, buffer)
  bytesOf(section('meta')).set(meta)
  bytesOf(section('names')).set(domains.names.subarray(0, domains.nameBytes))
  for (const name of TABLES) section(name).set(tables[name])
  writeRecords(chains, section)
  return Snapshot.fromBuffer(buffer)
}

function buildMeta(
  heads: SubjectHeads,
  chains: FactChains,
  { listings, allowances, taggings, sightings }: Origins,
  { serial, mark = '', builtAtMs, lookBackSeconds }: BuildOptions,
): SnapshotMeta {
  return {
    serial,
    mark,
    builtAtMs,
    lookBackSeconds,
    subjectCount: heads.count,
    factCount: chains.count,
    seed: heads.seed,
    origins: { listings, allowances, taggings, sightings },
  }
}

const TABLES = [
  'ipv4Slots',
  'ipv4Shapes',
  'ipv6Slots',
  'ipv6Groups',
  'ipv6Members',
  'domainSlots',
  'ipv4Ranges',
  'ipv4Starts',
  'ipv4Innermost',
  'ipv4Top',
  'ipv6Ranges',
  'ipv6Starts',
  'ipv6Innermost',
  'ipv6Top',
] as const

type Tables = Readonly<Record<(typeof TABLES)[number], Uint32Array>>

function lengthsOf(tables: Tables): Record<keyof Tables, number> {
  return {
    ipv4Slots: tables.ipv4Slots.length,
    ipv4Shapes: tables.ipv4Shapes.length,
    ipv6Slots: tables.ipv6Slots.length,
    ipv6Groups: tables.ipv6Groups.length,
    ipv6Members: tables.ipv6Members.length,
    domainSlots: tables.domainSlots.length,
    ipv4Ranges: tables.ipv4Ranges.length,
    ipv4Starts: tables.ipv4Starts.length,
    ipv4Innermost: tables.ipv4Innermost.length,
    ipv4Top: tables.ipv4Top.length,
    ipv6Ranges: tables.ipv6Ranges.length,
    ipv6Starts: tables.ipv6Starts.length,
    ipv6Innermost: tables.ipv6Innermost.length,
    ipv6Top: tables.ipv6Top.length,
  }
}

// The table entries of the snapshot are wider than those of the builder: each gets the shape of its
// record.
function packIpv4Slots(
  growing: Uint32Array,
  chains: FactChains,
  { builtAtMs, lookBackSeconds }: BuildOptions,
): Pick<Tables, 'ipv4Slots' | 'ipv4Shapes'> {
  const collector = new ShapeCollector({
    nowSeconds: Math.floor(builtAtMs / 1000),
    lookBackSeconds,
  })
  const readSingle = (origin: number, last: number, extra: number): void =>
    collector.readSingle(origin, last, extra)
  const slots = new Uint32Array((growing.length / IPV4_GROWING_WORDS) * IPV4_ENTRY_WORDS)
  // One record at a time is written here to be read.
  let scratch = new Uint32Array(64)
  for (let from = 0, to = 0; from < growing.length; from += IPV4_GROWING_WORDS) {
    const head = (growing[from + 1] ?? 0) - 1
    if (head >= 0) {
      if (!chains.readSingle(head, readSingle)) {
        const words = 1 + chains.lengthOf(head) * FACT_WORDS
        if (words > scratch.length) scratch = new Uint32Array(words * 2)
        chains.writeRecord(head, scratch, 0)
        collector.read(scratch, 0)
      }
      slots[to] = growing[from] ?? 0
      slots[to + 1] = head + 1
      slots[to + 2] = collector.shape
      slots[to + 3] = collector.liveUntilSeconds
    }
    to += IPV4_ENTRY_WORDS
  }
  return { ipv4Slots: slots, ipv4Shapes: collector.toWords() }
}

function packIpv6Slots(
  slots: Uint32Array,
  chains: FactChains,
  seed: number,
): Pick<Tables, 'ipv6Slots' | 'ipv6Groups' | 'ipv6Members'> {
  const isSighted = (head: number): boolean => chains.hasKind(head, FACT_SIGHTING)
  const { groups, members } = groupIpv6(slots, seed, isSighted)
  return { ipv6Slots: slots, ipv6Groups: groups, ipv6Members: members }
}

// The word of the parent is set when the segments are known; the word of the record holds the head
// of the chain until `writeRecords`.
function packIpv4Ranges(
  entries: readonly RangeHead<Ipv4Range>[],
): Pick<Tables, 'ipv4Ranges' | 'ipv4Starts' | 'ipv4Innermost' | 'ipv4Top'> {
  const sorted = entries.toSorted(
    (a, b) => a.range.first - b.range.first || a.range.prefixLength - b.range.prefixLength,
  )
  const table = new Uint32Array(sorted.length * IPV4_RANGE_WORDS)
  for (const [at, { range, head }] of sorted.entries()) {
    table.set([range.first, range.prefixLength, 0, head], at * IPV4_RANGE_WORDS)
  }
  const { segments, parents } = flattenIpv4(table)
  for (const [range, parent] of parents.entries()) table[range * IPV4_RANGE_WORDS + 2] = parent
  return {
    ipv4Ranges: table,
    ipv4Starts: segments.starts,
    ipv4Innermost: segments.innermost,
    ipv4Top: segments.top,
  }
}

function packIpv6Ranges(
  entries: readonly RangeHead<Ipv6Range>[],
): Pick<Tables, 'ipv6Ranges' | 'ipv6Starts' | 'ipv6Innermost' | 'ipv6Top'> {
  const sorted = entries.toSorted(
    (a, b) =>
      compareIpv6(a.range.first, b.range.first) || a.range.prefixLength - b.range.prefixLength,
  )
  const table = new Uint32Array(sorted.length * IPV6_RANGE_WORDS)
  for (const [at, { range, head }] of sorted.entries()) {
    table.set([...range.first, range.prefixLength, 0, head, 0], at * IPV6_RANGE_WORDS)
  }
  const { segments, parents } = flattenIpv6(table)
  for (const [range, parent] of parents.entries()) table[range * IPV6_RANGE_WORDS + 5] = parent
  return {
    ipv6Ranges: table,
    ipv6Starts: segments.starts,
    ipv6Innermost: segments.innermost,
    ipv6Top: segments.top,
  }
}

type RecordHolder = (typeof SLOT_TABLES)[number][0] | (typeof RANGE_TABLES)[number][0]

// Name, words of an entry, and the word that holds the record. Hash tables add 1 to the record,
// since 0 marks an empty entry.
const SLOT_TABLES = [
  ['ipv4Slots', IPV4_ENTRY_WORDS, 1],
  ['ipv6Slots', IPV6_ENTRY_WORDS, 4],
  ['domainSlots', DOMAIN_ENTRY_WORDS, 3],
] as const

const RANGE_TABLES = [
  ['ipv4Ranges', IPV4_RANGE_WORDS, 3],
  ['ipv6Ranges', IPV6_RANGE_WORDS, 6],
] as const

// The tables of the builder hold heads of chains; here each chain is written out as a record, and
// its number replaces the head.
function writeRecords(
  chains: FactChains,
  section: (name: RecordHolder | 'records') => Uint32Array,
): void {
  const records = section('records')
  let end = 0
  const write = (head: number): number => {
    const offset = end
    end = chains.writeRecord(head, records, offset)
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
