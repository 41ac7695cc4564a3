// Scans the subjects of a snapshot with its overlay inside a range, in slices between which other
// requests are served. Small IPv4 ranges are probed address by address. Other ranges are found by a
// scan of the tables, so that no scan costs more than one pass over the set.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { IPV4_BITS, IPV6_BITS, type Ipv6Words, maskIpv6, parseIpv6 } from '../../values/address.ts'
import {
  type Ipv4Range,
  type Ipv6Range,
  ipv4Range,
  ipv6Range,
  type Range,
  type Subject,
} from '../../values/range.ts'
import { findIpv4Range, findIpv6Range } from './find-record.ts'
import { NO_RANGE } from './segments.ts'
import type { Snapshot } from './snapshot.ts'

// About a millisecond: an entry outside the range takes 50 ns, one inside 500 ns.
const SLICE = 2_048
// Up to so many addresses are probed one by one, some 20 ns for each address and layer.
const PROBED_MAX = 65_536

/**
 * The sort key of a subject in the order of addresses, compared with `<`: a range comes before the
 * subjects inside it. A number for IPv4, text for IPv6; one range never holds both.
 */
export type AddressKey = number | string

export type TakeRecord = (snapshot: Snapshot, record: number, key: AddressKey) => void

/**
 * Calls back once for every address and range inside the range, itself included, with its record in
 * the newest layer. In no order.
 */
export async function scanRange(
  newestFirst: readonly Snapshot[],
  range: Range,
  take: TakeRecord,
): Promise<void> {
  if (range.kind === 'ipv4-range') await scanIpv4(newestFirst, range, take)
  else await scanIpv6(newestFirst, range, take)
}

/** The ranges that hold the whole range and are wider, the widest first. */
export function coveringRanges(newestFirst: readonly Snapshot[], range: Range): readonly Range[] {
  const found = new Map<number, Range>()
  for (const snapshot of newestFirst) {
    if (range.kind === 'ipv4-range') {
      let at = snapshot.innermostIpv4(range.first)
      for (; at !== NO_RANGE; at = snapshot.ipv4Parent(at)) {
        const length = snapshot.ipv4PrefixLength(at)
        if (length < range.prefixLength) found.set(length, ipv4Range(range.first, length))
      }
    } else {
      let at = snapshot.innermostIpv6(range.first)
      for (; at !== NO_RANGE; at = snapshot.ipv6Parent(at)) {
        const length = snapshot.ipv6PrefixLength(at)
        if (length < range.prefixLength) found.set(length, ipv6Range(range.first, length))
      }
    }
  }
  return [...found].toSorted(([a], [b]) => a - b).map(([, covering]) => covering)
}

/**
 * Snapshot and record of exactly this range, in the newest layer that has it; null when none has.
 */
export function findRangeRecord(
  newestFirst: readonly Snapshot[],
  range: Range,
): { readonly snapshot: Snapshot; readonly record: number } | null {
  for (const snapshot of newestFirst) {
    const record =
      range.kind === 'ipv4-range'
        ? findIpv4Range(snapshot, range.first, range.prefixLength)
        : findIpv6Range(snapshot, range.first, range.prefixLength)
    if (record >= 0) return { snapshot, record }
  }
  return null
}

export function keyOfSubject(subject: Subject): AddressKey | null {
  switch (subject.kind) {
    case 'ipv4':
      return ipv4Key(subject.value, IPV4_BITS)
    case 'ipv4-range':
      return ipv4Key(subject.first, subject.prefixLength)
    case 'ipv6':
      return ipv6Key(subject.words, IPV6_BITS)
    case 'ipv6-range':
      return ipv6Key(subject.first, subject.prefixLength)
    case 'domain':
      return null
  }
}

/** True when the key belongs to one address. */
export function isAddressKey(key: AddressKey): boolean {
  return typeof key === 'number' ? key % KEY_STEP === IPV4_BITS : key.endsWith('128')
}

/** The subject of a key as a range, a single address too. */
export function rangeOfKey(key: AddressKey): Range {
  if (typeof key === 'number') return ipv4Range(Math.floor(key / KEY_STEP), key % KEY_STEP)
  const groups = key.slice(0, 32).match(/.{4}/g) ?? []
  const words = parseIpv6(groups.join(':'))
  if (words === null) throw new Error('a key of an address cannot be read')
  return ipv6Range(words, Number(key.slice(32)))
}

const KEY_STEP = 64

function ipv4Key(first: number, prefixLength: number): number {
  return first * KEY_STEP + prefixLength
}

