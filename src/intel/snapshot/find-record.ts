// The record of exactly one subject, without the ranges and parents that cover it.

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
    // Of the ranges that hold an address there is one of each length.
    case 'ipv4-range': {
      let range = snapshot.innermostIpv4(subject.first)
      while (range !== NO_RANGE && snapshot.ipv4PrefixLength(range) > subject.prefixLength) {
        range = snapshot.ipv4Parent(range)
      }
      const isFound =
        range !== NO_RANGE && snapshot.ipv4PrefixLength(range) === subject.prefixLength
      return isFound ? snapshot.ipv4Record(range) : -1
    }
    case 'ipv6-range': {
      let range = snapshot.innermostIpv6(subject.first)
      while (range !== NO_RANGE && snapshot.ipv6PrefixLength(range) > subject.prefixLength) {
        range = snapshot.ipv6Parent(range)
      }
      const isFound =
        range !== NO_RANGE && snapshot.ipv6PrefixLength(range) === subject.prefixLength
      return isFound ? snapshot.ipv6Record(range) : -1
    }
  }
}
