// The sighted single IPv6 addresses of a snapshot by their /64, for the roll-up: an open-addressing
// hash table of the /64s, each naming a run in the list of members. One probe tells an address of a
// /64 without sightings, which is nearly every one.

import { IPV6_ENTRY_WORDS } from './hash-tables.ts'
import { mix32 } from './hashing.ts'

// [first word, second word, place of the first member, number of members]; no members: an empty
// slot.
export const GROUP_WORDS = 4
export const GROUP_FIRST = 2
export const GROUP_COUNT = 3

/** The word at which the /64 has its group, or -1. */
export function findGroup(groups: Uint32Array, seed: number, high: number, low: number): number {
  const mask = groups.length / GROUP_WORDS - 1
  for (let slot = hashPrefix(high, low, seed) & mask; ; slot = (slot + 1) & mask) {
    const at = slot * GROUP_WORDS
    if (groups[at + GROUP_COUNT] === 0) return -1
    if (groups[at] === high && groups[at + 1] === low) return at
  }
}

function hashPrefix(high: number, low: number, seed: number): number {
  return mix32(mix32(high ^ seed) ^ low)
}

export interface Ipv6Groups {
  readonly groups: Uint32Array
  /** For each member the word of `slots` at which it has its slot. */
  readonly members: Uint32Array
}

/** Groups the addresses of a builder's table for whose value, the head of a chain, `isSighted`. */
export function groupIpv6(
  slots: Uint32Array,
  seed: number,
  isSighted: (head: number) => boolean,
): Ipv6Groups {
  const sighted: number[] = []
  for (let at = 0; at < slots.length; at += IPV6_ENTRY_WORDS) {
    const stored = slots[at + 4] ?? 0
    if (stored !== 0 && isSighted(stored - 1)) sighted.push(at)
  }
  // At most half full, also when every address has a /64 of its own, so that a search always ends
  // at an empty slot.
  const size = 2 ** Math.ceil(Math.log2(sighted.length * 2 + 1))
  const groups = new Uint32Array(size * GROUP_WORDS)
  const groupOf = Uint32Array.from(sighted, (at) =>
    countMember(groups, seed, slots[at] ?? 0, slots[at + 1] ?? 0),
  )
  setFirsts(groups)
  const members = new Uint32Array(sighted.length)
  const placed = new Map<number, number>()
  for (const [index, at] of sighted.entries()) {
    const group = groupOf[index] ?? 0
    const taken = placed.get(group) ?? 0
    members[(groups[group + GROUP_FIRST] ?? 0) + taken] = at
    placed.set(group, taken + 1)
  }
  return { groups, members }
}

/** Counts one more member and returns the word of its group. */
function countMember(groups: Uint32Array, seed: number, high: number, low: number): number {
  const mask = groups.length / GROUP_WORDS - 1
  for (let slot = hashPrefix(high, low, seed) & mask; ; slot = (slot + 1) & mask) {
    const at = slot * GROUP_WORDS
    const count = groups[at + GROUP_COUNT] ?? 0
    if (count > 0 && (groups[at] !== high || groups[at + 1] !== low)) continue
    groups[at] = high
    groups[at + 1] = low
    groups[at + GROUP_COUNT] = count + 1
    return at
  }
}

function setFirsts(groups: Uint32Array): void {
  let first = 0
  for (let at = 0; at < groups.length; at += GROUP_WORDS) {
    groups[at + GROUP_FIRST] = first
    first += groups[at + GROUP_COUNT] ?? 0
  }
}
