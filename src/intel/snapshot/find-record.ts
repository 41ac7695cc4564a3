// The record of exactly one subject, without the ranges and parents that cover it.

import type { Ipv6Words } from '../../values/address.ts'
import type { Subject } from '../../values/range.ts'
import { hashName } from './hashing.ts'
import { NO_RANGE } from './segments.ts'
import type { RecordOffset, Snapshot } from './snapshot.ts'

/** -1 when the subject itself has no record. */
export function findRecord(snapshot: Snapshot, subject: Subject): RecordOffset {
  switch (subject.kind) {
    case 'ipv4': {
      const slot = snapshot.findIpv4(subject.value)
      return slot < 0 ? -1 : snapshot.recordOfSlot(slot)
    }
    case 'ipv6':
      return snapshot.findIpv6(subject.words)
    case 'domain': {
      const { low, high } = hashName(subject.text, snapshot.seed)
      return snapshot.findDomain(low, high, subject.text, 0)
    }
    case 'ipv4-range':
      return findIpv4Range(snapshot, subject.first, subject.prefixLength)
    case 'ipv6-range':
      return findIpv6Range(snapshot, subject.first, subject.prefixLength)
  }
}

// Of the ranges that hold an address there is one of each length.

export function findIpv4Range(snapshot: Snapshot, first: number, length: number): RecordOffset {
  for (let at = snapshot.innermostIpv4(first); at !== NO_RANGE; at = snapshot.ipv4Parent(at)) {
    if (snapshot.ipv4PrefixLength(at) === length) return snapshot.ipv4Record(at)
  }
  return -1
}

export function findIpv6Range(snapshot: Snapshot, first: Ipv6Words, length: number): RecordOffset {
  for (let at = snapshot.innermostIpv6(first); at !== NO_RANGE; at = snapshot.ipv6Parent(at)) {
    if (snapshot.ipv6PrefixLength(at) === length) return snapshot.ipv6Record(at)
  }
  return -1
}
