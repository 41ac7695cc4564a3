// Roll-ups of the /64s of a snapshot with its overlay. A roll-up is made with the first look-up and
// kept until the next change of the set. A /64 with too few sighted addresses costs one probe of a
// table.

import type { Ipv6Words } from '../../values/address.ts'
import type { Ipv6Range } from '../../values/range.ts'
import type { Ipv6RollUp, Sighting } from '../facts/facts.ts'
import { ROLL_UP_BITS, rollUpSums } from '../facts/ipv6-rollup.ts'
import { GROUP_COUNT, GROUP_FIRST, GROUP_WORDS } from './ipv6-groups.ts'
import { existing, FACT_SIGHTING, FACT_WORDS, factKindOf, originOf } from './record.ts'
import type { Snapshot } from './snapshot.ts'

// About 1 KiB each for a handful of origins and some hundred addresses. When more are in use, all
// are made again.
const KEPT_MAX = 4_096
// The holder of a /64 can use any number of its addresses, and a look-up waits for the roll-up: so
// many addresses take about 1 ms, the last changed first. Far fewer decide its result.
const SUMMED_MAX = 4_096
// An explanation counts addresses, of up to 65,536 /64s.
const COUNTED_MAX = 65_536

export class Ipv6RollUps {
  readonly #newestFirst: readonly Snapshot[]
  readonly #addressesMin: number
  readonly #kept = new Map<string, Ipv6RollUp | null>()

  /**
   * The snapshot is the last of the list; an address in a newer one hides the same address in older
   * ones.
   */
  constructor(newestFirst: readonly Snapshot[], addressesMin: number) {
    this.#newestFirst = newestFirst
    this.#addressesMin = addressesMin
  }

  /**
   * The roll-up of the /64 of the address; null when too few of its addresses were ever sighted.
   */
  find(words: Ipv6Words): Ipv6RollUp | null {
    let known = 0
    for (const snapshot of this.#newestFirst) {
      const group = snapshot.findIpv6Group(words)
      if (group >= 0) known += snapshot.ipv6Groups[group + GROUP_COUNT] ?? 0
    }
    if (known < this.#addressesMin) return null
    const key = `${words[0]}:${words[1]}`
    const kept = this.#kept.get(key)
    if (kept !== undefined) return kept
    const rollUp = this.#sumUp(words)
    const found = rollUp.lastSeenSeconds.length < this.#addressesMin ? null : rollUp
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear()
    this.#kept.set(key, found)
    return found
  }

  /**
   * When each sighted address in a range from a /32 to a /64 was last seen, in no order. For
   * explanations: up to 65,536 probes for a /48.
   */
  lastSeenWithin(range: Ipv6Range): readonly number[] {
    const lastSeen: number[] = []
    for (const [at, snapshot] of this.#newestFirst.entries()) {
      const sums = new OriginSums(snapshot)
      for (const group of groupsWithin(snapshot, range)) {
        this.#eachMember(at, group, COUNTED_MAX - lastSeen.length, (record) => {
          const last = sums.add(record)
          if (last > 0) lastSeen.push(last)
        })
      }
    }
    return lastSeen
  }

  #sumUp(words: Ipv6Words): Ipv6RollUp {
    const lastSeen: number[] = []
    const sightings: Sighting[] = []
    for (const [at, snapshot] of this.#newestFirst.entries()) {
      const group = snapshot.findIpv6Group(words)
      if (group < 0) continue
      const sums = new OriginSums(snapshot)
      this.#eachMember(at, group, SUMMED_MAX - lastSeen.length, (record) => {
        const last = sums.add(record)
        if (last > 0) lastSeen.push(last)
      })
      sightings.push(...sums.sightings())
    }
    return rollUpSums(words, lastSeen, sightings)
  }

  // The records of one group of one snapshot, without the addresses that a newer one hides.
  #eachMember(at: number, group: number, max: number, take: (record: number) => void): void {
    const snapshot = this.#newestFirst[at]
    if (snapshot === undefined) return
    const newer = this.#newestFirst.slice(0, at)
    const first = snapshot.ipv6Groups[group + GROUP_FIRST] ?? 0
    const count = Math.min(snapshot.ipv6Groups[group + GROUP_COUNT] ?? 0, max)
    for (let member = first; member < first + count; member += 1) {
      const { words, record } = snapshot.ipv6Member(member)
      if (newer.some((other) => other.findIpv6(words) >= 0)) continue
      take(record)
    }
  }
}

/** The sightings of the records of one snapshot, summed up by origin without an object for each. */
class OriginSums {
  readonly #snapshot: Snapshot
  readonly #sums = new Map<number, { first: number; last: number; count: number }>()

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot
  }

  /** When the address of the record was last seen; 0 when it was not. */
  add(record: number): number {
    const { records } = this.#snapshot
    const end = record + 1 + (records[record] ?? 0) * FACT_WORDS
    let latest = 0
    for (let fact = record + 1; fact < end; fact += FACT_WORDS) {
      const word = records[fact] ?? 0
      if (factKindOf(word) !== FACT_SIGHTING) continue
      const first = records[fact + 1] ?? 0
      const last = records[fact + 2] ?? 0
      const count = records[fact + 3] ?? 0
      latest = Math.max(latest, last)
      const sum = this.#sums.get(originOf(word))
      if (sum === undefined) {
        this.#sums.set(originOf(word), { first, last, count })
        continue
      }
      sum.first = Math.min(sum.first, first)
      sum.last = Math.max(sum.last, last)
      sum.count += count
    }
    return latest
  }

  sightings(): readonly Sighting[] {
    const { origins } = this.#snapshot
    return [...this.#sums].map(([number, { first, last, count }]) => ({
      ...existing(origins.sightings[number]),
      firstSeenSeconds: first,
      lastSeenSeconds: last,
      count,
    }))
  }
}

/**
 * The /64s of the range that have a group, found by a probe for each or by a scan of all groups,
 * whichever is less.
 */
function* groupsWithin(snapshot: Snapshot, range: Ipv6Range): Generator<number> {
  const { ipv6Groups } = snapshot
  const [high, low] = range.first
  const prefixes = 2 ** (ROLL_UP_BITS - range.prefixLength)
  if (prefixes * GROUP_WORDS < ipv6Groups.length) {
    for (let next = low; next < low + prefixes; next += 1) {
      const group = snapshot.findIpv6Group([high, next, 0, 0])
      if (group >= 0) yield group
    }
    return
  }
  for (let group = 0; group < ipv6Groups.length; group += GROUP_WORDS) {
    const other = ipv6Groups[group + 1] ?? 0
    const isInside = ipv6Groups[group] === high && other >= low && other < low + prefixes
    if (isInside && ipv6Groups[group + GROUP_COUNT] !== 0) yield group
  }
}