function ipv6Key(words: Ipv6Words, prefixLength: number): string {
  const hex = words.map((word) => word.toString(16).padStart(8, '0')).join('')
  return hex + String(prefixLength).padStart(3, '0')
}

async function scanIpv4(
  newestFirst: readonly Snapshot[],
  range: Ipv4Range,
  take: TakeRecord,
): Promise<void> {
  const size = 2 ** (IPV4_BITS - range.prefixLength)
  const end = range.first + size
  if (size <= PROBED_MAX) await probeIpv4(newestFirst, range.first, end, take)
  else await scanIpv4Addresses(newestFirst, range.first, end, take)
  await scanIpv4Ranges(newestFirst, range, end, take)
}

async function scanIpv4Addresses(
  newestFirst: readonly Snapshot[],
  first: number,
  end: number,
  take: TakeRecord,
): Promise<void> {
  for (const [at, snapshot] of newestFirst.entries()) {
    const newer = newestFirst.slice(0, at)
    let steps = 0
    for (const [value, record] of snapshot.ipv4Subjects()) {
      steps += 1
      // One slice after the other, so that other requests are served between.
      // oxlint-disable-next-line eslint/no-await-in-loop
      if (steps % SLICE === 0) await nextTurn()
      if (value < first || value >= end) continue
      if (newer.some((other) => other.findIpv4(value) >= 0)) continue
      take(snapshot, record, ipv4Key(value, IPV4_BITS))
    }
  }
}

async function scanIpv4Ranges(
  newestFirst: readonly Snapshot[],
  range: Ipv4Range,
  end: number,
  take: TakeRecord,
): Promise<void> {
  for (const [at, snapshot] of newestFirst.entries()) {
    const newer = newestFirst.slice(0, at)
    let steps = 0
    // Ordered by first address, so the ranges inside lie together.
    for (let inner = snapshot.firstIpv4RangeFrom(range.first); ; inner += 1) {
      steps += 1
      // oxlint-disable-next-line eslint/no-await-in-loop
      if (steps % SLICE === 0) await nextTurn()
      if (inner >= snapshot.ipv4RangeCount || snapshot.ipv4First(inner) >= end) break
      const [first, length] = [snapshot.ipv4First(inner), snapshot.ipv4PrefixLength(inner)]
      if (length < range.prefixLength) continue
      if (newer.some((other) => findIpv4Range(other, first, length) >= 0)) continue
      take(snapshot, snapshot.ipv4Record(inner), ipv4Key(first, length))
    }
  }
}

async function probeIpv4(
  newestFirst: readonly Snapshot[],
  first: number,
  end: number,
  take: TakeRecord,
): Promise<void> {
  for (let value = first; value < end; value += 1) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    if ((value - first) % SLICE === SLICE - 1) await nextTurn()
    for (const snapshot of newestFirst) {
      const slot = snapshot.findIpv4(value)
      if (slot < 0) continue
      take(snapshot, snapshot.recordOfSlot(slot), ipv4Key(value, IPV4_BITS))
      break
    }
  }
}

async function scanIpv6(
  newestFirst: readonly Snapshot[],
  range: Ipv6Range,
  take: TakeRecord,
): Promise<void> {
  for (const [at, snapshot] of newestFirst.entries()) {
    const newer = newestFirst.slice(0, at)
    let steps = 0
    for (const [words, record] of snapshot.ipv6Subjects()) {
      steps += 1
      // oxlint-disable-next-line eslint/no-await-in-loop
      if (steps % SLICE === 0) await nextTurn()
      if (!isInside(range, words)) continue
      if (newer.some((other) => other.findIpv6(words) >= 0)) continue
      take(snapshot, record, ipv6Key(words, IPV6_BITS))
    }
    for (let inner = 0; inner < snapshot.ipv6RangeCount; inner += 1) {
      steps += 1
      // oxlint-disable-next-line eslint/no-await-in-loop
      if (steps % SLICE === 0) await nextTurn()
      const length = snapshot.ipv6PrefixLength(inner)
      if (length < range.prefixLength) continue
      const first = snapshot.ipv6First(inner)
      if (!isInside(range, first)) continue
      if (newer.some((other) => findIpv6Range(other, first, length) >= 0)) continue
      take(snapshot, snapshot.ipv6Record(inner), ipv6Key(first, length))
    }
  }
}

function isInside(range: Ipv6Range, words: Ipv6Words): boolean {
  // Most addresses lie elsewhere, which the first word shows without an array.
  if (range.prefixLength >= 32 && words[0] !== range.first[0]) return false
  const first = maskIpv6(words, range.prefixLength)
  return first.every((word, at) => word === range.first[at])
}
