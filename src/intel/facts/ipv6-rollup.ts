// The IPv6 roll-up (design section 10). A network hands a whole /64 to one customer, who can use
// 2^64 addresses, so the sightings of its single addresses are added up. When enough addresses were
// sighted within the look-back, the sum counts for the whole /64.

import type { Ipv6Words } from '../../values/address.ts'
import { ipv6Range } from '../../values/range.ts'
import type { Ipv6RollUp, Sighting } from './facts.ts'

/** Length of the prefix that is rolled up: the smallest that a customer gets (RFC 6177). */
export const ROLL_UP_BITS = 64

/** Adds up the sightings of the /64 of `words`, given as one list for each sighted address. */
export function rollUpSightings(
  words: Ipv6Words,
  addresses: readonly (readonly Sighting[])[],
): Ipv6RollUp {
  const lastSeen = addresses.flatMap((sightings) =>
    sightings.length === 0 ? [] : [Math.max(...sightings.map((one) => one.lastSeenSeconds))],
  )
  return rollUpSums(words, lastSeen, addresses.flat())
}

/**
 * Adds up sightings of single addresses of the /64 of `words` by their origin. `lastSeenSeconds`
 * has one time for each address, in any order.
 */
export function rollUpSums(
  words: Ipv6Words,
  lastSeenSeconds: readonly number[],
  sightings: readonly Sighting[],
): Ipv6RollUp {
  const byOrigin = new Map<string, Sighting>()
  for (const sighting of sightings) {
    // The database stores no NUL, so two origins never give the same key.
    const key = `${sighting.kind}\0${sighting.service}\0${sighting.type}\0${sighting.source}`
    byOrigin.set(key, join(byOrigin.get(key), sighting))
  }
  return {
    prefix: ipv6Range(words, ROLL_UP_BITS).text,
    // A typed array sorts by number, and ten times as fast.
    lastSeenSeconds: [...Uint32Array.from(lastSeenSeconds).toSorted().toReversed()],
    sightings: [...byOrigin.values()],
  }
}

function join(known: Sighting | undefined, next: Sighting): Sighting {
  const { kind, service, type, source } = next
  return {
    kind,
    service,
    type,
    source,
    firstSeenSeconds: Math.min(
      known?.firstSeenSeconds ?? next.firstSeenSeconds,
      next.firstSeenSeconds,
    ),
    lastSeenSeconds: Math.max(known?.lastSeenSeconds ?? 0, next.lastSeenSeconds),
    count: (known?.count ?? 0) + next.count,
  }
}

/**
 * True when at least `addressesMin` distinct addresses were last seen at or after
 * `seenSinceSeconds`.
 */
export function rollUpCounts(
  rollUp: Ipv6RollUp,
  addressesMin: number,
  seenSinceSeconds: number,
): boolean {
  const nth = rollUp.lastSeenSeconds[addressesMin - 1]
  return nth !== undefined && nth >= seenSinceSeconds
}
