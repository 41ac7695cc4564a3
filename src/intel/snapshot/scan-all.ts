// Scans all subjects of a snapshot with its overlay, in slices between which other requests are
// served.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Ipv6Words } from '../../values/address.ts'
import type { Range } from '../../values/range.ts'
import { hashName } from './hashing.ts'
import { findRangeRecord } from './scan-range.ts'
import type { Snapshot } from './snapshot.ts'

// About a millisecond of counting.
const SLICE = 2_048

/** Calls back once for each subject, with its record in the newest layer. */
export async function scanAll(
  newestFirst: readonly Snapshot[],
  take: (snapshot: Snapshot, record: number) => void,
): Promise<void> {
  for (const [at, snapshot] of newestFirst.entries()) {
    let steps = 0
    for (const record of recordsOf(snapshot, newestFirst.slice(0, at))) {
      steps += 1
      // One slice after the other, so that other requests are served between.
      // oxlint-disable-next-line eslint/no-await-in-loop
      if (steps % SLICE === 0) await nextTurn()
      if (record >= 0) take(snapshot, record)
    }
  }
}

// -1 where a newer layer has the subject.
function* recordsOf(snapshot: Snapshot, newer: readonly Snapshot[]): Generator<number> {
  for (const [value, record] of snapshot.ipv4Subjects()) {
    yield newer.some((other) => other.findIpv4(value) >= 0) ? -1 : record
  }
  for (const [words, record] of snapshot.ipv6Subjects()) yield hasIpv6(newer, words) ? -1 : record
  for (const [name, record] of snapshot.domainSubjects()) yield hasName(newer, name) ? -1 : record
  for (const [range, record] of snapshot.rangeSubjects()) yield hasRange(newer, range) ? -1 : record
}

function hasIpv6(newer: readonly Snapshot[], words: Ipv6Words): boolean {
  return newer.some((other) => other.findIpv6(words) >= 0)
}

function hasName(newer: readonly Snapshot[], name: string): boolean {
  return newer.some((other) => {
    const { low, high } = hashName(name, other.seed)
    return other.findDomain(low, high, name, 0) >= 0
  })
}

function hasRange(newer: readonly Snapshot[], range: Range): boolean {
  return newer.length > 0 && findRangeRecord(newer, range) !== null
}
