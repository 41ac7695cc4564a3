// Finds what is known inside the own networks, from memory: addresses and ranges with a live
// listing, a sighting within the look-back, or a malicious or suspicious intent. One pass over the
// set, whatever the number of own ranges, in slices between which other requests are served.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { ipv4Item, ipv6Item } from '../../values/address.ts'
import { type Range, singleAddress } from '../../values/range.ts'
import type { Classification } from '../facts/classify-item.ts'
import { classifyRange, type KnownItem } from '../lookup/read-range-contents.ts'
import type { IntelView } from '../snapshot/intel-view.ts'
import { type AddressKey, keyOfSubject, rangeOfKey } from '../snapshot/scan-range.ts'
import type { OwnNetworks } from './own-networks.ts'

// About a millisecond: a subject outside takes 100 ns, one inside some microseconds.
const SLICE = 2_048
const SLICE_INSIDE = 128

export interface KnownQuestion {
  /** Only items behind this one; null begins with the first. */
  readonly after: AddressKey | null
  readonly limit: number
}

export interface KnownCounts {
  listed: number
  sighted: number
  malicious: number
  suspicious: number
}

export interface KnownInNetworks {
  readonly counts: KnownCounts
  readonly items: readonly KnownItem[]
  readonly hasMore: boolean
}

/** A page in the order of addresses, IPv4 first, and the counts of all pages. */
export async function readKnown(
  view: IntelView,
  networks: OwnNetworks,
  nowMs: number,
  { after, limit }: KnownQuestion,
): Promise<KnownInNetworks> {
  const counts: KnownCounts = { listed: 0, sighted: 0, malicious: 0, suspicious: 0 }
  let found: { readonly key: AddressKey; readonly item: KnownItem }[] = []
  /** The items of the page so far, and one more that shows whether there is another page. */
  const firstFound = (): typeof found =>
    found.toSorted((a, b) => compareKeys(a.key, b.key)).slice(0, limit + 1)
  let inside = 0
  for await (const range of rangesInside(view, networks)) {
    inside += 1
    if (inside % SLICE_INSIDE === 0) await nextTurn()
    const classification = classifyRange(view, range, nowMs)
    if (!isKnown(classification)) continue
    countInto(counts, classification)
    const subject = singleAddress(range) ?? range
    const key = keyOfSubject(subject)
    if (key === null || limit === 0 || (after !== null && compareKeys(key, after) <= 0)) continue
    found.push({ key, item: { text: subject.text, classification } })
    if (found.length > (limit + 1) * 4) found = firstFound()
  }
  found = firstFound()
  return {
    counts,
    items: found.slice(0, limit).map(({ item }) => item),
    hasMore: found.length > limit,
  }
}

/** Every address and range of the set inside own networks, once. */
async function* rangesInside(
  { overlay, snapshot: base }: IntelView,
  networks: OwnNetworks,
): AsyncGenerator<Range> {
  if (networks.isEmpty) return
  const seen = new Set<AddressKey>()
  let steps = 0
  for (const snapshot of [...overlay, base]) {
    for (const [value] of snapshot.ipv4Subjects()) {
      steps += 1
      if (steps % SLICE === 0) await nextTurn()
      if (!networks.holdsIpv4(value)) continue
      const key = keyOfSubject(ipv4Item(value))
      if (key !== null && isFirst(seen, key)) yield rangeOfKey(key)
    }
    for (const [words] of snapshot.ipv6Subjects()) {
      steps += 1
      if (steps % SLICE === 0) await nextTurn()
      if (!networks.holdsIpv6(words)) continue
      const key = keyOfSubject(ipv6Item(words))
      if (key !== null && isFirst(seen, key)) yield rangeOfKey(key)
    }
    for (const [range] of snapshot.rangeSubjects()) {
      steps += 1
      if (steps % SLICE === 0) await nextTurn()
      if (!networks.holdsRange(range)) continue
      const key = keyOfSubject(range)
      if (key !== null && isFirst(seen, key)) yield range
    }
  }
}

function isFirst(seen: Set<AddressKey>, key: AddressKey): boolean {
  if (seen.has(key)) return false
  seen.add(key)
  return true
}

// Numbers are IPv4, texts IPv6; `<` compares each among themselves.
function compareKeys(a: AddressKey, b: AddressKey): number {
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1
  if (a === b) return 0
  return a < b ? -1 : 1
}

function isKnown({ serviceMailBlocklist, activity, intent }: Classification): boolean {
  return (
    serviceMailBlocklist === 'ACTIVE' ||
    activity ||
    intent === 'malicious' ||
    intent === 'suspicious'
  )
}

function countInto(
  counts: KnownCounts,
  { serviceMailBlocklist, activity, intent }: Classification,
): void {
  if (serviceMailBlocklist === 'ACTIVE') counts.listed += 1
  if (activity) counts.sighted += 1
  if (intent === 'malicious') counts.malicious += 1
  if (intent === 'suspicious') counts.suspicious += 1
}
